/** What a database is opened for decides how long its statements may take, and how many may wait. */
export interface Limits {
  /** After which the server ends a statement. */
  statementMs: number
  /** After which we no longer wait: longer, so that a server that still answers answers first. */
  waitMs: number
  /** Statements under way and waiting at once, before more are refused. */
  maxWaiting: number
  pool: number
  asyncCommitPool: number
  readConnections: number
  writeConnections: number
}

/** For calls: whoever called is told within seconds that the database does not answer. */
export const callLimits: Limits = {
  statementMs: 4_500,
  waitMs: 5_000,
  maxWaiting: 1_000,
  pool: 10,
  asyncCommitPool: 4,
  readConnections: 3,
  writeConnections: 8,
}

/** For jobs and the command line, whose statements may be long. */
export const workLimits: Limits = {
  statementMs: 120_000,
  waitMs: 125_000,
  maxWaiting: 10_000,
  pool: 8,
  asyncCommitPool: 2,
  readConnections: 1,
  writeConnections: 2,
}
