import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { BillingPlan, HeldMonth } from './plan.ts'

/** The installation that is billed. */
export interface Site {
  id: string
  companyId: string
  name: string
  address: string
  region: string
  timezone: string
}

const siteStatement: Statement = {
  name: 'find-billed-installation',
  text: `select id, company_id as "companyId", name, address, region, timezone from installations
    where installer_id = $1 and id = $2 and ($3::text is null or company_id = $3)`,
}

export async function findSite(
  db: Db,
  installerId: string,
  companyId: string | null,
  id: string,
): Promise<Site | null> {
  if (!isId(id, 'inst')) return null
  const [row] = await db.query<Site>(siteStatement, [installerId, id, companyId])
  return row ?? null
}

const planColumns = `p.installer_id as "installerId", p.installation_id as "installationId", p.kind, p.rate,
  p.escalator_percent as "escalatorPercent", p.start_date as "startDate", p.currency, p.customer,
  p.payment_term_days as "paymentTermDays",
  p.completeness_percent as "completenessPercent", p.created_at as "createdAt", p.updated_at as "updatedAt",
  p.ended_at as "endedAt"`

const findStatement: Statement = {
  name: 'find-billing-plan',
  text: `select ${planColumns} from billing_plans p where p.installer_id = $1 and p.installation_id = $2`,
}

/** The plan of an installation, one that has ended included. */
export async function findAnyPlan(
  db: Db,
  installerId: string,
  installationId: string,
): Promise<BillingPlan | null> {
  const [row] = await db.query<BillingPlan>(findStatement, [installerId, installationId])
  return row ?? null
}

export async function findPlan(
  db: Db,
  installerId: string,
  installationId: string,
): Promise<BillingPlan | null> {
  const plan = await findAnyPlan(db, installerId, installationId)
  return plan?.endedAt === null ? plan : null
}

const saveStatement: Statement = {
  name: 'save-billing-plan',
  text: `insert into billing_plans (installer_id, installation_id, kind, rate, escalator_percent, start_date, currency,
      customer, payment_term_days, completeness_percent, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $12, $10, $11)
    on conflict (installer_id, installation_id) do update set kind = excluded.kind, rate = excluded.rate,
      escalator_percent = excluded.escalator_percent, start_date = excluded.start_date, currency = excluded.currency,
      customer = excluded.customer, payment_term_days = excluded.payment_term_days,
      completeness_percent = excluded.completeness_percent, created_at = excluded.created_at,
      updated_at = excluded.updated_at, ended_at = null`,
}

export async function savePlan(tx: Db, plan: BillingPlan): Promise<void> {
  await tx.query(saveStatement, [
    plan.installerId,
    plan.installationId,
    plan.kind,
    plan.rate,
    plan.escalatorPercent,
    plan.startDate,
    plan.currency,
    JSON.stringify(plan.customer),
    plan.paymentTermDays,
    plan.createdAt,
    plan.updatedAt,
    plan.completenessPercent,
  ])
}

const endStatement: Statement = {
  name: 'end-billing-plan',
  text: 'update billing_plans set ended_at = $3 where installer_id = $1 and installation_id = $2 and ended_at is null',
}

export async function endPlan(tx: Db, { installerId, installationId }: BillingPlan, at: Date): Promise<void> {
  await tx.query(endStatement, [installerId, installationId, at])
}

const billedStatement: Statement = {
  name: 'last-billed-day',
  text: `select max(period_end) as day from invoices
    where installer_id = $1 and installation_id = $2 and billing_month is not null and status <> 'void'`,
}

/** Until when the months of an installation are billed, drafts included; null where none is. */
export async function lastBilledDay(
  tx: Db,
  { installerId, installationId }: BillingPlan,
): Promise<string | null> {
  const [row] = await tx.query<{ day: string | null }>(billedStatement, [installerId, installationId])
  return row!.day
}

const heldStatement: Statement = {
  name: 'list-held-months',
  text: `select month, reason from billing_months
    where installer_id = $1 and installation_id = $2 and state = 'held' order by month`,
}

export function listHeldMonths(db: Db, installerId: string, installationId: string): Promise<HeldMonth[]> {
  return db.query<HeldMonth>(heldStatement, [installerId, installationId])
}

/** A plan with the installation it bills. */
export interface PlannedSite {
  plan: BillingPlan
  site: Site
}

const siteColumns = `i.id, i.company_id as "companyId", i.name, i.address, i.region, i.timezone`
const afterStatement = (ofInstaller: boolean): Statement => ({
  name: `list-billing-plans${ofInstaller ? '-of-installer' : ''}`,
  text: `select ${planColumns}, ${siteColumns} from billing_plans p
      join installations i on i.installer_id = p.installer_id and i.id = p.installation_id
    where (p.installer_id, p.installation_id) > ($1, $2)${ofInstaller ? ' and p.installer_id = $4' : ''}
    order by p.installer_id, p.installation_id limit $3`,
})
const ofAll = afterStatement(false)
const ofOne = afterStatement(true)

/** Plans of all installers, or of one, that come after one in the order of their keys; ended ones too. */
export async function listPlansAfter(
  db: Db,
  installerId: string | null,
  after: readonly [installerId: string, installationId: string],
  limit: number,
): Promise<PlannedSite[]> {
  const values = [...after, limit]
  const rows = await (installerId === null
    ? db.query<BillingPlan & Site>(ofAll, values)
    : db.query<BillingPlan & Site>(ofOne, [...values, installerId]))
  return rows.map(({ id, companyId, name, address, region, timezone, ...plan }) => ({
    plan,
    site: { id, companyId, name, address, region, timezone },
  }))
}
