/** What a database is opened for decides how long its statements may take, and how many may wait. */
export interface Limits {
  /** After which the server ends a statement. */
  statementMs: number
  /** After which we no longer wait: longer, so that a server that still answers answers first. */
  waitMs: number
  /** After which a connection that does not come about is given up. */
  connectMs: number
  /** Statements under way and waiting at once, before more are refused. */
  maxWaiting: number
  pool: number
  /** Where one of these is 0, its statements take the pool. */
  asyncCommitPool: number
  readConnections: number
  writeConnections: number
}

/** Of a call: whoever called is told within seconds that the database does not answer. */
export const usualCallMs = 4_500
/** How much longer we wait than the server may take. */
const answerMs = 500
const maxCallsWaiting = 1_000

/** For jobs and the command line, whose statements may be long. */
export const workLimits: Limits = {
  statementMs: 120_000,
  waitMs: 125_000,
  connectMs: 5_000,
  maxWaiting: 10_000,
  pool: 8,
  asyncCommitPool: 2,
  readConnections: 1,
  writeConnections: 2,
}

/**
 * For lists that are read from a replica: one that is slow is given up sooner, as the primary is asked then. One
 * connection more looks at how it is.
 */
export function replicaLimits(role: 'server' | 'tool', { pool }: Limits): Limits {
  const usual = role === 'server' ? { statementMs: 2_000, waitMs: 2_500 } : workLimits
  const { statementMs, waitMs } = usual
  const { connectMs } = workLimits
  return {
    ...{ statementMs, waitMs, connectMs, maxWaiting: pool * 8 + 2, pool },
    ...{ asyncCommitPool: 0, readConnections: 1, writeConnections: 0 },
  }
}

/** How a process shares out the connections that it may hold. */
export interface ConnectionShares {
  calls: Limits
  jobs: Limits
  queue: number
  sessions: number
}

export type ProcessRole = 'all' | 'web' | 'worker'

/** Each has the least that it works with; what is left goes to whoever has the smallest part of what serves it best. */
const shares = {
  callsPool: { least: 2, best: 10 },
  callsReads: { least: 1, best: 4 },
  callsWrites: { least: 1, best: 10 },
  sessions: { least: 1, best: 3 },
  jobsPool: { least: 2, best: 8 },
  jobsAsync: { least: 1, best: 2 },
  /** One listens, one says that we live. */
  queue: { least: 3, best: 8 },
  leader: { least: 1, best: 1 },
} as const
type Share = keyof typeof shares

const onlyCalls: readonly Share[] = ['callsPool', 'callsReads', 'callsWrites', 'sessions']
const onlyJobs: readonly Share[] = ['queue', 'leader']

/** Four processes, and a few connections for tools, fit PostgreSQL's usual 100. */
export const usualConnections = 24
export const leastConnections = Object.values(shares).reduce((sum, { least }) => sum + least, 0)

/** A process that only answers calls still writes its request log, and one that only works still tells how it is. */
function bestOf(share: Share, role: ProcessRole): number {
  const { least, best } = shares[share]
  if (role === 'web' && onlyJobs.includes(share)) return 0
  if (role === 'web' && share.startsWith('jobs')) return least
  if (role === 'worker' && onlyCalls.includes(share)) return share === 'sessions' ? 0 : least
  return best
}

export function shareConnections(
  total: number,
  role: ProcessRole,
  callMs: number = usualCallMs,
): ConnectionShares {
  const names = Object.keys(shares) as Share[]
  const best = Object.fromEntries(names.map((name) => [name, bestOf(name, role)])) as Record<Share, number>
  const got = Object.fromEntries(
    names.map((name) => [name, Math.min(best[name], shares[name].least)]),
  ) as Record<Share, number>
  const part = (name: Share) => (best[name] === 0 ? 1 : got[name] / best[name])
  for (let left = total - names.reduce((sum, name) => sum + got[name], 0); left > 0; left--) {
    const next = names.toSorted((a, b) => part(a) - part(b))[0]!
    if (part(next) >= 1) break
    got[next]++
  }
  return {
    calls: {
      statementMs: callMs,
      waitMs: callMs + answerMs,
      connectMs: callMs + answerMs,
      maxWaiting: maxCallsWaiting,
      pool: got.callsPool,
      asyncCommitPool: 0,
      readConnections: got.callsReads,
      writeConnections: got.callsWrites,
    },
    jobs: {
      ...workLimits,
      pool: got.jobsPool,
      asyncCommitPool: got.jobsAsync,
      readConnections: 0,
      writeConnections: 0,
    },
    queue: got.queue,
    sessions: got.sessions,
  }
}
