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
import { anywhere, anywhereLongest, searchForm } from '../../kernel/search-form.ts'
import { type Sorting, sorted } from '../../kernel/sorting.ts'
import type { AlertType } from '../alerts/alert.ts'
import { areLookedFor, installationsOf, isOnItsProject, isOnMany } from '../installations/own-queries.ts'
import { asFirstByTrouble, byTrouble, firstByTrouble, silentDays } from './trouble-order.ts'

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
export interface FleetPlace {
  id: string
  /** Its name or size, by which it stood there. */
  key: string
  /** In the order by trouble. */
  trouble?: { worst: number; silentDays: number }
}

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

const fleetRow = row<FleetRow & { reached: Reached | null }>({
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
  reached: json,
})

/** The last installation that was looked at, whoever is on it. */
export type Reached = Pick<FleetRow, 'id' | 'name' | 'size' | 'worst' | 'silentDays'>

const size = sql`coalesce(i.capacity_kw, i.panels_kw)`

export type RecordScope = Pick<Scope, 'installerId' | 'companyId' | 'memberId'>

/** What so few have is put in order. */
const few = 2_000
/**
 * So many of the first in an order are looked through for what is wanted: where many hold a word, or a member is on many, these
 * fill a page. Where they do not, so many further ones behind them are, each time.
 */
const looks = { forWord: 200, forMember: 400, further: 1_600 }
/** Of a kind of alert by name or size fewer: among those in trouble, more than that are soon met along the order. */
const fewOfKind = 200
/** For a member's next page the first are looked through so often, each time those behind. */
const looksForMore = 10
/** So many of a member are found where a page is not full: that takes no more than looking through as many again. */
const fewToFind = 5_000

interface FleetQuery extends RecordScope, FleetSorting, Omit<FleetFilters, 'search'> {
  pattern: string | undefined
  /** What holds the longest word of the pattern. */
  word: string | undefined
  /**
   * Along the order; among its first; or by putting in order what a member is on, or what a word, a company, a region or a
   * kind of alert leaves.
   */
  way: 'order' | 'first' | 'own' | 'words' | 'company' | 'region' | 'kind'
  looks: keyof typeof looks
  today: string
  limit: number
  afterId: string | null
  /** Of the order by trouble. */
  afterWorst: number | null
  afterSilentDays: number | null
  /** Its name or size. */
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

/** What is looked through: of a company all regions, as no index has both in an order. */
const isLookedAt = ($: Params<FleetQuery>) =>
  sql`${isOwn($)} ${when($.companyId, empty, when($.region, sql`and i.region = ${$.region}`))}`

const orderOf = ($: Params<FleetQuery>, trouble: Fragment, other: Fragment) =>
  pick($.by, { trouble, name: other, size: other })

const byWay = (
  $: Params<FleetQuery>,
  usual: Fragment,
  others: Partial<Record<FleetQuery['way'], Fragment>>,
) =>
  pick($.way, {
    ...{ order: usual, first: usual, own: usual, words: usual, company: usual, region: usual, kind: usual },
    ...others,
  })

const lookedAt = ($: Params<FleetQuery>) =>
  pick($.looks, {
    forWord: raw(looks.forWord),
    forMember: raw(looks.forMember),
    further: raw(looks.further),
  })

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
// Where looking through the first of the order ended, the same statement says, as nothing may come in between: beside each row,
// and in one without an id where there is none.
const pageOfFleet = many(fleetRow, ($: Params<FleetQuery>) => {
  const along = inOrderOf($, sql`i.name`, size, sql`i.id`)
  const trouble = byTrouble($, 'i')

  const own = isOwn($)
  const all = sql`select * from installations i where i.installer_id = ${$.installerId} and i.deleted_at is null`
  const some = pick($.way, {
    order: sql`installations`,
    first: firstOf($, isLookedAt($), lookedAt($)),
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
  // Asked for each by itself: joined, all alerts or projects could be read.
  const hasKind = sql`(select exists (select from alerts a where a.installer_id = ${$.installerId} and a.installation_id = i.id
    and a.status <> 'resolved' and a.type = ${$.kind}))`
  const isOn = when($.memberId, sql`and (select ${isOnItsProject($)})`)
  const isTheirs = byWay($, isOn, { own: empty })
  const isOfKind = byWay($, when($.kind, sql`and ${hasKind}`), { kind: empty })
  const wanted = sql`${own} ${isTheirs} ${isOfKind} ${when($.region, sql`and i.region = ${$.region}`)}
    ${when($.pattern, sql`and search_form(i.name || ' ' || i.address) like ${$.pattern}`)}`
  // By columns, by which the planner sees that they are in order already, and looks no further than a page goes.
  const byColumn = inOrderOf($, sql`i.name`, sql`i.size_of`, sql`i.id`)
  const inOrder = orderOf($, asFirstByTrouble, byColumn.orderBy)
  // The last that is looked at stands behind what was found, where that is not enough.
  const amongFirst = sql`(select * from (
      select *, row_number() over (${inOrder}) = ${lookedAt($)} as is_last, (${wanted}) as fits from ${some} i offset 0
    ) i where i.fits or i.is_last ${inOrder} limit ${$.limit})`
  const putInOrder = sql`(select * from ${some} i where ${wanted} ${orderOf($, trouble.isBehind, along.isBehind)}
    ${orderOf($, trouble.orderBy, along.orderBy)} limit ${$.limit})`
  const page = byWay($, putInOrder, { order: firstOf($, wanted, sql`${$.limit}`), first: amongFirst })
  const ofPage = inOrderOf($, sql`page.name`, sql`page.size::numeric`, sql`page.id`)
  const reached = byWay($, sql`null::json`, {
    first: sql`(select json_build_object('id', i.id, 'name', i.name, 'size', ${size}::text, 'worst', i.worst,
        'silentDays', ${silentDays($, 'i')})
      from picked i where i.is_last and (select count(*) from picked where fits) < ${$.limit})`,
  })
  const columns = {
    lastDay: sql`page.last_day::text`,
    made: sql`coalesce(spark.made, '')`,
    reached: sql`looked.reached`,
  }

  return sql`with picked as materialized ${page} select ${select(fleetRow, 'page', columns)}
    from (select ${reached} as reached) looked left join ((
      select i.id, i.name, i.address, i.region, i.company_id, i.panel_count, ${size}::float8 as capacity_kw,
        ${size}::text as size, i.worst, open.alerts, coalesce(open.kinds, '{}') as kinds, i.last_day,
        ${silentDays($, 'i')} as silent_days
      from picked i cross join lateral (
        select count(*)::int as alerts, array_agg(distinct a.type) as kinds from alerts a
        where a.installer_id = ${$.installerId} and a.installation_id = i.id and a.status <> 'resolved'
      ) open ${byWay($, empty, { first: sql`where i.fits` })}
    ) page cross join lateral (
      select string_agg((${$.today}::date - d.day) || ':' || d.microkwh, ' ') as made from installation_days d
      where d.installer_id = ${$.installerId} and d.installation_id = page.id
        and d.day between ${$.today}::date - ${raw(sparkDays)} and ${$.today}::date - 1
    ) spark) on true
    ${orderOf($, byTrouble($, 'page').orderBy, ofPage.orderBy)}`
})

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

/** Whether few installations hold a word. */
export const isInFew = scalar(
  { few: boolean },
  ($: Params<Pick<FleetQuery, 'installerId' | 'word'>>) => sql`select (select count(*) from (
      select from installations i where i.installer_id = ${$.installerId}
        and search_form(i.name || ' ' || i.address) like ${$.word} limit ${raw(few + 1)}) found) <= ${raw(few)} as few`,
)

export interface FleetPage extends RecordScope, FleetFilters, FleetSorting {
  today: string
  after: FleetPlace | null
  limit: number
}

export interface FleetFound {
  rows: FleetRow[]
  /** Where looking for a member's ended before there were enough; null where there are no others. */
  reached: Reached | null
}

/** The next installations in an order; that of their trouble is the worst alert, the longest silence, the name. */
export async function listFleet(
  db: Db,
  { search, after, ...wanted }: FleetPage,
  { mostOfMember, most = after ? looksForMore : 1 }: { mostOfMember?: number; most?: number } = {},
): Promise<FleetFound> {
  const form = search === undefined ? undefined : searchForm(search)
  const query: Omit<FleetQuery, 'way'> = {
    ...wanted,
    pattern: form === undefined ? undefined : anywhere(form),
    word: form === undefined ? undefined : anywhereLongest(form),
    ...afterOf(after),
    looks: 'further',
  }
  const page = async (way: FleetQuery['way'], more: Partial<FleetQuery> = {}): Promise<FleetFound> => {
    const found = await pageOfFleet(db, { ...query, ...more, way })
    const rows = found.filter(({ id }) => id !== null).map(({ reached: _, ...row }) => row)
    return { rows, reached: found[0]!.reached }
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
  }
  const narrow = query.word !== undefined ? 'words' : kind !== undefined ? 'kind' : 'order'
  // Those in trouble come first, and many of them have a kind of it.
  if (!memberId && (narrow === 'order' || (narrow === 'kind' && by === 'trouble'))) return page('order')
  let found = await page('first', { looks: memberId ? 'forMember' : 'forWord' })
  if (!found.reached) return found
  if (!memberId && narrow === 'words' && (await isInFew(db, query))) return page('words')
  const goOn = async ({ rows }: FleetFound, reached: Reached): Promise<FleetFound> => {
    const next = await page('first', { ...afterOf(placeOf(wanted, reached)), limit: limit - rows.length })
    return { rows: [...rows, ...next.rows], reached: next.reached }
  }
  found = await goOn(found, found.reached)
  if (!found.reached) return found
  if (!memberId) return page(narrow)
  if (!(await isOnMany(db, query, mostOfMember ?? fewToFind))) return page('own')
  if (query.word !== undefined && (await isInFew(db, query))) return page('words')
  for (let looked = 1; found.reached && looked < most; looked++) found = await goOn(found, found.reached)
  return found
}

/** Where a page goes on behind an installation. */
export function placeOf({ by }: Pick<FleetSorting, 'by'>, last: Reached): FleetPlace {
  const { id, name, size, worst, silentDays } = last
  if (by === 'trouble') return { id, key: name, trouble: { worst, silentDays } }
  return { id, key: by === 'name' ? name : size }
}

const afterOf = (place: FleetPlace | null) => ({
  afterId: place?.id ?? null,
  afterWorst: place?.trouble?.worst ?? null,
  afterSilentDays: place?.trouble?.silentDays ?? null,
  afterKey: place?.key ?? null,
})
