import type { Db, Statement } from '../../../platform/db.ts'
import type { Scope } from '../../kernel/context.ts'
import { anywhere, searchForm } from '../../kernel/search-form.ts'
import type { BillingPlan } from './plan.ts'

export const planStates = ['with', 'without', 'ended'] as const
/** Whether an installation has a plan, never had one, or has one no more. */
export type PlanState = (typeof planStates)[number]

export interface InstallationPlan {
  id: string
  companyId: string
  name: string
  address: string
  plan: Omit<BillingPlan, 'installerId' | 'installationId'> | null
  unbilled: number
}

const stateConditions: Record<PlanState, string> = {
  with: 'p.kind is not null and p.ended_at is null',
  without: 'p.kind is null',
  ended: 'p.ended_at is not null',
}

export interface PlanFilters {
  state?: PlanState | undefined
  /** Part of a name, an address or a customer's name. */
  search?: string | undefined
}

type Row = Omit<InstallationPlan, 'plan'> & {
  [K in keyof NonNullable<InstallationPlan['plan']>]: NonNullable<InstallationPlan['plan']>[K] | null
}

/** Installations by name, with their plans, from behind one of them on. */
export async function listInstallationPlans(
  db: Db,
  { installerId, companyId }: Scope,
  { state, search }: PlanFilters,
  after: string | null,
  limit: number,
): Promise<InstallationPlan[]> {
  const values: unknown[] = [installerId, limit]
  const given = (value: unknown) => `$${values.push(value)}`
  const wanted = ['i.installer_id = $1']
  const shape = ['list-installation-plans']
  if (companyId !== null) {
    shape.push('company')
    wanted.push(`i.company_id = ${given(companyId)}`)
  }
  if (state) {
    shape.push(state)
    wanted.push(stateConditions[state])
  }
  if (search !== undefined) {
    shape.push('search')
    const place = given(anywhere(searchForm(search)))
    wanted.push(
      `search_form(i.name || ' ' || i.address || ' ' || coalesce(p.customer->>'name', '')) like ${place}`,
    )
  }
  if (after !== null) {
    shape.push('after')
    const place = given(after)
    wanted.push(`(i.name, i.id) > (
      (select n.name from installations n where n.installer_id = $1 and n.id = ${place}), ${place})`)
  }
  const statement: Statement = {
    name: shape.join('-by-'),
    text: `select i.id, i.company_id as "companyId", i.name, i.address, p.kind, p.rate,
        p.escalator_percent as "escalatorPercent", p.start_date as "startDate", p.currency, p.customer,
        p.payment_term_days as "paymentTermDays", p.completeness_percent as "completenessPercent", p.created_at as "createdAt", p.updated_at as "updatedAt",
        p.ended_at as "endedAt", (select count(*)::int from billing_months m
          where m.installer_id = $1 and m.installation_id = i.id and m.state <> 'drafted') as unbilled
      from installations i left join lateral (
        select * from billing_plans b where b.installer_id = $1 and b.installation_id = i.id offset 0
      ) p on true where ${wanted.join(' and ')} order by i.name, i.id limit $2`,
  }
  const rows = await db.query<Row>(statement, values)
  return rows.map(({ id, companyId, name, address, unbilled, ...plan }) => ({
    ...{ id, companyId, name, address, unbilled },
    plan: plan.kind === null ? null : (plan as InstallationPlan['plan']),
  }))
}

const ofCompany = `and exists (
    select from installations i where i.installer_id = $1 and i.id = t.installation_id and i.company_id = $2
  )`
const counts = (table: string, condition: string, confined: boolean): Statement => ({
  name: `count-${table}${confined ? '-of-company' : ''}`,
  text: `select count(*)::int as count from ${table} t
    where t.installer_id = $1 and ${condition} ${confined ? ofCompany : ''}`,
})
const running = 'ended_at is null'
const open = `state <> 'drafted'`
const planCounts = [counts('billing_plans', running, false), counts('billing_plans', running, true)] as const
const openCounts = [counts('billing_months', open, false), counts('billing_months', open, true)] as const

async function count(
  db: Db,
  [ofTenant, confined]: readonly [Statement, Statement],
  { installerId, companyId }: Scope,
): Promise<number> {
  const [row] = await (companyId === null
    ? db.query<{ count: number }>(ofTenant, [installerId])
    : db.query<{ count: number }>(confined, [installerId, companyId]))
  return row!.count
}

export const countPlans = (db: Db, scope: Scope) => count(db, planCounts, scope)
export const countUnbilled = (db: Db, scope: Scope) => count(db, openCounts, scope)

/** A month of an installation that is not billed, and why. */
export interface UnbilledMonth {
  installationId: string
  installationName: string
  /** Its first day. */
  month: string
  state: 'held' | 'released'
  reason: string | null
  at: Date
}

const unbilledStatement = (confined: boolean, goesOn: boolean): Statement => ({
  name: `list-unbilled-months${confined ? '-of-company' : ''}${goesOn ? '-after' : ''}`,
  text: `select m.installation_id as "installationId", i.name as "installationName", m.month, m.state, m.reason, m.at
    from billing_months m cross join lateral (
      select s.name, s.company_id from installations s where s.installer_id = $1 and s.id = m.installation_id offset 0
    ) i
    where m.installer_id = $1 and m.state <> 'drafted'
      ${goesOn ? 'and (m.month, m.installation_id) < ($3, $4)' : ''}
      ${confined ? 'and i.company_id = $' : ''}${confined ? (goesOn ? 5 : 3) : ''}
    order by m.month desc, m.installation_id desc limit $2`,
})

/** The newest months first, from behind one of them on. */
export function listUnbilledMonths(
  db: Db,
  { installerId, companyId }: Scope,
  after: { month: string; installationId: string } | null,
  limit: number,
): Promise<UnbilledMonth[]> {
  return db.query<UnbilledMonth>(unbilledStatement(companyId !== null, after !== null), [
    installerId,
    limit,
    ...(after ? [after.month, after.installationId] : []),
    ...(companyId === null ? [] : [companyId]),
  ])
}
