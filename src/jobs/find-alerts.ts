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
  let since = performance.now()
  const rest = async () => {
    await pause((performance.now() - since) * restTimes, signal)
    since = performance.now()
  }
  const ofEach = async (work: (installer: string) => Promise<unknown>, failed: string) => {
    for await (const installer of eachInstallerToJudge(db)) {
      if (signal.aborted) return
      await work(installer).catch((error: Error) => log.warn({ installer, error: error.message }, failed))
    }
  }
  // Before anything is judged, which takes long: lists go by what is kept.
  await ofEach(
    (installer) => mendTrouble(db, installer, { signal, rest }),
    'what is kept of installations could not be compared',
  )
  await ofEach(
    (installer) => findAlerts(db, installer, at, { signal, rest }),
    'alerts of a tenant could not be looked for',
  )
}
