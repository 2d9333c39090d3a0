import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import { text } from '../../../platform/sql/row.ts'
import { raw, sql } from '../../../platform/sql/sql.ts'
import type { Reach } from '../../kernel/context.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Readings } from './batch.ts'
import { type Day, startOfDay } from './local-time.ts'
import type { Before } from './plausible.ts'
import { sent, sentAt, sentValues } from './write-queries.ts'

// Each by itself, as a join could be planned as going through all readings of the tenant. Whether there ever was one is
// asked only where none is near.
const beforeStatement: Statement = {
  name: 'times-before-readings',
  text: `select (s.ordinal - 1)::int as index, (extract(epoch from b.at) * 1000)::float8 as at,
      case when b.at is not null then true else exists (
        select from readings where installer_id = $1 and panel_id = s.panel_id and at < ${sentAt}) end as any
    from ${sent} cross join lateral (
      select greatest(
        (select max(at) from readings where installer_id = $1 and panel_id = s.panel_id
          and at < ${sentAt} and at >= ${sentAt} - interval '24 hours'),
        (select max(at) from quarantined_readings where installer_id = $1 and panel_id = s.panel_id
          and at < ${sentAt} and at >= ${sentAt} - interval '24 hours')) as at offset 0
    ) b`,
}

/** What was sent before each of these readings, in their order. */
export async function listBefore(tx: Db, installerId: string, readings: Readings): Promise<Before[]> {
  type Row = Before & { index: number }
  const rows = await tx.query<Row>(beforeStatement, sentValues(installerId, readings))
  const before: Before[] = []
  for (const { index, at, any } of rows) before[index] = { at, any }
  return before
}

/** A reading that its panel cannot have made. */
export interface Impossible {
  id: string
  panelId: string
  at: number
  microkwh: number
  mostMicrokwh: number
  intervalMs: number
}

const quarantineStatement: Statement = {
  name: 'quarantine-readings',
  text: `insert into quarantined_readings as q (installer_id, id, company_id, installation_id, panel_id, at, microkwh,
      most_microkwh, interval_ms, state, received_at)
    select $1, r.id, p.company_id, p.installation_id, p.id, ${sentAt.replaceAll('s.ms', 'r.at')}, r.microkwh,
      r."mostMicrokwh", r."intervalMs", 'waiting', $3
    from json_to_recordset($2) as r(id text, "panelId" text, at float8, microkwh bigint, "mostMicrokwh" bigint, "intervalMs" float8)
      join panels p on p.installer_id = $1 and p.id = r."panelId" and p.deleted_at is null
    on conflict (installer_id, panel_id, at) do update set id = excluded.id, microkwh = excluded.microkwh,
      most_microkwh = excluded.most_microkwh, interval_ms = excluded.interval_ms, state = 'waiting',
      received_at = excluded.received_at
    where q.microkwh <> excluded.microkwh`,
}

/** Keeps readings out of every total. One that is there already, waiting or dropped, stays as it is. */
export async function quarantine(
  tx: Db,
  installerId: string,
  readings: readonly Impossible[],
  now: Date,
): Promise<void> {
  await tx.query(quarantineStatement, [installerId, JSON.stringify(readings), now])
}

const replacedStatement: Statement = {
  name: 'forget-replaced-readings',
  text: `delete from quarantined_readings q using ${sent}
    where q.installer_id = $1 and q.panel_id = s.panel_id and q.at = ${sentAt} returning q.id`,
}

/** Lets go what values that count have taken the place of; answers how many. */
export async function forgetReplaced(tx: Db, installerId: string, readings: Readings): Promise<number> {
  if (readings.at.length === 0) return 0
  return (await tx.query(replacedStatement, sentValues(installerId, readings))).length
}

const countStatement: Statement = {
  name: 'count-quarantined-readings',
  text: `insert into quarantine_counts as c (installer_id, company_id, installation_id, readings, changes)
    select $1, i.company_id, i.id, (select count(*) from quarantined_readings q
      where q.installer_id = $1 and q.installation_id = i.id and q.state = 'waiting'), 1
    from installations i where i.installer_id = $1 and i.id = any($2)
    on conflict (installer_id, company_id, installation_id)
      do update set readings = excluded.readings, changes = c.changes + 1`,
}

/** Counts anew what waits at installations, whose readings nobody else writes meanwhile. */
export async function countQuarantined(
  tx: Db,
  installerId: string,
  installationIds: readonly string[],
): Promise<void> {
  await tx.query(countStatement, [installerId, installationIds])
}

/** A quarantined reading that waits for a person. */
export interface Quarantined {
  id: string
  companyId: string
  installationId: string
  installationName: string
  timezone: string
  panelId: string
  panelName: string
  capacityKw: string
  at: Date
  microkwh: number
  mostMicrokwh: number
  intervalMs: number
  receivedAt: Date
  /** What counts at its time; null where nothing does. */
  standingMicrokwh: number | null
}

const columns = `q.id, q.company_id as "companyId", q.installation_id as "installationId", i.name as "installationName",
  i.timezone, q.panel_id as "panelId", p.name as "panelName", p.capacity_kw as "capacityKw", q.at, q.microkwh,
  q.most_microkwh as "mostMicrokwh", q.interval_ms as "intervalMs", q.received_at as "receivedAt",
  (select microkwh from readings r where r.installer_id = $1 and r.panel_id = q.panel_id and r.at = q.at) as "standingMicrokwh"`
const named = `join installations i on i.installer_id = $1 and i.id = q.installation_id
  join panels p on p.installer_id = $1 and p.id = q.panel_id`

/** Those that wait, the newest first, from behind one of them on. */
export function listQuarantined(
  db: Db,
  { installerId, companyId }: Reach,
  { installationId, after }: { installationId?: string | undefined; after?: string | undefined },
  limit: number,
): Promise<Quarantined[]> {
  const values: unknown[] = [installerId, limit]
  const wanted: string[] = []
  const shape = ['list-quarantined-readings']
  const filter = (name: string, condition: (place: string) => string, value: string | null | undefined) => {
    if (value == null) return
    shape.push(name)
    wanted.push(` and ${condition(`$${values.push(value)}`)}`)
  }
  filter('company', (place) => `w.company_id = ${place}`, companyId)
  filter('installation', (place) => `w.installation_id = ${place}`, installationId)
  filter('after', (place) => `w.id < ${place}`, after)
  const statement: Statement = {
    name: shape.join('-by-'),
    text: `select ${columns} from (
        select * from quarantined_readings w where w.installer_id = $1 and w.state = 'waiting'${wanted.join('')}
        order by w.id desc limit $2
      ) q ${named} order by q.id desc`,
  }
  return db.query<Quarantined>(statement, values)
}

const sumStatement: Statement = {
  name: 'sum-quarantined-readings',
  text: `select coalesce(sum(readings), 0)::int as total from quarantine_counts
    where installer_id = $1 and ($2::text is null or company_id = $2) and ($3::text is null or installation_id = $3)`,
}

/** How many wait, at one installation or at all. */
export async function sumQuarantined(
  db: Db,
  { installerId, companyId }: Reach,
  installationId: string | null,
): Promise<number> {
  const [row] = await db.query<{ total: number }>(sumStatement, [installerId, companyId, installationId])
  return row!.total
}

const waitingStatement: Statement = {
  name: 'count-waiting-readings',
  text: `select count(*)::int as waiting from quarantined_readings
    where installer_id = $1 and installation_id = $2 and state = 'waiting' and at >= $3 and at < $4`,
}

/** How many of an installation wait, from the beginning of a day to before another. */
export async function countWaitingBetween(
  db: Db,
  installerId: string,
  installationId: string,
  first: Day,
  until: Day,
  timezone: string,
): Promise<number> {
  const at = (day: Day) => new Date(startOfDay(timezone, day).ms)
  const values = [installerId, installationId, at(first), at(until)]
  const [row] = await db.query<{ waiting: number }>(waitingStatement, values)
  return row!.waiting
}

const findStatement: Statement = {
  name: 'find-quarantined-readings',
  text: `select ${columns} from quarantined_readings q ${named}
    where q.installer_id = $1 and q.id = any($2) and ($3::text is null or q.company_id = $3) and q.state = 'waiting'
    order by q.panel_id collate "C", q.at`,
}

/** Those of the ids that wait and are there for the caller, by panel and time. */
export function findQuarantined(
  db: Db,
  { installerId, companyId }: Reach,
  ids: readonly string[],
): Promise<Quarantined[]> {
  const sane = ids.filter((id) => isId(id, 'qrd'))
  return sane.length === 0
    ? Promise.resolve([])
    : db.query<Quarantined>(findStatement, [installerId, sane, companyId])
}

const dropStatement: Statement = {
  name: 'drop-quarantined-readings',
  text: `update quarantined_readings set state = 'dropped'
    where installer_id = $1 and id = any($2) and state = 'waiting'`,
}

export async function dropQuarantined(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await tx.query(dropStatement, [installerId, ids])
}

const forgetPanelStatement: Statement = {
  name: 'drop-quarantined-readings-of-panel',
  text: `update quarantined_readings set state = 'dropped'
    where installer_id = $1 and panel_id = $2 and state = 'waiting'`,
}

/** Nothing of a panel that is gone is left to be decided. */
export async function dropQuarantinedOf(
  tx: Db,
  installerId: string,
  panelId: string,
  installationId: string,
): Promise<void> {
  await tx.query(forgetPanelStatement, [installerId, panelId])
  await countQuarantined(tx, installerId, [installationId])
}

const kwh = (column: string) => raw(`trim_scale(${column} * 0.000001)`)

/** As the catalogue API lists it, what came last first. */
export const quarantineList = numberedList(() => ({
  table: 'quarantined_readings',
  order: { id: text },
  filters: ['installationId'],
  listed: sql`and l.state = 'waiting'`,
  columns: sql`l.id, l.panel_id, l.installation_id, l.at, l.microkwh, l.most_microkwh, l.interval_ms, l.received_at`,
  json: sql`'{"id":"' || r.id || '","panel_id":"' || r.panel_id || '","installation_id":"' || r.installation_id
    || '","timestamp":"' || ${isoText('r.at')} || '","kwh":' || ${kwh('r.microkwh')}
    || ',"most_kwh":' || ${kwh('r.most_microkwh')} || ',"interval_seconds":' || trim_scale(r.interval_ms * 0.001)
    || ',"received_at":"' || ${isoText('r.received_at')} || '"}'`,
  counts: { table: 'quarantine_counts', column: 'readings' },
}))
