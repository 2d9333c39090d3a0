import { findAlerts } from '../domain/sites/alerts/find-alerts.ts'
import { eachInstallerToJudge } from '../domain/sites/alerts/measurement-queries.ts'
import { mendTrouble } from '../domain/sites/installations/trouble-queries.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { pause } from './jobs.ts'

// A look at 200,000 panels takes 25 s of a core: with a quarter of it, nobody who calls meanwhile waits for it.
const restTimes = 3

/** Looks at the installations of every tenant that has some, one after the other; one that fails does not stop the others. */
export async function findAllAlerts(db: Database, log: Log, at: Date, signal: AbortSignal): Promise<void> {
  // Before anything is judged, which takes long: lists go by what is kept.
  for await (const installer of eachInstallerToJudge(db)) {
    if (signal.aborted) return
    await mendTrouble(db, installer, signal).catch((error: Error) =>
      log.warn({ installer, error: error.message }, 'what is kept of installations could not be compared'),
    )
  }
  let since = performance.now()
  const rest = async () => {
    await pause((performance.now() - since) * restTimes, signal)
    since = performance.now()
  }
  for await (const installer of eachInstallerToJudge(db)) {
    if (signal.aborted) return
    await findAlerts(db, installer, at, { signal, rest }).catch((error: Error) =>
      log.warn({ installer, error: error.message }, 'alerts of a tenant could not be looked for'),
    )
  }
}
