import type { Db, Statement } from '../../../platform/db.ts'

const ownerStatement: Statement = {
  shared: 'read',
  name: 'owner-of-folders',
  text: `select company_id as "companyId", lead_id as "leadId" from projects where installer_id = $1 and id = $2`,
}

/** Whose project it is. */
export async function findFolderOwner(
  db: Db,
  installerId: string,
  projectId: string,
): Promise<{ companyId: string; leadId: string } | null> {
  const [row] = await db.query<{ companyId: string; leadId: string }>(ownerStatement, [
    installerId,
    projectId,
  ])
  return row ?? null
}
