import { findAlerts } from '../domain/sites/alerts/find-alerts.ts'
import { eachInstaller } from '../domain/sites/alerts/measurement-queries.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

/** Looks at every tenant's installations, one tenant after the other; one that fails does not stop the others. */
export async function findAllAlerts(db: Database, log: Log, at: Date, signal: AbortSignal): Promise<void> {
  for await (const installer of eachInstaller(db)) {
    if (signal.aborted) return
    await findAlerts(db, installer, at, signal).catch((error: Error) =>
      log.warn({ installer, error: error.message }, 'alerts of a tenant could not be looked for'),
    )
  }
}
