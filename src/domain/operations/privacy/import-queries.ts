import type { Db, Statement } from '../../../platform/db.ts'
import type { Import } from '../../data/imports/import.ts'
import { erasedName } from '../../kernel/name.ts'
import type { Erasure } from './erasure.ts'

export interface KeptImport
  extends Pick<Import, 'id' | 'name' | 'storeKey' | 'encoding' | 'delimiter' | 'state'> {
  /** Whether it made the lead. */
  madeIt: boolean
  /** What it keeps of its rows, as one text. */
  texts: string
}

// Those that keep anything of their rows: a file, first rows, or what was wrong with some.
const keptStatement: Statement = {
  name: 'imports-with-rows',
  text: `select i.id, i.name, i.store_key as "storeKey", i.encoding, i.delimiter, i.state,
      exists (select from import_leads m where m.installer_id = $1 and m.import_id = i.id and m.lead_id = $3) as "madeIt",
      i.samples::text || i.preview::text || coalesce(i.failure, '') || coalesce((
        select string_agg(p.message, ' ') from import_problems p where p.installer_id = $1 and p.import_id = i.id), '') as texts
    from imports i
    where i.installer_id = $1 and i.company_id = $2 and i.id > $4
      and (i.store_key is not null or i.samples <> '[]' or i.preview <> '[]' or i.problems > 0)
    order by i.id limit $5`,
}

export function listKeptImports(
  db: Db,
  { installerId, companyId, leadId }: Erasure,
  after: string,
  limit: number,
): Promise<KeptImport[]> {
  return db.query<KeptImport>(keptStatement, [installerId, companyId, leadId, after, limit])
}

// One that waits or is under way ends: what it has made by then can be undone.
const clearStatement: Statement = {
  name: 'clear-import',
  text: `with let_go as (
      select company_id, stored_bytes from imports where installer_id = $1 and id = $2 and store_key is not null
    ), freed as (
      update storage_usage s set bytes = greatest(0, s.bytes - g.stored_bytes) from let_go g
      where s.installer_id = $1 and s.company_id = g.company_id
    ), cleared as (
      update imports i set samples = '[]', preview = '[]', store_key = null, name = case when $5 then $7 else i.name end,
        state = case when i.state in ('done', 'undone', 'undoing', 'stopped', 'failed') then i.state
          when i.made > 0 then 'stopped' else 'failed' end,
        failure = case when i.state in ('done', 'undone', 'undoing') then i.failure else $3 end,
        ended_at = coalesce(i.ended_at, case when i.state <> 'undoing' then $4::timestamptz end)
      where i.installer_id = $1 and i.id = $2
    ), problems_removed as (delete from import_problems where installer_id = $1 and import_id = $2)
    delete from import_leads m where m.installer_id = $1 and m.import_id = $2 and m.lead_id = $6`,
}

/** Lets go of the rows of an import, with the file, and of the lead where that was made by it. */
export async function clearImport(
  db: Db,
  installerId: string,
  id: string,
  failure: string,
  now: Date,
  nameToo: boolean,
  leadId: string | null,
): Promise<void> {
  await db.query(clearStatement, [installerId, id, failure, now.toISOString(), nameToo, leadId, erasedName])
}
