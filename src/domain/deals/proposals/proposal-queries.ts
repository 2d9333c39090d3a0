import type { Db, Statement } from '../../../platform/db.ts'

const byTokenStatement: Statement = {
  shared: 'read',
  name: 'project-by-proposal',
  text: 'select installer_id as "installerId", id from projects where proposal_token = $1',
}

/** Which project a proposal's address opens. */
export async function findProposal(
  db: Db,
  token: string,
): Promise<{ installerId: string; id: string } | null> {
  const [row] = await db.query<{ installerId: string; id: string }>(byTokenStatement, [token])
  return row ?? null
}

const openedStatement: Statement = {
  name: 'proposal-opened-since',
  text: `select exists (
      select from activities where installer_id = $1 and lead_id = $2 and at >= $3 and type = 'message' and body = $4
    ) as opened`,
}

/** Whether the feed says since an instant that the proposal was opened. */
export async function wasOpenedSince(
  db: Db,
  installerId: string,
  leadId: string,
  since: Date,
  body: string,
): Promise<boolean> {
  const [row] = await db.query<{ opened: boolean }>(openedStatement, [
    installerId,
    leadId,
    since.toISOString(),
    body,
  ])
  return row!.opened
}
