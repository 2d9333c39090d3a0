import { type Fragment, type Param, type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { severities } from '../alerts/alert.ts'

/** Yesterday's readings may come tonight, and clocks differ. */
const quietDays = 2

/** Where in the order of trouble a page begins. */
interface TroublePlace {
  installerId: string
  today: string
  afterId: string | null
  afterWorst: number | null
  afterSilentDays: number | null
  /** What it was called then. */
  afterKey: string | null
}

type Place = Params<TroublePlace>

/** From this day on, its last readings are no silence. */
const heardFrom = ({ today }: { today: Param<string> }) => sql`(${today}::date - ${raw(quietDays)})`

/** Days without readings beyond what is usual; 0 where there never were any. */
export const silentDays = ($: { today: Param<string> }, of: string): Fragment =>
  sql`coalesce(greatest(0, ${heardFrom($)} - ${raw(of)}.last_day), 0)`

/** The worst alert first, then the longest silence, then the name. */
export function byTrouble($: Place, of: string): { orderBy: Fragment; isBehind: Fragment } {
  const keys = sql`-${raw(of)}.worst, -${silentDays($, of)}, ${raw(of)}.name, ${raw(of)}.id`
  return {
    orderBy: sql`order by ${keys}`,
    isBehind: when(
      $.afterId,
      sql`and (${keys}) > (-${$.afterWorst}::int, -${$.afterSilentDays}::int, ${$.afterKey}::text, ${$.afterId})`,
    ),
  }
}

/**
 * The first installations in this order of those that are wanted, whose columns are named `i`. Of each severity those that are silent are
 * read from the index by their last day, and only where they are not enough the others, from that by name. Those before the
 * page's beginning are left out by where the index is entered.
 */
export function firstByTrouble($: Place, wanted: Fragment, limit: Fragment): Fragment {
  const place = sql`select coalesce(${$.afterWorst}::int, ${raw(severities.length + 1)}) as worst,
      coalesce(${$.afterSilentDays}::int, 0) as silent_days, ${$.afterKey}::text as name, ${$.afterId}::text as id`
  const bands = sql`select w.worst,
      case when w.worst < p.worst then '-infinity'::date when p.silent_days > 0 then ${heardFrom($)} - p.silent_days
        else 'infinity'::date end as day,
      case when w.worst = p.worst then p.name else '' end as name, case when w.worst = p.worst then p.id else '' end as id,
      w.worst = p.worst and p.silent_days = 0 as among_others, h.heard
    from (${place}) p join generate_series(0, ${raw(severities.length)}) w (worst) on w.worst <= p.worst
      cross join (values (false), (true)) h (heard)
    order by w.worst desc, h.heard`
  const silent = sql`select i.* from installations i where not b.heard and ${wanted} and i.worst = b.worst
      and i.last_day < ${heardFrom($)} and (i.last_day, i.name, i.id) > (b.day, b.name, b.id)
      order by i.last_day, i.name, i.id limit ${limit}`
  const others = sql`select i.* from installations i where b.heard and ${wanted} and i.worst = b.worst
      and (i.last_day is null or i.last_day >= ${heardFrom($)})
      and (i.name, i.id) > (case when b.among_others then b.name else '' end, case when b.among_others then b.id else '' end)
      order by i.name, i.id limit ${limit}`
  // By what comes in order already, so that the next band is read only where the ones before it are not enough.
  return sql`(select found.*, b.worst as severity, b.heard, -${silentDays($, 'found')} as silence
    from (${bands}) b cross join lateral ((${silent}) union all (${others})) found
    order by b.worst desc, b.heard, -${silentDays($, 'found')}, found.name, found.id limit ${limit})`
}

/** The order that they come in, by columns of theirs, by which the planner sees that. */
export const asFirstByTrouble = sql`order by i.severity desc, i.heard, i.silence, i.name, i.id`
