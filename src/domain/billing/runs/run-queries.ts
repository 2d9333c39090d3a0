import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Decimal } from '../../deals/leads/lead.ts'
import type { Actor, Reach } from '../../kernel/context.ts'
import type { MonthOutcome } from '../months/bill-month.ts'
import { type BillingRun, type RunOutcome, runOutcome } from './run.ts'

const columns = `r.installer_id as "installerId", r.id, r.company_id as "companyId", r.month, r.state, r.plans,
  r.actor_name as "actorName", r.created_at as "createdAt", r.ended_at as "endedAt"`

const insertStatement: Statement = {
  name: 'insert-billing-run',
  text: `insert into billing_runs (installer_id, id, company_id, month, state, plans, actor_id, actor_name,
      claimed_until, created_at)
    values ($1, $2, $3, $4, 'running', $5, $6, $7, $8, $8)
    on conflict (installer_id, company_id) where state = 'running' do nothing returning id`,
}

/** False where one of the company's is under way. */
export async function insertRun(tx: Db, run: BillingRun, { id, name }: Actor): Promise<boolean> {
  const { installerId, companyId, month, plans, createdAt } = run
  const values = [installerId, run.id, companyId, month, plans, id, name, createdAt]
  return (await tx.query(insertStatement, values)).length > 0
}

const underWayStatement: Statement = {
  name: 'find-billing-run-under-way',
  text: `select ${columns} from billing_runs r
    where r.installer_id = $1 and r.company_id = $2 and r.state = 'running'`,
}

export async function findRunUnderWay(db: Db, { installerId, companyId }: Actor): Promise<BillingRun | null> {
  const [row] = await db.query<BillingRun>(underWayStatement, [installerId, companyId])
  return row ?? null
}

const claimStatement: Statement = {
  name: 'claim-billing-run',
  text: `update billing_runs r set claimed_until = $2 where (r.installer_id, r.id) = (
      select installer_id, id from billing_runs where state = 'running' and claimed_until <= $1
      order by claimed_until limit 1 for update skip locked
    ) returning ${columns}`,
}

/** Takes up one that nobody works on, of any tenant. */
export async function claimRun(db: Db, now: Date, until: Date): Promise<BillingRun | null> {
  const [row] = await db.query<BillingRun>(claimStatement, [now, until])
  return row ?? null
}

const keepStatement: Statement = {
  name: 'keep-billing-run',
  text: `update billing_runs set claimed_until = $3 where installer_id = $1 and id = $2 and state = 'running'`,
}

export async function keepRun(db: Db, { installerId, id }: BillingRun, until: Date): Promise<void> {
  await db.query(keepStatement, [installerId, id, until])
}

const endStatement: Statement = {
  name: 'end-billing-run',
  text: `update billing_runs set state = 'done', ended_at = $3
    where installer_id = $1 and id = $2 and state = 'running'`,
}

export async function endRun(db: Db, { installerId, id }: BillingRun, at: Date): Promise<void> {
  await db.query(endStatement, [installerId, id, at])
}

const reachedStatement: Statement = {
  name: 'billing-run-reached',
  text: `select coalesce(max(installation_id), '') as id from billing_run_outcomes
    where installer_id = $1 and run_id = $2`,
}

/** The last installation that it has looked at; an empty text where it has not begun. */
export async function reachedBy(db: Db, { installerId, id }: BillingRun): Promise<string> {
  const [row] = await db.query<{ id: string }>(reachedStatement, [installerId, id])
  return row!.id
}

const outcomeStatement: Statement = {
  name: 'insert-billing-run-outcome',
  text: `insert into billing_run_outcomes (installer_id, run_id, installation_id, outcome, invoice_id, amount_due,
      currency, detail)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (installer_id, run_id, installation_id) do nothing`,
}

export async function insertOutcome(
  db: Db,
  { installerId, id }: BillingRun,
  outcome: MonthOutcome,
  currency: string,
): Promise<void> {
  const { installationId, invoiceId, amountDue, detail } = outcome
  const values = [
    installerId,
    id,
    installationId,
    runOutcome(outcome),
    invoiceId,
    amountDue,
    currency,
    detail,
  ]
  await db.query(outcomeStatement, values)
}

const seen = '($2::text is null or r.company_id = $2)'
const findStatement: Statement = {
  name: 'find-billing-run',
  text: `select ${columns} from billing_runs r where r.installer_id = $1 and ${seen} and r.id = $3`,
}

export async function findRun(
  db: Db,
  { installerId, companyId }: Reach,
  id: string,
): Promise<BillingRun | null> {
  if (!isId(id, 'brun')) return null
  const [row] = await db.query<BillingRun>(findStatement, [installerId, companyId, id])
  return row ?? null
}

const listStatement: Statement = {
  name: 'list-billing-runs',
  text: `select ${columns} from billing_runs r where r.installer_id = $1 and ${seen} order by r.id desc limit $3`,
}

/** The last ones, the newest first. */
export function listRuns(db: Db, { installerId, companyId }: Reach, limit: number): Promise<BillingRun[]> {
  return db.query<BillingRun>(listStatement, [installerId, companyId, limit])
}

const countStatement: Statement = {
  name: 'count-billing-run-outcomes',
  text: `select outcome, count(*)::int as count from billing_run_outcomes
    where installer_id = $1 and run_id = $2 group by outcome`,
}

export function countOutcomes(
  db: Db,
  { installerId, id }: BillingRun,
): Promise<{ outcome: RunOutcome; count: number }[]> {
  return db.query(countStatement, [installerId, id])
}

export interface OutcomeRow {
  installationId: string
  installationName: string
  outcome: RunOutcome
  invoiceId: string | null
  amountDue: Decimal | null
  currency: string
  detail: string | null
}

const outcomes = (ofOne: boolean): Statement => ({
  name: `list-billing-run-outcomes${ofOne ? '-by-outcome' : ''}`,
  text: `select o.installation_id as "installationId", i.name as "installationName", o.outcome,
      o.invoice_id as "invoiceId", o.amount_due as "amountDue", o.currency, o.detail
    from (
      select * from billing_run_outcomes o where o.installer_id = $1 and o.run_id = $2
        and o.installation_id > $3${ofOne ? ' and o.outcome = $5' : ''} order by o.installation_id limit $4
    ) o cross join lateral (
      select s.name from installations s where s.installer_id = $1 and s.id = o.installation_id offset 0
    ) i order by o.installation_id`,
})
const everyOutcome = outcomes(false)
const oneOutcome = outcomes(true)

export function listOutcomes(
  db: Db,
  { installerId, id }: BillingRun,
  outcome: RunOutcome | undefined,
  after: string,
  limit: number,
): Promise<OutcomeRow[]> {
  const values = [installerId, id, after, limit]
  return outcome === undefined
    ? db.query<OutcomeRow>(everyOutcome, values)
    : db.query<OutcomeRow>(oneOutcome, [...values, outcome])
}
