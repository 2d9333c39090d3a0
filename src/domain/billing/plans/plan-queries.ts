import type { Database, Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { inOrder } from '../../../platform/sql/gather.ts'
import {
  boolean,
  day,
  decimal,
  instant,
  integer,
  json,
  type Row,
  row,
  select,
  text,
} from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { lockInstallations } from '../../sites/energy/reading-queries.ts'
import type { BillingPlan, HeldMonth } from './plan.ts'

/** The installation that is billed. */
export interface BilledInstallation {
  id: string
  companyId: string
  name: string
  address: string
  region: string
  timezone: string
}

const installation = row<BilledInstallation>({
  id: text,
  companyId: text,
  name: text,
  address: text,
  region: text,
  timezone: text,
})

type Named = Pick<Scope, 'installerId' | 'companyId'> & { id: string }
type Wanted = Named & { deletedToo: boolean }

const billedInstallationById = maybeOne(
  installation,
  ($: Params<Wanted>) => sql`select ${select(installation)} from installations
    where installer_id = ${$.installerId} and id = ${$.id} and (${$.deletedToo} or deleted_at is null)
      and (${$.companyId}::text is null or company_id = ${$.companyId})`,
)

/** `companyId` confines to one company's; null sees the whole tenant's. */
export async function findBilledInstallation(db: Db, named: Named): Promise<BilledInstallation | null> {
  return isId(named.id, 'inst') ? billedInstallationById(db, { ...named, deletedToo: false }) : null
}

/** Also one that was deleted: what was billed for it stays, and so does what is still to be billed. */
export async function findOnceBilledInstallation(db: Db, named: Named): Promise<BilledInstallation | null> {
  return isId(named.id, 'inst') ? billedInstallationById(db, { ...named, deletedToo: true }) : null
}

type Key = Pick<BillingPlan, 'installerId' | 'installationId'>

export const billingPlan = row<BillingPlan>({
  installerId: text,
  installationId: text,
  kind: text,
  rate: decimal,
  escalatorPercent: decimal,
  startDate: day,
  currency: text,
  customer: json,
  paymentTermDays: integer,
  completenessPercent: decimal,
  createdAt: instant,
  updatedAt: instant,
  endedAt: instant,
})

/** The plan of an installation, one that has ended included. */
export const findAnyPlan = maybeOne(
  billingPlan,
  ($: Params<Key>) => sql`select ${select(billingPlan)} from billing_plans
    where installer_id = ${$.installerId} and installation_id = ${$.installationId}`,
)

export async function findPlan(db: Db, key: Key): Promise<BillingPlan | null> {
  const plan = await findAnyPlan(db, key)
  return plan?.endedAt === null ? plan : null
}

const saveWritten = run(
  ($: Params<Omit<BillingPlan, 'customer'> & { customer: string }>) => sql`with before as (
      select kind, -1 as n from billing_plans
      where installer_id = ${$.installerId} and installation_id = ${$.installationId} and ended_at is null
    ), saved as (
    insert into billing_plans (installer_id, installation_id, kind, rate, escalator_percent, start_date, currency,
      customer, payment_term_days, completeness_percent, created_at, updated_at)
    values (${$.installerId}, ${$.installationId}, ${$.kind}, ${$.rate}, ${$.escalatorPercent}, ${$.startDate},
      ${$.currency}, ${$.customer}, ${$.paymentTermDays}, ${$.completenessPercent}, ${$.createdAt}, ${$.updatedAt})
    on conflict (installer_id, installation_id) do update set kind = excluded.kind, rate = excluded.rate,
      escalator_percent = excluded.escalator_percent, start_date = excluded.start_date, currency = excluded.currency,
      customer = excluded.customer, payment_term_days = excluded.payment_term_days,
      completeness_percent = excluded.completeness_percent, created_at = excluded.created_at,
      updated_at = excluded.updated_at, ended_at = null
    returning kind, 1 as n
    ), planned as (
      update installations set planned = true
      where installer_id = ${$.installerId} and id = ${$.installationId} and not planned
    )
    insert into plan_counts as c (installer_id, company_id, kind, plans, changes)
    select ${$.installerId}, i.company_id, m.kind, sum(m.n), 1
    from (select * from before union all select * from saved) m cross join (
      select company_id from installations where installer_id = ${$.installerId} and id = ${$.installationId}
    ) i
    group by i.company_id, m.kind having sum(m.n) <> 0
    on conflict (installer_id, company_id, kind) do update
      set plans = c.plans + excluded.plans, changes = c.changes + 1`,
)

export const savePlan = (tx: Db, plan: BillingPlan): Promise<void> =>
  saveWritten(tx, { ...plan, customer: JSON.stringify(plan.customer) })

export const endPlan = run(
  ($: Params<Key & { at: Date }>) => sql`with ended as (
      update billing_plans set ended_at = ${$.at}
      where installer_id = ${$.installerId} and installation_id = ${$.installationId} and ended_at is null
      returning kind
    )
    update plan_counts c set plans = c.plans - 1, changes = c.changes + 1 from ended e cross join installations i
    where c.installer_id = ${$.installerId} and c.company_id = i.company_id and c.kind = e.kind
      and i.installer_id = ${$.installerId} and i.id = ${$.installationId}`,
)

/** Of so many plans the installations are held at once. */
const atOnce = 500

const plannedAfter = many(
  row<{ id: string; planned: boolean }>({ id: text, planned: boolean }),
  ($: Params<Key>) => sql`select b.installation_id as id, (select i.planned from installations i
      where i.installer_id = ${$.installerId} and i.id = b.installation_id) as planned
    from billing_plans b where b.installer_id = ${$.installerId} and b.installation_id > ${$.installationId}
    order by b.installation_id limit ${raw(atOnce)}`,
)

const markPlanned = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`update installations set planned = true
    where installer_id = ${$.installerId} and id = any(${$.ids}::text[]) and not planned`,
)

/** Marks the installations that have a plan, or had one, and are not marked: a version before does not. */
export async function markAllPlanned(db: Database, installerId: string, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted; ) {
    const found = await plannedAfter(db, { installerId, installationId: after })
    if (found.length === 0) return
    const ids = found.filter(({ planned }) => !planned).map(({ id }) => id)
    if (ids.length > 0)
      await db.transaction(async (tx) => {
        // In the order of everybody who holds several.
        await lockInstallations(tx, installerId, ids)
        await markPlanned(tx, { installerId, ids })
      })
    after = found.at(-1)!.id
  }
}

/** Until when the months of an installation are billed, drafts included; null where none is. */
export const lastBilledDay = one(
  row<{ day: string | null }>({ day }),
  ($: Params<Key>) => sql`select max(period_end) as day from invoices
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and billing_month is not null
      and status <> 'void'`,
)

export const listHeldMonths = many(
  row<HeldMonth>({ month: day, reason: text }),
  ($: Params<Key>) => sql`select month, reason from billing_months
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and state = 'held' order by month`,
)

/** What has become of a month that a run has looked at. */
export interface LookedAt {
  month: string
  state: 'held' | 'drafted' | 'released'
  /** It has a draft that nobody changed by hand. */
  open: boolean
}

/** A plan with the installation it bills. */
export interface PlannedInstallation {
  plan: BillingPlan
  installation: BilledInstallation
}

export interface ListedPlan extends PlannedInstallation {
  months: LookedAt[]
}

const planAndInstallation: Row<BillingPlan & BilledInstallation & { months: LookedAt[] }> = {
  columns: { ...billingPlan.columns, ...installation.columns, months: json },
}
// The months come along: a look at every plan is a statement a page, and not one more for each of them.
const plansAndInstallations = sql`select ${select(billingPlan, 'p')}, ${select(installation, 'i')}, (
    select coalesce(json_agg(json_build_object('month', m.month, 'state', m.state, 'open', exists (
      select from invoices v where v.installer_id = m.installer_id and v.installation_id = m.installation_id
        and v.billing_month = m.month and v.status = 'draft' and not v.edited))), '[]')
    from billing_months m where m.installer_id = p.installer_id and m.installation_id = p.installation_id) as months
  from billing_plans p join installations i on i.installer_id = p.installer_id and i.id = p.installation_id`

const plansOfInstaller = many(
  planAndInstallation,
  ($: Params<Key & { limit: number }>) => sql`${plansAndInstallations}
    where p.installer_id = ${$.installerId} and p.installation_id > ${$.installationId}
    order by p.installer_id, p.installation_id limit ${$.limit}`,
)

const plansOfAll = many(
  planAndInstallation,
  (
    $: Params<{ afterInstaller: string; afterInstallation: string; limit: number }>,
  ) => sql`${plansAndInstallations}
    where (p.installer_id, p.installation_id) > (${$.afterInstaller}, ${$.afterInstallation})
    order by p.installer_id, p.installation_id limit ${$.limit}`,
  { across: 'the months of every installer are billed', gather: inOrder('installerId', 'installationId') },
)

/** Plans of all installers, or of one, that come after one in the order of their keys; ended ones too. */
export async function listPlansAfter(
  db: Db,
  installerId: string | null,
  after: Key,
  limit: number,
): Promise<ListedPlan[]> {
  const { installerId: afterInstaller, installationId } = after
  const found = await (installerId === null
    ? plansOfAll(db, { afterInstaller, afterInstallation: installationId, limit })
    : plansOfInstaller(db, { installerId, installationId, limit }))
  return found.map(({ id, companyId, name, address, region, timezone, months, ...plan }) => ({
    plan,
    installation: { id, companyId, name, address, region, timezone },
    months,
  }))
}
