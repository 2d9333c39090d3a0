import type { Fault } from './fault.ts'
import { clockJumps, clocksDiffer } from './faults/clock-jumps.ts'
import { callersCut, callersStalled, databaseCut, databaseStalled } from './faults/connections-cut.ts'
import { filesDiskFull, wholeDiskFull } from './faults/disk-full.ts'
import { redisFrozen, redisKilled, redisRestarted, storeFails, storeRefuses } from './faults/engines-away.ts'
import { hangingReceivers } from './faults/hanging-receivers.ts'
import { leaderKilled } from './faults/leader-killed.ts'
import { lyingSources } from './faults/lying-sources.ts'
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
import { slowClients, slowClientsOfTwo } from './faults/slow-clients.ts'
import { slowSmtp } from './faults/slow-smtp.ts'
import { slowUploads } from './faults/slow-uploads.ts'
import { storeHangs } from './faults/store-hangs.ts'

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
  slowClients,
  slowClientsOfTwo,
  slowUploads,
  lyingSources,
  hangingReceivers,
  slowSmtp,
  clockJumps,
  clocksDiffer,
  filesDiskFull,
  wholeDiskFull,
  databaseCut,
  databaseStalled,
  callersCut,
  callersStalled,
  redisKilled,
  redisFrozen,
  redisRestarted,
  storeRefuses,
  storeFails,
  storeHangs,
]
