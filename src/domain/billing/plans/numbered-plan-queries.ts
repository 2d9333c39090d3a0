import { integer, json, type Row, row, select } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countUpTo } from '../../kernel/counted.ts'
import { maxPerPage } from '../../kernel/numbered-lists.ts'
import { isCounted } from '../../kernel/tenant/clock-queries.ts'
import type { BillingPlan, HeldMonth, PlanKind } from './plan.ts'
import { billingPlan } from './plan-queries.ts'

interface Wanted extends Pick<Scope, 'installerId' | 'companyId'> {
  kind: PlanKind | undefined
}

export type PlanWithHeld = BillingPlan & { held: HeldMonth[] }
type Counted = { total: number; changes: number | null }
const counted: Row<Counted> = { columns: { total: integer, changes: integer } }
const listedPlan: Row<PlanWithHeld & Counted> = {
  columns: { ...billingPlan.columns, held: json, ...counted.columns },
}

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

const kept = ($: Params<Wanted>) => sql`from plan_counts where installer_id = ${$.installerId}
    ${when($.companyId, sql`and company_id = ${$.companyId}`)} ${when($.kind, sql`and kind = ${$.kind}`)}`
const keptOr = ($: Params<Wanted>, otherwise: Fragment) =>
  sql`case when ${isCounted($)} then (select coalesce(sum(plans), 0) ${kept($)}) else ${otherwise} end::int as total`

// How often they changed is known only where they are counted as they change.
const countOf = (
  $: Params<Wanted>,
) => sql`select ${keptOr($, sql`(select count(*) from ${runningPlans($)})`)},
      case when ${isCounted($)} then (select coalesce(sum(changes), 0) ${kept($)}) end::bigint as changes`

export const countRunningPlans = one(counted, countOf)

/** As far as figures are counted, where their number is not kept just now. */
export const figureOfRunningPlans = one(
  row<{ total: number }>({ total: integer }),
  ($: Params<Wanted>) => sql`select ${keptOr($, countUpTo(sql`from ${runningPlans($)}`))}`,
)

/**
 * Plans that bill, with the months that they hold, and how many there are; the newest installation first. The first of
 * the page is counted down to in the index, from one that is known or from the beginning; past the end nothing is.
 */
export const listRunningPlans = many(
  listedPlan,
  ($: Params<Wanted & { before: number; from: string | null; skipped: number; limit: number }>) => {
    const id = when($.companyId, sql`i.id`, sql`p.installation_id`)
    return sql`with counted as materialized (${countOf($)}), start as materialized (
        select ${id} as id from ${runningPlans($)} ${when($.from, sql`and ${id} <= ${$.from}`)}
        order by ${id} desc offset ${$.skipped}::bigint
        limit case when ${$.before}::bigint < (select total from counted) then 1 else 0 end
      )
      select ${select(listedPlan, 'p', {
        held: sql`(select coalesce(json_agg(json_build_object('month', m.month, 'reason', m.reason) order by m.month), '[]')
        from billing_months m where m.installer_id = ${$.installerId} and m.installation_id = p.installation_id
          and m.state = 'held')`,
        total: sql`(select total from counted)`,
        changes: sql`(select changes from counted)`,
      })}
      from (
        select p.* from ${runningPlans($)} and ${id} <= (select id from start) order by ${id} desc limit ${raw(maxPerPage)}
      ) p
      order by p.installation_id desc limit ${$.limit}`
  },
)

/** Where a version before may have written without saying so. */
export const setPlansChanged = run(
  ($: Params<{ installerId: string }>) =>
    sql`update plan_counts set changes = changes + 1 where installer_id = ${$.installerId}`,
)
