import { integer, json, type Row, row, select } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countUpTo } from '../../kernel/counted.ts'
import { isCounted } from '../../kernel/tenant/clock-queries.ts'
import type { BillingPlan, HeldMonth, PlanKind } from './plan.ts'
import { billingPlan } from './plan-queries.ts'

interface Wanted extends Pick<Scope, 'installerId' | 'companyId'> {
  kind: PlanKind | undefined
}

export type PlanWithHeld = BillingPlan & { held: HeldMonth[] }
const planWithHeld: Row<PlanWithHeld> = { columns: { ...billingPlan.columns, held: json } }

// A dealer's are found from its installations, which are few beside those of all, in the order of their index.
const runningPlans = ($: Params<Wanted>): Fragment =>
  sql`${when(
    $.companyId,
    sql`installations i cross join lateral (
      select * from billing_plans b where b.installer_id = ${$.installerId} and b.installation_id = i.id offset 0
    ) p where i.installer_id = ${$.installerId} and i.company_id = ${$.companyId}
      and p.installer_id = ${$.installerId}`,
    sql`billing_plans p where p.installer_id = ${$.installerId}`,
  )} and p.ended_at is null ${when($.kind, sql`and p.kind = ${$.kind}`)}`

const maxPerPage = 100

/** Plans that bill, with the months that they hold; the newest installation first. The first of the page is counted down to in the index. */
export const listRunningPlans = many(
  planWithHeld,
  ($: Params<Wanted & { before: number; limit: number }>) => {
    const id = when($.companyId, sql`i.id`, sql`p.installation_id`)
    return sql`with start as materialized (
        select ${id} as id from ${runningPlans($)} order by ${id} desc offset ${$.before}::bigint limit 1
      )
      select ${select(planWithHeld, 'p', {
        held: sql`(select coalesce(json_agg(json_build_object('month', m.month, 'reason', m.reason) order by m.month), '[]')
        from billing_months m where m.installer_id = ${$.installerId} and m.installation_id = p.installation_id
          and m.state = 'held')`,
      })}
      from (
        select p.* from ${runningPlans($)} and ${id} <= (select id from start) order by ${id} desc limit ${raw(maxPerPage)}
      ) p
      order by p.installation_id desc limit ${$.limit}`
  },
)

const kept = ($: Params<Wanted>, otherwise: Fragment) => sql`select case when ${isCounted($)} then (
        select coalesce(sum(plans), 0) from plan_counts where installer_id = ${$.installerId}
          ${when($.companyId, sql`and company_id = ${$.companyId}`)} ${when($.kind, sql`and kind = ${$.kind}`)})
      else ${otherwise} end::int as total`
const total = row<{ total: number }>({ total: integer })

export const countRunningPlans = one(total, ($: Params<Wanted>) =>
  kept($, sql`(select count(*) from ${runningPlans($)})`),
)

/** As far as figures are counted, where their number is not kept just now. */
export const figureOfRunningPlans = one(total, ($: Params<Wanted>) =>
  kept($, countUpTo(sql`from ${runningPlans($)}`)),
)
