import type { Db } from '../../../platform/db.ts'
import { day, instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countUpTo } from '../../kernel/counted.ts'
import { anywhere, searchForm } from '../../kernel/search-form.ts'
import type { BillingPlan } from './plan.ts'
import { billingPlan } from './plan-queries.ts'

export const planStates = ['with', 'without', 'ended'] as const
/** Whether an installation has a plan, never had one, or has one no more. */
export type PlanState = (typeof planStates)[number]

type Terms = Omit<BillingPlan, 'installerId' | 'installationId'>

export interface InstallationPlan {
  id: string
  companyId: string
  name: string
  address: string
  plan: Terms | null
  unbilled: number
}

export interface PlanFilters {
  state?: PlanState | undefined
  /** Part of a name, an address or a customer's name. */
  search?: string | undefined
}

type RecordScope = Pick<Scope, 'installerId' | 'companyId'>

interface Wanted extends RecordScope {
  state: PlanState | 'any'
  pattern: string | undefined
  after: string | null
  limit: number
}

type BilledInstallation = Omit<InstallationPlan, 'plan' | 'unbilled'>
const installation = row<BilledInstallation>({ id: text, companyId: text, name: text, address: text })
const { installerId: _installer, installationId: _installation, ...ofPlan } = billingPlan.columns
const terms: Row<Terms> = { columns: ofPlan }
const listed: Row<BilledInstallation & { unbilled: number } & { [K in keyof Terms]: Terms[K] | null }> = {
  columns: { ...installation.columns, ...terms.columns, unbilled: integer },
}

const pageOfInstallations = many(
  listed,
  ($: Params<Wanted>) => sql`
    select ${select(installation, 'i')}, ${select(terms, 'p')}, (select count(*)::int from billing_months m
        where m.installer_id = ${$.installerId} and m.installation_id = i.id and m.state <> 'drafted') as unbilled
    from installations i left join lateral (
      select * from billing_plans b where b.installer_id = ${$.installerId} and b.installation_id = i.id offset 0
    ) p on true
    where i.installer_id = ${$.installerId} ${when($.companyId, sql`and i.company_id = ${$.companyId}`)}
      ${pick($.state, {
        any: sql``,
        with: sql`and p.kind is not null and p.ended_at is null`,
        without: sql`and p.kind is null`,
        ended: sql`and p.ended_at is not null`,
      })}
      ${when(
        $.pattern,
        sql`and search_form(i.name || ' ' || i.address || ' ' || coalesce(p.customer->>'name', '')) like ${$.pattern}`,
      )}
      ${when(
        $.after,
        sql`and (i.name, i.id) > ((select n.name from installations n
          where n.installer_id = ${$.installerId} and n.id = ${$.after}), ${$.after})`,
      )}
    order by i.name, i.id limit ${$.limit}`,
)

/** Installations by name, with their plans, from behind one of them on. */
export async function listInstallationPlans(
  db: Db,
  wanted: RecordScope & PlanFilters & { after: string | null; limit: number },
): Promise<InstallationPlan[]> {
  const { state = 'any', search } = wanted
  const pattern = search === undefined ? undefined : anywhere(searchForm(search))
  const found = await pageOfInstallations(db, { ...wanted, state, pattern })
  return found.map(({ id, companyId, name, address, unbilled, ...plan }) => ({
    ...{ id, companyId, name, address, unbilled },
    plan: plan.kind === null ? null : (plan as Terms),
  }))
}

/** As far as is counted. */
const countOf = (table: string, condition: string) =>
  one(
    row<{ count: number }>({ count: integer }),
    ($: Params<RecordScope>) =>
      sql`select ${countUpTo(sql`from ${raw(table)} t
      where t.installer_id = ${$.installerId} and ${raw(condition)} ${when(
        $.companyId,
        sql`and exists (
          select from installations i
          where i.installer_id = ${$.installerId} and i.id = t.installation_id and i.company_id = ${$.companyId}
        )`,
      )}`)} as count`,
  )

export const countPlans = countOf('billing_plans', 'ended_at is null')
export const countUnbilled = countOf('billing_months', `state <> 'drafted'`)

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

const unbilledMonth = row<UnbilledMonth>({
  installationId: text,
  installationName: text,
  month: day,
  state: text,
  reason: text,
  at: instant,
})

/** The newest months first, from behind one of them on. */
export const listUnbilledMonths = many(
  unbilledMonth,
  ($: Params<RecordScope & { afterMonth: string | null; afterId: string | null; limit: number }>) => sql`
    select ${select(unbilledMonth, 'm', { installationName: sql`i.name` })}
    from billing_months m cross join lateral (
      select s.name, s.company_id from installations s
      where s.installer_id = ${$.installerId} and s.id = m.installation_id offset 0
    ) i
    where m.installer_id = ${$.installerId} and m.state <> 'drafted'
      ${when($.afterId, sql`and (m.month, m.installation_id) < (${$.afterMonth}, ${$.afterId})`)}
      ${when($.companyId, sql`and i.company_id = ${$.companyId}`)}
    order by m.month desc, m.installation_id desc limit ${$.limit}`,
)
