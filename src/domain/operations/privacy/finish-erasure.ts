import { currentMs, currentTime } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { forgetRecords } from '../../data/legacy/queries.ts'
import type { Actor } from '../../kernel/context.ts'
import { eraseImports } from './erase-imports.ts'
import { eraseInstallations, eraseInvoices } from './erase-installations.ts'
import { eraseLog, eraseTrail } from './erase-log.ts'
import { eraseProposals } from './erase-proposals.ts'
import { eraseCalls, eraseFeed, eraseFiles, eraseMails, eraseViews } from './erase-texts.ts'
import { billedTo, billersOf, type Erasure } from './erasure.ts'
import { findCustomerInstallations } from './installation-queries.ts'
import { claimErasure, endErasure, keepErasure, listLinks, listUnlisted, markListed } from './queries.ts'

/** What erasing needs besides the database. */
export interface ErasureDeps {
  store: FileStore
  /** Adds lines to the list of what was erased, which outlives the database; when it resolves, they outlive a power cut. */
  note: (lines: readonly string[]) => Promise<void>
}

/** For how long whoever works on one may say nothing before another takes over. */
export const claimMs = 60_000

/**
 * Everything that follows once a lead is erased, in steps that are small and do no harm when they are done twice: a
 * process that dies leaves the rest to `resumeErasures`.
 */
export async function finishErasure(db: Database, erasure: Erasure, deps: ErasureDeps): Promise<void> {
  const { installerId, leadId, projectId } = erasure
  const { store } = deps
  const stillHere = () => keepErasure(db, { installerId, leadId, until: new Date(currentMs() + claimMs) })
  // What endpoints are still to be told goes early: it must not go out. What is told of files is made from their rows.
  await eraseFiles(db, store, erasure)
  await eraseLog(db, erasure, [leadId])
  const installations = await findCustomerInstallations(db, {
    installerId,
    companyIds: billersOf(erasure),
    projectId,
    emails: billedTo(erasure).emails,
  })
  const installationIds = installations.map(({ id }) => id)
  const links = projectId === null ? [] : await listLinks(db, { installerId, projectId })
  const recordIds = [
    ...links.map(({ id }) => id),
    ...(await eraseInstallations(db, eraser(erasure), currentTime(), erasure, installationIds)),
    ...(await eraseInvoices(db, eraser(erasure), currentTime(), erasure, installationIds)),
  ]
  await eraseLog(db, erasure, recordIds)
  await stillHere()
  await eraseTrail(db, erasure)
  await eraseMails(db, erasure)
  await eraseProposals(db, erasure, [...installationIds, ...recordIds], currentTime())
  await eraseFeed(db, erasure)
  await stillHere()
  await eraseImports(db, store, erasure, currentTime())
  await forgetRecords(db, { installerId, leadId, projectId })
  await eraseViews(db, erasure)
  if (erasure.reason === 'request') await eraseCalls(db, erasure)
  await endErasure(db, { installerId, leadId, now: currentTime() })
  await noteErasures(db, deps)
}

function eraser({ installerId, companyId }: Erasure): Actor {
  return {
    kind: 'job',
    id: null,
    name: 'Erasing',
    installerId,
    companyId,
    companyKind: companyId === installerId ? 'installer' : 'dealer',
    canWrite: true,
  }
}

const atOnce = 500

/** Puts what was erased on the list outside the database. A line may come twice, and none is missing. */
export async function noteErasures(db: Database, { note }: Pick<ErasureDeps, 'note'>): Promise<void> {
  for (;;) {
    const found = await listUnlisted(db, { limit: atOnce })
    if (found.length === 0) return
    await note(found.map((erasure) => JSON.stringify(erasure)))
    for (const [installerId, own] of Map.groupBy(found, (erasure) => erasure.installerId))
      await markListed(db, { installerId, leadIds: own.map(({ leadId }) => leadId) })
    if (found.length < atOnce) return
  }
}

/** Goes on with what a process that died had begun; answers how many it finished. */
export async function resumeErasures(db: Database, deps: ErasureDeps, signal: AbortSignal): Promise<number> {
  for (let finished = 0; ; finished++) {
    const now = currentMs()
    const erasure = signal.aborted ? null : await claimErasure(db, new Date(now), new Date(now + claimMs))
    if (!erasure) return finished
    await finishErasure(db, erasure, deps)
  }
}
