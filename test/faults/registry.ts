import type { Fault } from './fault.ts'
import { leaderKilled } from './faults/leader-killed.ts'
import {
  backendKilled,
  backendsTerminated,
  embeddedBothKilled,
  embeddedPostgresKilled,
  postgresFrozen,
  postgresImmediate,
  postgresKilled,
  postgresRestarted,
} from './faults/postgres-away.ts'
import { embeddedServerKilled, primaryKilled, serverKilled, workerKilled } from './faults/server-killed.ts'

/** Every fault of the suite, in the order of the table; those of one shape are played on one bed. */
export const faults: Fault[] = [
  serverKilled,
  primaryKilled,
  workerKilled,
  leaderKilled,
  embeddedServerKilled,
  embeddedPostgresKilled,
  embeddedBothKilled,
  postgresKilled,
  postgresImmediate,
  postgresRestarted,
  postgresFrozen,
  backendKilled,
  backendsTerminated,
]
