/** What a computer runs out of, by the code of the system or of PostgreSQL, and what the operator can do. */
const shortages: Record<string, string> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: raise it, or free some space',
  EROFS: 'the disk is mounted read-only: look at the log of the system',
  EIO: 'the disk does not work: look at the log of the system',
  EMFILE: 'too many files are open: raise the limit of open files (ulimit -n)',
  ENFILE: 'too many files are open on this machine: raise its limit',
  ENOMEM: 'there is no memory left: give the machine more',
  '53000': 'the database has run out of something: look at its log',
  '53100': "the database's disk is full: free some space",
  '53200': 'the database has no memory left: give it more',
  '53300': 'the database takes no more connections: raise its max_connections, or end what else uses it',
  '53400': 'a limit of the database is reached: look at its log',
  '58030': "the database's disk does not work: look at its log",
  '25006': 'the database is read-only: let DATABASE_URL name the server that takes writes',
}

/** What there is too little of, where an error came of that; null where it did not. Causes are looked at too. */
export function shortageOf(error: unknown): string | null {
  for (let found = error, depth = 0; found instanceof Error && depth < 5; found = found.cause, depth++) {
    const { code } = found as { code?: unknown }
    if (typeof code === 'string' && code in shortages) return shortages[code]!
  }
  return null
}
