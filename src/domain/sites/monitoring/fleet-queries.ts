import type { Db } from '../../../platform/db.ts'
import { boolean, float, integer, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import {
  empty,
  type Fragment,
  type Param,
  type Params,
  pick,
  raw,
  sql,
  when,
} from '../../../platform/sql/sql.ts'
import { many, one, scalar } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { type Figure, figureAmong, lookedAtFirst } from '../../kernel/counted.ts'
import { anywhere, anywhereLongest, searchForm } from '../../kernel/search-form.ts'
import { type Sorting, sorted } from '../../kernel/sorting.ts'
import type { AlertType } from '../alerts/alert.ts'
import { areLookedFor, installationsOf, isOnItsProject, isOnMany } from '../installations/own-queries.ts'
import { byTrouble, firstByTrouble, silentDays } from './trouble-order.ts'

/** Which installations are wanted. */
export interface FleetFilters {
  region?: string | undefined
  /** Those with an open alert of this kind. */
  kind?: AlertType | undefined
  /** Part of a name or an address. */
  search?: string | undefined
}

/** Those in trouble first, by name, or the largest first. */
export const fleetOrders = ['trouble', 'name', 'size'] as const
export type FleetSorting = Sorting<(typeof fleetOrders)[number]>

/** Where in the list one is: behind this installation, as it stood then. */
export type FleetPlace = { id: string } & ({ worst: number; silentDays: number } | { key: string })

export interface FleetRow {
  id: string
  name: string
  address: string
  region: string
  companyId: string
  panelCount: number
  capacityKw: number
  /** The worst open alert: its place among the severities from 1; 0 where there is none. */
  worst: number
  alerts: number
  kinds: AlertType[]
  /** Days without readings beyond what is usual; 0 where there never were any. */
  silentDays: number
  lastDay: string | null
  /** Its size as exactly as it is kept. */
  size: string
  /** The days of the spark line that have readings: how many days ago, and what was made. */
  made: string
}

export const sparkDays = 30

const fleetRow = row<FleetRow>({
  id: text,
  name: text,
  address: text,
  region: text,
  companyId: text,
  panelCount: integer,
  capacityKw: float,
  worst: integer,
  alerts: integer,
  kinds: texts,
  silentDays: integer,
  lastDay: text,
  size: text,
  made: text,
})

const size = sql`coalesce(i.capacity_kw, i.panels_kw)`

type RecordScope = Pick<Scope, 'installerId' | 'companyId' | 'memberId'>

/** So many of the first in an order are looked through for what is wanted, and what so few have is put in order. */
const few = 2_000
/** Of a kind of alert by name or size fewer: among those in trouble, more than that are soon met along the order. */
const fewOfKind = 200

interface FleetQuery extends RecordScope, FleetSorting, Omit<FleetFilters, 'search'> {
  pattern: string | undefined
  /** What holds the longest word of the pattern. */
  word: string | undefined
  /**
   * Along the order; among its first; or by putting in order what a member is on, or what a word, a company, a region or a
   * kind of alert leaves.
   */
  way: 'order' | 'first' | 'own' | 'words' | 'company' | 'region' | 'kind'
  today: string
  limit: number
  afterId: string | null
  /** Of the order by trouble, */
  afterWorst: number | null
  afterSilentDays: number | null
  /** or of the others. */
  afterKey: string | null
}

const inOrderOf = ($: Params<FleetQuery>, name: Fragment, size: Fragment, id: Fragment) => {
  const { by, reversed, afterKey, afterId } = $
  return sorted(
    {
      name: { key: name, type: 'text', descending: false },
      size: { key: size, type: 'numeric', descending: true },
    },
    id,
    { by: by as Param<'name' | 'size'>, reversed, afterKey, afterId },
  )
}

const isOwn = ($: Params<FleetQuery>) =>
  sql`i.installer_id = ${$.installerId} and i.deleted_at is null ${when($.companyId, sql`and i.company_id = ${$.companyId}`)}`

const orderOf = ($: Params<FleetQuery>, trouble: Fragment, other: Fragment) =>
  pick($.by, { trouble, name: other, size: other })

/** The first in the order behind the page's beginning, from its index; of a kind of alert, from that of those in trouble. */
const firstOf = ($: Params<FleetQuery>, all: Fragment, limit: Fragment) => {
  const along = inOrderOf($, sql`i.name`, size, sql`i.id`)
  const wanted = sql`${all} ${when($.kind, sql`and i.worst > 0`)}`
  return orderOf(
    $,
    firstByTrouble($, wanted, limit),
    sql`(select *, ${size} as size_of from installations i where ${wanted} ${along.isBehind} ${along.orderBy} limit ${limit})`,
  )
}

// A page is picked by its order before anything else: what is kept beside each installation tells its trouble, and only of the
// page's own are alerts and days looked up, each by its index: joins may be planned as loops over all of them.
const pageOfFleet = many(fleetRow, ($: Params<FleetQuery>) => {
  const along = inOrderOf($, sql`i.name`, size, sql`i.id`)
  const trouble = byTrouble($, 'i')

  const own = isOwn($)
  const all = sql`select * from installations i where i.installer_id = ${$.installerId} and i.deleted_at is null`
  const some = pick($.way, {
    order: sql`installations`,
    first: firstOf($, own, raw(few)),
    own: installationsOf($),
    words: sql`(${all} and search_form(i.name || ' ' || i.address) like ${$.word} offset 0)`,
    // There are no more than the limit: it tells the planner, which would read the whole table for a company or a region.
    company: sql`(select * from installations i where ${own} order by i.id limit ${raw(few)})`,
    region: sql`(${all} ${when($.companyId, sql`and i.company_id = ${$.companyId}`)} and i.region = ${$.region} order by i.id limit ${raw(few)})`,
    kind: sql`(select s.* from (
        select distinct a.installation_id from alerts a where a.installer_id = ${$.installerId} and a.type = ${$.kind}
          and a.status = any(array['active', 'acknowledged'])
      ) k cross join lateral (${all} and i.id = k.installation_id offset 0) s)`,
  })
  const hasKind = sql`exists (select from alerts a where a.installer_id = ${$.installerId} and a.installation_id = i.id
    and a.status <> 'resolved' and a.type = ${$.kind})`
  // Asked for each by itself: joined, all projects could be read.
  const isOn = when($.memberId, sql`and (select ${isOnItsProject($)})`)
  const isTheirs = pick($.way, {
    own: empty,
    ...{ order: isOn, first: isOn, words: isOn, company: isOn, region: isOn, kind: isOn },
  })
  const wanted = sql`${own} ${isTheirs} ${when($.region, sql`and i.region = ${$.region}`)}
    ${when($.pattern, sql`and search_form(i.name || ' ' || i.address) like ${$.pattern}`)} ${when($.kind, sql`and ${hasKind}`)}`
  const sortedOf = (installations: Fragment, by = along) =>
    sql`(select * from ${installations} i where ${wanted} ${orderOf($, trouble.isBehind, by.isBehind)}
      ${orderOf($, trouble.orderBy, by.orderBy)} limit ${$.limit})`
  // By the size as a column, by which the planner sees that they are in order already, and reads no further than a page goes.
  const amongFirst = sortedOf(some, inOrderOf($, sql`i.name`, sql`i.size_of`, sql`i.id`))
  const alongOrder = firstOf($, wanted, sql`${$.limit}`)
  const others = sortedOf(some)
  const page = pick($.way, {
    order: alongOrder,
    ...{ first: amongFirst, own: others, words: others, company: others, region: others, kind: others },
  })
  const ofPage = inOrderOf($, sql`page.name`, sql`page.size::numeric`, sql`page.id`)

  return sql`select ${select(fleetRow, 'page', { lastDay: sql`page.last_day::text`, made: sql`coalesce(spark.made, '')` })}
    from (
      select i.id, i.name, i.address, i.region, i.company_id, i.panel_count, ${size}::float8 as capacity_kw,
        ${size}::text as size, i.worst, open.alerts, coalesce(open.kinds, '{}') as kinds, i.last_day,
        ${silentDays($, 'i')} as silent_days
      from ${page} i cross join lateral (
        select count(*)::int as alerts, array_agg(distinct a.type) as kinds from alerts a
        where a.installer_id = ${$.installerId} and a.installation_id = i.id and a.status <> 'resolved'
      ) open
    ) page cross join lateral (
      select string_agg((${$.today}::date - d.day) || ':' || d.microkwh, ' ') as made from installation_days d
      where d.installer_id = ${$.installerId} and d.installation_id = page.id
        and d.day between ${$.today}::date - ${raw(sparkDays)} and ${$.today}::date - 1
    ) spark
    ${orderOf($, byTrouble($, 'page').orderBy, ofPage.orderBy)}`
})

/** Whether there are more in an order than are looked through. */
const goesOn = one(
  row<{ further: boolean }>({ further: boolean }),
  ($: Params<FleetQuery>) =>
    sql`select exists (select from ${firstOf($, isOwn($), raw(few + 1))} i offset ${raw(few)}) as further`,
)

/** How many installations the company and the region have, and how many open alerts there are of a kind. */
const countWanted = one(
  row<{ inCompany: number; inRegion: number; ofKind: number }>({
    inCompany: integer,
    inRegion: integer,
    ofKind: integer,
  }),
  ($: Params<Pick<FleetQuery, 'installerId' | 'companyId' | 'region' | 'kind'>>) => sql`
    select c.*, (select coalesce(sum(alerts), 0)::int from alert_counts where installer_id = ${$.installerId}
        and status <> 'resolved' and type = ${$.kind}) as "ofKind"
    from (select coalesce(sum(installations), 0)::int as "inCompany",
        coalesce(sum(installations) filter (where region = ${$.region}), 0)::int as "inRegion"
      from installation_counts where installer_id = ${$.installerId}
        ${when($.companyId, sql`and company_id = ${$.companyId}`)}) c`,
)

export interface FleetPage extends RecordScope, FleetFilters, FleetSorting {
  today: string
  after: FleetPlace | null
  limit: number
}

/** The next installations in an order; that of their trouble is the worst alert, the longest silence, the name. */
export async function listFleet(
  db: Db,
  { search, after, ...wanted }: FleetPage,
  mostOfMember?: number,
): Promise<FleetRow[]> {
  const form = search === undefined ? undefined : searchForm(search)
  const page = (way: FleetQuery['way']) => pageOfFleet(db, { ...query, way })
  const query: Omit<FleetQuery, 'way'> = {
    ...wanted,
    pattern: form === undefined ? undefined : anywhere(form),
    word: form === undefined ? undefined : anywhereLongest(form),
    afterId: after?.id ?? null,
    afterWorst: after && 'worst' in after ? after.worst : null,
    afterSilentDays: after && 'worst' in after ? after.silentDays : null,
    afterKey: after && 'key' in after ? after.key : null,
  }
  const { region, kind, companyId, memberId, by, limit } = query
  if (memberId) {
    const isNarrowed = [region, kind, form].some((one) => one !== undefined)
    const isLookedFor = isNarrowed
      ? await isOnMany(db, query, mostOfMember)
      : await areLookedFor(db, query, few, mostOfMember)
    if (!isLookedFor) return page('own')
  }
  if (region !== undefined || kind !== undefined) {
    const counted = await countWanted(db, query)
    if (companyId !== null && counted.inCompany <= few) return page('company')
    if (region !== undefined && counted.inRegion <= few) return page('region')
    if (kind !== undefined && counted.ofKind <= (by === 'trouble' ? few : fewOfKind)) return page('kind')
    // Those in trouble come first, and many of them have it.
    if (kind !== undefined && by === 'trouble' && form === undefined) return page('order')
  }
  const narrow = query.word !== undefined ? 'words' : kind !== undefined ? 'kind' : 'order'
  if (narrow === 'order') return page('order')
  const found = await page('first')
  if (found.length === limit || !(await goesOn(db, { ...query, way: 'first' })).further) return found
  return page(narrow)
}

const isOfCompany = ({ companyId }: Params<RecordScope>, of = '') =>
  sql`(${companyId}::text is null or ${raw(of)}company_id = ${companyId})`

/** Where installations are, and how many: a company's, of which counts are kept, or a member's own. */
export const listRegions = many(
  row<{ region: string; installations: number }>({ region: text, installations: integer }),
  ($: Params<RecordScope>) =>
    when(
      $.memberId,
      sql`select i.region, count(*)::int as installations from ${installationsOf($)} i
        where i.installer_id = ${$.installerId} and ${isOfCompany($, 'i.')}
        group by i.region order by i.region limit 500`,
      sql`select region, sum(installations)::int as installations from installation_counts
        where installer_id = ${$.installerId} and ${isOfCompany($)}
        group by region having sum(installations) > 0 order by region limit 500`,
    ),
)

/** How many alerts are open. */
export const countOpenAlerts = scalar({ alerts: integer }, ($: Params<RecordScope>) =>
  when(
    $.memberId,
    sql`select count(*)::int as alerts from ${installationsOf($)} i cross join lateral (
        select from alerts
        where installer_id = ${$.installerId} and installation_id = i.id and status <> 'resolved' offset 0
      ) a
      where i.installer_id = ${$.installerId} and ${isOfCompany($, 'i.')}`,
    sql`select coalesce(sum(alerts), 0)::int as alerts from alert_counts
      where installer_id = ${$.installerId} and status <> 'resolved' and ${isOfCompany($)}`,
  ),
)

/** The same two of a member who is on many, each looked at by itself along its index. */
export const countOfMany = one(
  row<{ installations: Figure; alerts: Figure }>({ installations: json, alerts: json }),
  ($: Params<RecordScope>) => {
    const ofCompany = when($.companyId, sql`and company_id = ${$.companyId}`)
    const alertsIn = (status: string) => sql`(select installation_id from alerts
      where installer_id = ${$.installerId} and status = ${raw(status)} ${ofCompany}
      order by triggered_at, id limit ${raw(lookedAtFirst + 1)})`
    const isOn = sql`(select ${isOnItsProject($)})`
    return sql`select ${figureAmong(
      sql`from installations where installer_id = ${$.installerId} and deleted_at is null ${ofCompany} order by name, id`,
      'i',
      isOn,
    )} as installations,
    ${figureAmong(
      sql`from (${alertsIn("'active'")} union all ${alertsIn("'acknowledged'")}) open`,
      'a',
      sql`(select ${isOn} from installations i
        where i.installer_id = ${$.installerId} and i.id = a.installation_id and i.deleted_at is null)`,
    )} as alerts`
  },
)
