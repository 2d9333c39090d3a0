import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { float, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, one } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { type Day, type DayRange, dayText } from '../energy/local-time.ts'
import { isOnItsProject } from '../installations/own-queries.ts'

/** An installation and the days of which there are readings. */
export interface Monitored {
  id: string
  companyId: string
  projectId: string | null
  name: string
  address: string
  region: string
  timezone: string
  panelCount: number
  capacityKw: number
  createdAt: Date
  /** Since 1970, in the installation's zone; null where nothing was ever read. */
  firstDay: Day | null
  lastDay: Day | null
}

const monitored = row<Monitored>({
  id: text,
  companyId: text,
  projectId: text,
  name: text,
  address: text,
  region: text,
  timezone: text,
  panelCount: integer,
  capacityKw: float,
  createdAt: instant,
  firstDay: integer,
  lastDay: integer,
})

const epoch = raw(`date '1970-01-01'`)

type RecordScope = Pick<Scope, 'installerId' | 'companyId' | 'memberId'>

const monitoredById = maybeOne(monitored, ($: Params<RecordScope & { id: string }>) => {
  const edge = (way: 'asc' | 'desc') =>
    sql`(select d.day - ${epoch} from installation_days d
      where d.installer_id = ${$.installerId} and d.installation_id = i.id order by d.day ${raw(way)} limit 1)`
  const computed = {
    capacityKw: sql`coalesce(i.capacity_kw, i.panels_kw)::float8`,
    firstDay: edge('asc'),
    lastDay: edge('desc'),
  }
  return sql`select ${select(monitored, 'i', computed)} from installations i
    where i.installer_id = ${$.installerId} and i.id = ${$.id} and i.deleted_at is null
      and (${$.companyId}::text is null or i.company_id = ${$.companyId})
      ${when($.memberId, sql`and ${isOnItsProject($)}`)}`
})

export async function findMonitored(db: Db, scope: RecordScope, id: string): Promise<Monitored | null> {
  return isId(id, 'inst') ? monitoredById(db, { ...scope, id }) : null
}

/** What was made on a day, in kWh. */
export interface DayMade {
  day: Day
  kwh: number
  /** Hour by hour, where it was asked for; null where there is no reading. */
  hours: (number | null)[] | null
}

interface InRange {
  installerId: string
  installationId: string
  first: string
  last: string
}

const daysInRange = one(
  row<{ days: string }>({ days: text }),
  ($: Params<InRange & { hours: boolean }>) => sql`
    select coalesce(string_agg((d.day - ${epoch}) || ':' || d.microkwh
      ${when($.hours, sql`|| ':' || array_to_string(d.hours, ',', '')`)}, ' ' order by d.day), '') as days
    from installation_days d where d.installer_id = ${$.installerId} and d.installation_id = ${$.installationId}
      and d.day between ${$.first} and ${$.last}`,
)

const microkwhInKwh = 1_000_000

/** The days of a range that have readings, in order. */
export async function listDaysMade(
  db: Db,
  installation: { installerId: string; installationId: string },
  { first, last }: DayRange,
  hours: boolean,
): Promise<DayMade[]> {
  const range = { ...installation, first: dayText(first), last: dayText(last) }
  const { days } = await daysInRange(db, { ...range, hours })
  return (days === '' ? [] : days.split(' ')).map((written) => {
    const [day, microkwh, made] = written.split(':')
    return {
      day: Number(day),
      kwh: Number(microkwh) / microkwhInKwh,
      hours: made?.split(',').map((hour) => (hour === '' ? null : Number(hour) / microkwhInKwh)) ?? null,
    }
  })
}

export interface PanelMade {
  id: string
  name: string
  status: 'active' | 'inactive' | 'maintenance'
  capacityKw: number
  /** Days with readings. */
  days: number
  kwh: number
  alertId: string | null
}

const panelMade = row<PanelMade>({
  id: text,
  name: text,
  status: text,
  capacityKw: float,
  days: integer,
  kwh: float,
  alertId: text,
})

const panelsInRange = many(panelMade, ($: Params<InRange & { limit: number }>) => {
  const computed = {
    capacityKw: sql`p.capacity_kw::float8`,
    days: sql`made.days`,
    kwh: sql`made.kwh`,
    alertId: sql`open.id`,
  }
  return sql`select ${select(panelMade, 'p', computed)}
    from panels p cross join lateral (
      select count(*)::int as days, coalesce(sum(d.microkwh), 0)::float8 / ${raw(microkwhInKwh)} as kwh from panel_days d
      where d.installer_id = ${$.installerId} and d.panel_id = p.id and d.day between ${$.first} and ${$.last}
    ) made left join lateral (
      select a.id from alerts a where a.installer_id = ${$.installerId} and a.installation_id = ${$.installationId}
        and a.panel_id = p.id and a.status <> 'resolved' limit 1
    ) open on true
    where p.installer_id = ${$.installerId} and p.installation_id = ${$.installationId} and p.deleted_at is null
    order by p.id limit ${$.limit}`
})

/** What each panel made in a range, the oldest panel first. */
export function listPanelsMade(
  db: Db,
  installation: { installerId: string; installationId: string },
  { first, last }: DayRange,
  limit: number,
): Promise<PanelMade[]> {
  return panelsInRange(db, { ...installation, first: dayText(first), last: dayText(last), limit })
}
