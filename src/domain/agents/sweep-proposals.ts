import type { Db } from '../../platform/db.ts'
import { keptMs } from './agent-proposal.ts'
import { deleteProposals, expireProposals } from './queries.ts'

/** Ends what has waited too long, and forgets what was kept long enough. */
export async function sweepProposals(db: Db, now: Date): Promise<void> {
  await expireProposals(db, { now })
  await deleteProposals(db, { before: new Date(now.getTime() - keptMs) })
}
