import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import { anywhere, searchForm } from '../../kernel/search-form.ts'
import type { Sorting } from '../../kernel/sorting.ts'
import { type AlertType, severities } from '../alerts/alert.ts'
import { installationsOf } from '../installations/own-queries.ts'

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
/** Yesterday's readings may come tonight, and clocks differ. */
const quietDays = 2

const rank = `array_position(array[${severities.map((name) => `'${name}'`).join(', ')}], a.severity)`

const size = 'coalesce(i.capacity_kw, i.panels_kw)'
/** What an order that is not by trouble goes by: of an installation, and of a row of the page. */
const orderKeys = {
  name: { key: 'i.name', pageKey: 'page.name', type: 'text' },
  size: { key: size, pageKey: 'page.size::numeric', type: 'numeric' },
}
const byTrouble = (of: string) => `-${of}.worst, -${of}."silentDays", ${of}.name, ${of}.id`

/** An order that is not by trouble, as its index has it, and what is beyond a place in it. */
function alongIndex({ by, reversed }: FleetSorting) {
  if (by === 'trouble') return null
  const { key, pageKey, type } = orderKeys[by]
  const way = (by === 'size') === reversed ? 'asc' : 'desc'
  return {
    key,
    type,
    order: `${key} ${way}, i.id ${way}`,
    pageOrder: `${pageKey} ${way}, page.id ${way}`,
    beyond: way === 'asc' ? '>' : '<',
  }
}

// Each installation's alerts and last day are looked up by their index: joins may be planned as loops over all of them.
// Only the page's own days are read. In an order of its own, a page is picked by that order's index before anything else.
function fleetStatement(
  parts: { own: boolean; company: boolean; after: boolean } & Record<keyof FleetFilters, boolean>,
  sorting: FleetSorting,
) {
  const along = alongIndex(sorting)
  const names = Object.entries(parts).flatMap(([name, given]) => (given ? [name] : []))
  let next = 3
  const installations = parts.own ? installationsOf(`$${++next}`) : 'installations'
  const wanted = [
    parts.company && `i.company_id = $${++next}`,
    parts.region && `i.region = $${++next}`,
    parts.search && `search_form(i.name || ' ' || i.address) like $${++next}`,
    parts.kind &&
      (along
        ? `exists (select from alerts a where a.installer_id = $1 and a.installation_id = i.id
            and a.status <> 'resolved' and a.type = $${++next})`
        : `$${++next} = any(open.kinds)`),
  ].filter(Boolean)
  const conditions = ['i.installer_id = $1', ...wanted]
  if (along && parts.after)
    conditions.push(`(${along.key}, i.id) ${along.beyond} ($${++next}::${along.type}, $${++next})`)
  const picked =
    along &&
    `(select * from ${installations} i where ${conditions.join(' and ')} order by ${along.order} limit $3)`
  const after =
    parts.after &&
    !along &&
    `where (-r.worst, -r."silentDays", r.name, r.id) > (-$${++next}::int, -$${++next}::int,
      (select n.name from installations n where n.installer_id = $1 and n.id = $${++next}), $${next})`
  const statement: Statement = {
    name: ['fleet', ...(along ? [sorting.by, sorting.reversed && 'reversed'] : []), ...names]
      .filter(Boolean)
      .join('-by-'),
    text: `with ranked as (
        select i.id, i.name, i.address, i.region, i.company_id as "companyId", i.panel_count as "panelCount",
          ${size}::float8 as "capacityKw", ${size}::text as size, coalesce(open.worst, 0) as worst,
          coalesce(open.alerts, 0) as alerts, coalesce(open.kinds, '{}') as kinds, last.day as last_day,
          coalesce(greatest(0, $2::date - last.day - ${quietDays}), 0) as "silentDays"
        from ${picked || installations} i left join lateral (
          select max(${rank}) as worst, count(*)::int as alerts, array_agg(distinct a.type) as kinds from alerts a
          where a.installer_id = $1 and a.installation_id = i.id and a.status <> 'resolved'
        ) open on true left join lateral (
          select d.day from installation_days d where d.installer_id = $1 and d.installation_id = i.id
          order by d.day desc limit 1
        ) last on true
        ${along ? '' : `where ${conditions.join(' and ')}`}
      ), page as (
        select * from ranked r ${after || ''}
        ${along ? '' : `order by ${byTrouble('r')} limit $3`}
      )
      select page.*, page.last_day::text as "lastDay", coalesce(spark.made, '') as made from page left join lateral (
        select string_agg(($2::date - d.day) || ':' || d.microkwh, ' ') as made from installation_days d
        where d.installer_id = $1 and d.installation_id = page.id and d.day between $2::date - ${sparkDays} and $2::date - 1
      ) spark on true
      order by ${along ? along.pageOrder : byTrouble('page')}`,
  }
  return statement
}

const statements = new Map<string, Statement>()

/** The next installations in an order; that of their trouble is the worst alert, the longest silence, the name. */
export function listFleet(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  { region, kind, search }: FleetFilters,
  sorting: FleetSorting,
  today: string,
  after: FleetPlace | null,
  limit: number,
): Promise<FleetRow[]> {
  const parts = {
    own: Boolean(memberId),
    company: companyId !== null,
    region: region !== undefined,
    search: search !== undefined,
    kind: kind !== undefined,
    after: after !== null,
  }
  const key = [...Object.values(parts), sorting.by, sorting.reversed].join()
  let statement = statements.get(key)
  if (!statement) {
    statement = fleetStatement(parts, sorting)
    statements.set(key, statement)
  }
  const values: unknown[] = [installerId, today, limit]
  if (memberId) values.push(memberId)
  if (companyId !== null) values.push(companyId)
  if (region !== undefined) values.push(region)
  if (search !== undefined) values.push(anywhere(searchForm(search)))
  if (kind !== undefined) values.push(kind)
  if (after) values.push(...('key' in after ? [after.key] : [after.worst, after.silentDays]), after.id)
  return db.query<FleetRow>(statement, values)
}

const regionsStatement: Statement = {
  name: 'regions-of-fleet',
  text: `select region, sum(installations)::int as installations from installation_counts
    where installer_id = $1 and ($2::text is null or company_id = $2)
    group by region having sum(installations) > 0 order by region limit 500`,
}

// What is kept counts a company's; one's own are few.
const ownRegionsStatement: Statement = {
  name: 'regions-of-own-fleet',
  text: `select i.region, count(*)::int as installations from ${installationsOf('$3')} i
    where i.installer_id = $1 and ($2::text is null or i.company_id = $2) group by i.region order by i.region limit 500`,
}

/** Where installations are, and how many. */
export function listRegions(
  db: Db,
  { installerId, companyId, memberId }: Reach,
): Promise<{ region: string; installations: number }[]> {
  return memberId
    ? db.query(ownRegionsStatement, [installerId, companyId, memberId])
    : db.query(regionsStatement, [installerId, companyId])
}

const openStatement: Statement = {
  name: 'open-alerts-of-fleet',
  text: `select severity, sum(alerts)::int as alerts from alert_counts
    where installer_id = $1 and status <> 'resolved' and ($2::text is null or company_id = $2) group by severity`,
}

const ownOpenStatement: Statement = {
  name: 'open-alerts-of-own-fleet',
  text: `select a.severity, count(*)::int as alerts from ${installationsOf('$3')} i cross join lateral (
      select severity from alerts where installer_id = $1 and installation_id = i.id and status <> 'resolved' offset 0
    ) a
    where i.installer_id = $1 and ($2::text is null or i.company_id = $2) group by a.severity`,
}

/** How many alerts are open, by how bad they are. */
export function countOpenAlerts(
  db: Db,
  { installerId, companyId, memberId }: Reach,
): Promise<{ severity: string; alerts: number }[]> {
  return memberId
    ? db.query(ownOpenStatement, [installerId, companyId, memberId])
    : db.query(openStatement, [installerId, companyId])
}
