import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Reach } from '../../kernel/context.ts'
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

const epoch = `date '1970-01-01'`
const edge = (order: 'asc' | 'desc') =>
  `(select d.day - ${epoch} from installation_days d where d.installer_id = $1 and d.installation_id = i.id
    order by d.day ${order} limit 1)`

const monitored = `select i.id, i.company_id as "companyId", i.project_id as "projectId", i.name, i.address, i.region, i.timezone,
      i.panel_count as "panelCount", coalesce(i.capacity_kw, i.panels_kw)::float8 as "capacityKw",
      i.created_at as "createdAt", ${edge('asc')} as "firstDay", ${edge('desc')} as "lastDay"
    from installations i where i.installer_id = $1 and i.id = $2 and ($3::text is null or i.company_id = $3)`
const findStatement: Statement = { name: 'find-monitored', text: monitored }
const findOwnStatement: Statement = {
  name: 'find-own-monitored',
  text: `${monitored} and ${isOnItsProject('$4')}`,
}

export async function findMonitored(
  db: Db,
  { installerId, companyId, memberId }: Reach,
  id: string,
): Promise<Monitored | null> {
  if (!isId(id, 'inst')) return null
  const [row] = memberId
    ? await db.query<Monitored>(findOwnStatement, [installerId, id, companyId, memberId])
    : await db.query<Monitored>(findStatement, [installerId, id, companyId])
  return row ?? null
}

/** What was made on a day, in kWh. */
export interface DayMade {
  day: Day
  kwh: number
  /** Hour by hour, where it was asked for; null where there is no reading. */
  hours: (number | null)[] | null
}

const daysStatement = (hours: boolean): Statement => ({
  name: hours ? 'hours-of-installation' : 'days-of-installation',
  text: `select coalesce(string_agg((d.day - ${epoch}) || ':' || d.microkwh${hours ? ` || ':' || array_to_string(d.hours, ',', '')` : ''}, ' '
      order by d.day), '') as days
    from installation_days d where d.installer_id = $1 and d.installation_id = $2 and d.day between $3 and $4`,
})
const withHours = daysStatement(true)
const withoutHours = daysStatement(false)

const microkwhInKwh = 1_000_000

/** The days of a range that have readings, in order. */
export async function listDaysMade(
  db: Db,
  installerId: string,
  installationId: string,
  { first, last }: DayRange,
  hours: boolean,
): Promise<DayMade[]> {
  const values = [installerId, installationId, dayText(first), dayText(last)]
  const [row] = await db.query<{ days: string }>(hours ? withHours : withoutHours, values)
  const texts = row!.days === '' ? [] : row!.days.split(' ')
  return texts.map((text) => {
    const [day, microkwh, made] = text.split(':')
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

const panelsStatement: Statement = {
  name: 'panels-of-installation-made',
  text: `select p.id, p.name, p.status, p.capacity_kw::float8 as "capacityKw", made.days, made.kwh, open.id as "alertId"
    from panels p cross join lateral (
      select count(*)::int as days, coalesce(sum(d.microkwh), 0)::float8 / ${microkwhInKwh} as kwh from panel_days d
      where d.installer_id = $1 and d.panel_id = p.id and d.day between $3 and $4
    ) made left join lateral (
      select a.id from alerts a where a.installer_id = $1 and a.installation_id = $2 and a.panel_id = p.id
        and a.status <> 'resolved' limit 1
    ) open on true
    where p.installer_id = $1 and p.installation_id = $2 and p.deleted_at is null order by p.id limit $5`,
}

/** What each panel made in a range, the oldest panel first. */
export function listPanelsMade(
  db: Db,
  installerId: string,
  installationId: string,
  { first, last }: DayRange,
  limit: number,
): Promise<PanelMade[]> {
  return db.query(panelsStatement, [installerId, installationId, dayText(first), dayText(last), limit])
}
