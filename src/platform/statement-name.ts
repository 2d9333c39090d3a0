import { createHash } from 'node:crypto'

const names = new Map<string, string>()

/** By its text, so that two statements never meet under one name, which PostgreSQL would cut at 63 bytes. */
export function statementName(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
