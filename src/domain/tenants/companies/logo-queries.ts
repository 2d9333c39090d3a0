import type { Db, Statement } from '../../../platform/db.ts'

export interface Logo {
  png: Buffer
  sha256: string
}

const findStatement: Statement = {
  name: 'find-logo',
  text: 'select png, sha256 from company_logos where installer_id = $1 and company_id = $2',
}

export async function findLogo(db: Db, installerId: string, companyId: string): Promise<Logo | null> {
  const [logo] = await db.query<Logo>(findStatement, [installerId, companyId])
  return logo ?? null
}

const hashStatement: Statement = {
  shared: 'read',
  name: 'find-logo-hash',
  text: 'select sha256 from company_logos where installer_id = $1 and company_id = $2',
}

/** What tells one logo of the company from another; null where it has none. */
export async function findLogoHash(db: Db, installerId: string, companyId: string): Promise<string | null> {
  const [logo] = await db.query<Pick<Logo, 'sha256'>>(hashStatement, [installerId, companyId])
  return logo?.sha256 ?? null
}

const saveStatement: Statement = {
  name: 'save-logo',
  text: `insert into company_logos (installer_id, company_id, png, sha256, changed_at) values ($1, $2, $3, $4, $5)
    on conflict (installer_id, company_id)
      do update set png = excluded.png, sha256 = excluded.sha256, changed_at = excluded.changed_at`,
}

export async function saveLogo(
  tx: Db,
  installerId: string,
  companyId: string,
  { png, sha256 }: Logo,
  now: Date,
): Promise<void> {
  await tx.query(saveStatement, [installerId, companyId, png, sha256, now])
}

const deleteStatement: Statement = {
  name: 'delete-logo',
  text: 'delete from company_logos where installer_id = $1 and company_id = $2 returning sha256',
}

/** Whether there was one. */
export async function deleteLogo(tx: Db, installerId: string, companyId: string): Promise<boolean> {
  return (await tx.query(deleteStatement, [installerId, companyId])).length > 0
}
