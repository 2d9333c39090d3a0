import type { Db, Statement } from '../../../platform/db.ts'

export interface Claimed {
  installerId: string
  companyId: string
  id: string
}

const claimStatement: Statement = {
  name: 'claim-import',
  text: `update imports set claimed_until = $2 where (installer_id, id) = (
      select installer_id, id from imports
      where state in ('checking', 'running', 'undoing') and claimed_until <= $1
      order by claimed_until limit 1 for update skip locked
    ) returning installer_id as "installerId", company_id as "companyId", id`,
}

/** Takes up an import that nobody works on, of any tenant. */
export async function claimImport(db: Db, now: Date, until: Date): Promise<Claimed | null> {
  const [row] = await db.query<Claimed>(claimStatement, [now.toISOString(), until.toISOString()])
  return row ?? null
}

const releaseStatement: Statement = {
  name: 'release-import',
  text: 'update imports set claimed_until = $3 where installer_id = $1 and id = $2',
}

export async function releaseImport(db: Db, { installerId, id }: Claimed, now: Date): Promise<void> {
  await db.query(releaseStatement, [installerId, id, now.toISOString()])
}

const expireStatement: Statement = {
  name: 'expire-imports',
  text: `with let_go as (
      update imports set store_key = null, failure = $2,
        state = case when state in ('mapping', 'checked') then 'failed' when state = 'stopped' then 'done' else state end
      where store_key is not null and created_at < $1 and state in ('mapping', 'checked', 'stopped')
      returning installer_id, company_id, stored_bytes
    )
    update storage_usage s set bytes = greatest(0, s.bytes - g.bytes)
    from (select installer_id, company_id, sum(stored_bytes) as bytes from let_go group by installer_id, company_id) g
    where s.installer_id = g.installer_id and s.company_id = g.company_id`,
}

/** Lets go of files that nobody came back to. */
export async function expireImports(db: Db, before: Date, failure: string): Promise<void> {
  await db.query(expireStatement, [before.toISOString(), failure])
}
