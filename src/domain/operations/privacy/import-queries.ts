import { boolean, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import type { Import } from '../../data/imports/import.ts'
import type { Erasure } from './erasure.ts'

export interface StoredImport
  extends Pick<Import, 'id' | 'name' | 'storeKey' | 'encoding' | 'delimiter' | 'state'> {
  /** Whether it made the lead. */
  madeIt: boolean
  /** What it keeps of its rows, as one text. */
  texts: string
}

const storedImport = row<StoredImport>({
  id: text,
  name: text,
  storeKey: text,
  encoding: text,
  delimiter: text,
  state: text,
  madeIt: boolean,
  texts: text,
})

/** Those that keep anything of their rows: a file, first rows, or what was wrong with some. */
export const listKeptImports = many(
  storedImport,
  (
    $: Params<Pick<Erasure, 'installerId' | 'companyId' | 'leadId'> & { after: string; limit: number }>,
  ) => sql`
    select ${select(storedImport, 'i', {
      madeIt: sql`exists (
        select from import_leads m
        where m.installer_id = ${$.installerId} and m.import_id = i.id and m.lead_id = ${$.leadId})`,
      texts: sql`i.samples::text || i.preview::text || coalesce(i.failure, '') || coalesce((
        select string_agg(p.message, ' ') from import_problems p
        where p.installer_id = ${$.installerId} and p.import_id = i.id), '')`,
    })}
    from imports i
    where i.installer_id = ${$.installerId} and i.company_id = ${$.companyId} and i.id > ${$.after}
      and (i.store_key is not null or i.samples <> '[]' or i.preview <> '[]' or i.problems > 0)
    order by i.id limit ${$.limit}`,
)

interface Cleared {
  installerId: string
  id: string
  failure: string
  now: Date
  /** What it is called from now on, where its own name says too much. */
  name: string | null
  /** Which it made. */
  leadId: string | null
}

/**
 * Lets go of the rows of an import, with the file, and of the lead where that was made by it. One that waits or is under
 * way ends: what it has made by then can be undone.
 */
export const clearImport = run(($: Params<Cleared>) => {
  const isIt = sql`installer_id = ${$.installerId} and import_id = ${$.id}`
  return sql`with let_go as (
      select company_id, stored_bytes from imports
      where installer_id = ${$.installerId} and id = ${$.id} and store_key is not null
    ), freed as (
      update storage_usage s set bytes = greatest(0, s.bytes - g.stored_bytes) from let_go g
      where s.installer_id = ${$.installerId} and s.company_id = g.company_id
    ), cleared as (
      update imports i set samples = '[]', preview = '[]', store_key = null, name = coalesce(${$.name}, i.name),
        state = case when i.state in ('done', 'undone', 'undoing', 'stopped', 'failed') then i.state
          when i.made > 0 then 'stopped' else 'failed' end,
        failure = case when i.state in ('done', 'undone', 'undoing') then i.failure else ${$.failure} end,
        ended_at = coalesce(i.ended_at, case when i.state <> 'undoing' then ${$.now}::timestamptz end)
      where i.installer_id = ${$.installerId} and i.id = ${$.id}
    ), problems_removed as (delete from import_problems where ${isIt})
    delete from import_leads where ${isIt} and lead_id = ${$.leadId}`
})
