import type { Db } from '../../../platform/db.ts'
import { boolean, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, pick, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { RetentionRule } from './retention.ts'

export interface StoredRule extends RetentionRule {
  version: number
  lastRunAt: Date | null
  leadsErased: number
  mailsCleared: number
}

export interface ClaimedRule extends StoredRule {
  installerId: string
  companyId: string
  companyKind: 'installer' | 'dealer'
}

type Of = Pick<ClaimedRule, 'installerId' | 'companyId'>

const storedRule = row<StoredRule>({
  unsoldMonths: integer,
  mailMonths: integer,
  requestDays: integer,
  keepInvoiceNames: boolean,
  version: integer,
  lastRunAt: instant,
  leadsErased: integer,
  mailsCleared: integer,
})

export const findRule = maybeOne(
  storedRule,
  ($: Params<Of>) => sql`
    select ${select(storedRule)} from retention_rules
    where installer_id = ${$.installerId} and company_id = ${$.companyId}`,
)

export async function keepsInvoiceNames(db: Db, company: Of): Promise<boolean> {
  return (await findRule(db, company))?.keepInvoiceNames ?? false
}

/** A changed rule is gone by at once: nobody waits a day for it. */
export const saveRule = run(
  ($: Params<Of & RetentionRule & { now: Date }>) => sql`
    insert into retention_rules as r (installer_id, company_id, unsold_months, mail_months, request_days,
      keep_invoice_names, claimed_until)
    values (${$.installerId}, ${$.companyId}, ${$.unsoldMonths}, ${$.mailMonths}, ${$.requestDays},
      ${$.keepInvoiceNames}, ${$.now})
    on conflict (installer_id, company_id) do update set unsold_months = excluded.unsold_months,
      mail_months = excluded.mail_months, request_days = excluded.request_days,
      keep_invoice_names = excluded.keep_invoice_names, version = r.version + 1, last_run_at = null`,
)

interface Due {
  now: Date
  /** It was not gone by since. */
  notSince: Date
}

const isDue = ($: Params<Due>) =>
  sql`claimed_until < ${$.now} and (last_run_at is null or last_run_at < ${$.notSince})
    and (unsold_months is not null or mail_months is not null or request_days is not null)`

const company = row<Of>({ installerId: text, companyId: text })

const findDue = maybeOne(
  company,
  ($: Params<Due>) => sql`
    select ${select(company)} from retention_rules where ${isDue($)}
    order by installer_id, company_id limit 1 for update skip locked`,
  { across: 'which company has a rule that is to be gone by' },
)

const claimedRule: Row<ClaimedRule> = {
  columns: { ...storedRule.columns, installerId: text, companyId: text, companyKind: text },
}

const claimDue = maybeOne(
  claimedRule,
  ($: Params<Of & Due & { until: Date }>) => sql`with claimed as (
      update retention_rules set claimed_until = ${$.until},
        leads_erased = case when last_run_at is null then leads_erased else 0 end,
        mails_cleared = case when last_run_at is null then mails_cleared else 0 end, last_run_at = null
      where installer_id = ${$.installerId} and company_id = ${$.companyId} and ${isDue($)}
      returning *
    )
    select ${select(claimedRule, 'r', { companyKind: sql`c.kind` })}
    from claimed r join companies c on c.installer_id = r.installer_id and c.id = r.company_id`,
)

/** A company's rule that was not gone by since a time, and that nobody goes by just now. */
export async function claimRule(db: Db, due: Due & { until: Date }): Promise<ClaimedRule | null> {
  for (;;) {
    const found = await findDue(db, due)
    if (!found) return null
    // Where another was quicker, it is due no more.
    const claimed = await claimDue(db, { ...found, ...due })
    if (claimed) return claimed
  }
}

interface Progress extends Of {
  version: number
  leads: number
  mails: number
  ended: boolean
  now: Date
  until: Date
}

/** Null where the rule was changed meanwhile: it is begun again. */
export const noteProgress = maybeOne(
  row<{ version: number }>({ version: integer }),
  ($: Params<Progress>) => sql`
    update retention_rules set leads_erased = leads_erased + ${$.leads}, mails_cleared = mails_cleared + ${$.mails},
      claimed_until = ${$.until},
      last_run_at = case when ${$.ended}::boolean then ${$.now}::timestamptz else last_run_at end
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and version = ${$.version} returning version`,
)

interface Old extends Of {
  before: Date
  limit: number
}

const isUnsold = ($: Params<Old>) =>
  sql`installer_id = ${$.installerId} and company_id = ${$.companyId} and updated_at < ${$.before}
    and status <> 'sold' and erased_at is null`
const isOldMail = ($: Params<Old>) =>
  sql`installer_id = ${$.installerId} and company_id = ${$.companyId} and created_at < ${$.before}
    and state <> 'queued' and cleared_at is null`
const isOldBatch = ($: Params<Old>) =>
  sql`b.installer_id = ${$.installerId} and b.last_at < ${$.before} and b.key_id in (
    select k.id from api_keys k where k.installer_id = ${$.installerId} and k.company_id = ${$.companyId})`

const idRow = row<{ id: string }>({ id: text })

/** Leads that were never sold and have not changed since. */
export const listUnsold = many(
  idRow,
  ($: Params<Old>) => sql`select id from leads where ${isUnsold($)} order by updated_at limit ${$.limit}`,
)

export const clearMails = many(
  idRow,
  ($: Params<Old & { now: Date }>) => sql`
    update mails m set body = '', last_error = null, cleared_at = ${$.now}
    where m.installer_id = ${$.installerId}
      and m.id in (select id from mails where ${isOldMail($)} order by created_at limit ${$.limit}) returning m.id`,
)

export const deleteBatches = many(
  row<{ keyId: string }>({ keyId: text }),
  ($: Params<Old>) => sql`
    delete from request_batches d using (
      select b.key_id, b.last_at, b.ordinal from request_batches b where ${isOldBatch($)} limit ${$.limit}
    ) o where d.installer_id = ${$.installerId} and d.key_id = o.key_id and d.last_at = o.last_at
      and d.ordinal = o.ordinal
    returning d.key_id as "keyId"`,
)

const oldImport = row<{ id: string; storeKey: string | null }>({ id: text, storeKey: text })

/** What imports keep of their rows, of leads among them that were never made. */
export const listOldImports = many(
  oldImport,
  ($: Params<Old>) => sql`
    select ${select(oldImport)} from imports
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and created_at < ${$.before}
      and state in ('mapping', 'checked', 'stopped', 'done', 'undone', 'failed')
      and (store_key is not null or samples <> '[]' or preview <> '[]' or problems > 0 and samples <> '[]')
    order by id limit ${$.limit}`,
)

/** How many there are of what was last changed, written or called before; counting stops at the limit. */
export const countOld = one(
  row<{ count: number }>({ count: integer }),
  ($: Params<Old & { kind: 'leads' | 'mails' | 'calls' }>) => sql`
    select count(*)::int as count from (select 1 from ${pick($.kind, {
      leads: sql`leads where ${isUnsold($)}`,
      mails: sql`mails where ${isOldMail($)}`,
      calls: sql`request_batches b where ${isOldBatch($)}`,
    })} limit ${$.limit}) old`,
)
