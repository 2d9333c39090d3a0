import type { Addresses } from '../config.ts'
import type { FileCopying } from '../domain/deals/files/copy-files.ts'
import type { CountedLists } from '../domain/deals/renderings/counted-lists.ts'
import type { Sending } from '../domain/delivery/webhooks/send.ts'
import type { NumberedLists } from '../domain/kernel/numbered-lists.ts'
import type { StartedPages } from '../domain/kernel/page-starts.ts'
import type { Directories } from '../domain/kernel/tenant/directories.ts'
import type { ErasureDeps } from '../domain/operations/privacy/finish-erasure.ts'
import type { RequestLog } from '../domain/operations/requests/request-log.ts'
import type { Keys } from '../domain/tenants/keys/authenticate.ts'
import type { AttemptLimits } from '../platform/attempt-limits.ts'
import type { Database } from '../platform/db.ts'
import type { FairQueue } from '../platform/fair-queue.ts'
import type { Log } from '../platform/log.ts'
import type { MemoryBudget } from '../platform/memory-budget.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import type { SecretBox } from '../platform/secret-box.ts'
import type { Thumbnails } from '../platform/thumbnail.ts'
import type { Cursors } from './http/cursor.ts'

/** Everything the faces are built from. */
export interface Deps {
  /** For calls: what takes long is given up. */
  db: Database
  /** For what is done besides calls. */
  jobsDb: Database
  /** For what opens connections of its own. */
  databaseUrl: string
  /** How many of them people's sessions may have. */
  sessionConnections: number
  /** Whether nobody is answered but whoever watches the process. */
  opsOnly: boolean
  directories: Directories
  keys: Keys
  /** Null where calls are not logged, to measure what that costs. */
  requests: RequestLog | null
  /** Null where the limit is turned off. */
  limiter: RateLimiter | null
  /** Of tries to sign in; never turned off. */
  attempts: AttemptLimits
  /** Proxies whose X-Forwarded-* headers are believed. */
  trustedProxies: readonly string[]
  cursors: Cursors
  /** Encrypts what must stay readable in the database. */
  box: SecretBox
  countedPage: CountedLists
  numberedPage: NumberedLists
  startedPage: StartedPages
  copying: FileCopying
  /** In which files that people send wait until their company's share of the receiving is free. */
  uploads: FairQueue
  /** For bodies that are being received. */
  bodies: MemoryBudget
  /** Made by one line for all: they take memory. */
  thumbnails: Thumbnails
  /** How webhooks are sent. */
  webhooks: { sending: Sending }
  /** Adds lines to the list of erased customers that is kept outside the database. */
  noteErased: ErasureDeps['note']
  addresses: Addresses
  /** Whether mail is sent from here; where not, it is only kept. */
  sendsMail: boolean
  log: Log
  metrics: Metrics
  /** What is counted, in the words of Prometheus; of all processes where there are several. */
  readMetrics(): Promise<string>
  /** Opens /metrics to others than this machine. */
  metricsToken: string | null
  /** Calls that come before the server is ready or when it stops are answered 503; while it drains they are served. */
  state: { phase: 'starting' | 'ready' | 'draining' | 'stopping' }
  /** Tells what goes on for long that the server stops. */
  stopping: AbortSignal
}
