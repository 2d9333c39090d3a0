import type { Db, Statement } from '../../../platform/db.ts'
import type { RetentionRule } from './retention.ts'

export interface StoredRule extends RetentionRule {
  version: number
  lastRunAt: Date | null
  leadsErased: number
  mailsCleared: number
}

const columns = `unsold_months as "unsoldMonths", mail_months as "mailMonths", request_days as "requestDays",
  keep_invoice_names as "keepInvoiceNames", version, last_run_at as "lastRunAt", leads_erased as "leadsErased",
  mails_cleared as "mailsCleared"`

const findStatement: Statement = {
  name: 'find-retention-rule',
  text: `select ${columns} from retention_rules where installer_id = $1 and company_id = $2`,
}

export async function findRule(db: Db, installerId: string, companyId: string): Promise<StoredRule | null> {
  const [row] = await db.query<StoredRule>(findStatement, [installerId, companyId])
  return row ?? null
}

export async function keepsInvoiceNames(db: Db, installerId: string, companyId: string): Promise<boolean> {
  return (await findRule(db, installerId, companyId))?.keepInvoiceNames ?? false
}

const saveStatement: Statement = {
  name: 'save-retention-rule',
  text: `insert into retention_rules as r (installer_id, company_id, unsold_months, mail_months, request_days, keep_invoice_names, claimed_until)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (installer_id, company_id) do update set unsold_months = excluded.unsold_months,
      mail_months = excluded.mail_months, request_days = excluded.request_days,
      keep_invoice_names = excluded.keep_invoice_names, version = r.version + 1, last_run_at = null`,
}

/** A changed rule is gone by at once: nobody waits a day for it. */
export async function saveRule(
  tx: Db,
  installerId: string,
  companyId: string,
  rule: RetentionRule,
  now: Date,
): Promise<void> {
  const { unsoldMonths, mailMonths, requestDays, keepInvoiceNames } = rule
  await tx.query(saveStatement, [
    installerId,
    companyId,
    unsoldMonths,
    mailMonths,
    requestDays,
    keepInvoiceNames,
    now.toISOString(),
  ])
}

export interface ClaimedRule extends StoredRule {
  installerId: string
  companyId: string
  companyKind: 'installer' | 'dealer'
}

const claimStatement: Statement = {
  name: 'claim-retention-rule',
  text: `with claimed as (
      update retention_rules set claimed_until = $2,
        leads_erased = case when last_run_at is null then leads_erased else 0 end,
        mails_cleared = case when last_run_at is null then mails_cleared else 0 end, last_run_at = null
      where (installer_id, company_id) = (select installer_id, company_id from retention_rules
        where claimed_until < $1 and (last_run_at is null or last_run_at < $3)
          and (unsold_months is not null or mail_months is not null or request_days is not null)
        order by installer_id, company_id limit 1 for update skip locked)
      returning *
    )
    select r.installer_id as "installerId", r.company_id as "companyId", c.kind as "companyKind", ${columns}
    from claimed r join companies c on c.id = r.company_id`,
}

/** A company's rule that was not gone by since a time, and that nobody goes by just now. */
export async function claimRule(db: Db, now: Date, until: Date, notSince: Date): Promise<ClaimedRule | null> {
  const [row] = await db.query<ClaimedRule>(claimStatement, [
    now.toISOString(),
    until.toISOString(),
    notSince.toISOString(),
  ])
  return row ?? null
}

type Of = Pick<ClaimedRule, 'installerId' | 'companyId'>

const progressStatement: Statement = {
  name: 'retention-progress',
  text: `update retention_rules set leads_erased = leads_erased + $3, mails_cleared = mails_cleared + $4, claimed_until = $5,
      last_run_at = case when $6::boolean then $7::timestamptz else last_run_at end
    where installer_id = $1 and company_id = $2 and version = $8 returning version`,
}

/** False where the rule was changed meanwhile: it is begun anew. */
export async function noteProgress(
  db: Db,
  { installerId, companyId, version }: Of & { version: number },
  done: { leads?: number; mails?: number; ended?: boolean },
  now: Date,
  until: Date,
): Promise<boolean> {
  const rows = await db.query(progressStatement, [
    installerId,
    companyId,
    done.leads ?? 0,
    done.mails ?? 0,
    until.toISOString(),
    done.ended ?? false,
    now.toISOString(),
    version,
  ])
  return rows.length > 0
}

const unsold = `company_id = $2 and updated_at < $3 and status <> 'sold' and erased_at is null`
const unsoldStatement: Statement = {
  name: 'unsold-leads-before',
  text: `select id from leads where installer_id = $1 and ${unsold} order by updated_at limit $4`,
}
const countUnsoldStatement: Statement = {
  name: 'count-unsold-leads-before',
  text: `select count(*)::int as count from (select 1 from leads where installer_id = $1 and ${unsold} limit $4) l`,
}

/** Leads that were never sold and have not changed since. */
export async function listUnsold(db: Db, { installerId, companyId }: Of, before: Date, limit: number) {
  const rows = await db.query<{ id: string }>(unsoldStatement, [installerId, companyId, before, limit])
  return rows.map(({ id }) => id)
}

const oldMails = `company_id = $2 and created_at < $3 and state <> 'queued' and cleared_at is null`
const clearMailsStatement: Statement = {
  name: 'clear-old-mails',
  text: `update mails m set body = '', last_error = null, cleared_at = $5
    where m.installer_id = $1 and m.id in (select id from mails where installer_id = $1 and ${oldMails} order by created_at limit $4) returning m.id`,
}
const countMailsStatement: Statement = {
  name: 'count-old-mails',
  text: `select count(*)::int as count from (select 1 from mails where installer_id = $1 and ${oldMails} limit $4) m`,
}

export async function clearMails(
  db: Db,
  { installerId, companyId }: Of,
  before: Date,
  limit: number,
  now: Date,
): Promise<number> {
  const rows = await db.query(clearMailsStatement, [installerId, companyId, before, limit, now.toISOString()])
  return rows.length
}

const oldBatches = `b.last_at < $3
  and b.key_id in (select k.id from api_keys k where k.installer_id = $1 and k.company_id = $2)`
const dropBatchesStatement: Statement = {
  name: 'drop-old-request-batches',
  text: `delete from request_batches d using (
      select b.key_id, b.last_at, b.ordinal from request_batches b where b.installer_id = $1 and ${oldBatches} limit $4
    ) o where d.installer_id = $1 and d.key_id = o.key_id and d.last_at = o.last_at and d.ordinal = o.ordinal
    returning d.key_id`,
}
const countBatchesStatement: Statement = {
  name: 'count-old-request-batches',
  text: `select count(*)::int as count from (select 1 from request_batches b where b.installer_id = $1 and ${oldBatches} limit $4) b`,
}

export async function dropBatches(db: Db, { installerId, companyId }: Of, before: Date, limit: number) {
  return (await db.query(dropBatchesStatement, [installerId, companyId, before, limit])).length
}

const oldImports = `company_id = $2 and created_at < $3
  and state in ('mapping', 'checked', 'stopped', 'done', 'undone', 'failed')
  and (store_key is not null or samples <> '[]' or preview <> '[]' or problems > 0 and samples <> '[]')`
const importsStatement: Statement = {
  name: 'old-imports-with-rows',
  text: `select id, store_key as "storeKey" from imports where installer_id = $1 and ${oldImports} order by id limit $4`,
}

/** What imports keep of their rows, of leads among them that were never made. */
export function listOldImports(
  db: Db,
  { installerId, companyId }: Of,
  before: Date,
  limit: number,
): Promise<{ id: string; storeKey: string | null }[]> {
  return db.query(importsStatement, [installerId, companyId, before, limit])
}

const counts = { leads: countUnsoldStatement, mails: countMailsStatement, calls: countBatchesStatement }

/** How many there are of what was last changed, written or called before; counting stops at `most`. */
export async function countOld(
  db: Db,
  kind: keyof typeof counts,
  { installerId, companyId }: Of,
  before: Date,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(counts[kind], [installerId, companyId, before, most])
  return row!.count
}
