import type { Database, Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { isoText } from '../../../platform/sql/iso-text.ts'
import { boolean, decimal, float, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { countUpTo } from '../../kernel/counted.ts'
import { numberedList } from '../../kernel/numbered-lists.ts'
import type { Readings } from './batch.ts'
import { type Day, startOfDay } from './local-time.ts'
import type { Before } from './plausible.ts'
import { lockInstallations, msAt, type SentReadings, sent, sentAt, sentValues } from './reading-queries.ts'

// Each by itself, as a join could be planned as going through all readings of the tenant. Whether there ever was one is
// asked only where none is near.
const timesBefore = many(
  row<Before & { index: number }>({ index: integer, at: float, any: boolean }),
  ($: Params<SentReadings>) => {
    const before = sql`installer_id = ${$.installerId} and panel_id = s.panel_id and at < ${sentAt}`
    const near = sql`${before} and at >= ${sentAt} - interval '24 hours'`
    return sql`select (s.ordinal - 1)::int as index, (extract(epoch from b.at) * 1000)::float8 as at,
        case when b.at is not null then true else exists (select from readings where ${before}) end as any
      from ${sent($)} cross join lateral (
        select greatest((select max(at) from readings where ${near}),
          (select max(at) from quarantined_readings where ${near})) as at offset 0
      ) b`
  },
)

/** What was sent before each of these readings, in their order. */
export async function listBefore(tx: Db, installerId: string, readings: Readings): Promise<Before[]> {
  const before: Before[] = []
  for (const { index, at, any } of await timesBefore(tx, sentValues(installerId, readings)))
    before[index] = { at, any }
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

const insertQuarantined = run(
  ($: Params<{ installerId: string; readings: string; now: Date }>) => sql`
    insert into quarantined_readings as q (installer_id, id, company_id, installation_id, panel_id, at, microkwh,
      most_microkwh, interval_ms, state, received_at)
    select ${$.installerId}, r.id, p.company_id, p.installation_id, p.id, ${msAt('r.at')}, r.microkwh,
      r."mostMicrokwh", r."intervalMs", 'waiting', ${$.now}
    from json_to_recordset(${$.readings}) as r(id text, "panelId" text, at float8, microkwh bigint,
        "mostMicrokwh" bigint, "intervalMs" float8)
      join panels p on p.installer_id = ${$.installerId} and p.id = r."panelId" and p.deleted_at is null
    on conflict (installer_id, panel_id, at) do update set id = excluded.id, microkwh = excluded.microkwh,
      most_microkwh = excluded.most_microkwh, interval_ms = excluded.interval_ms, state = 'waiting',
      received_at = excluded.received_at
    where q.microkwh <> excluded.microkwh`,
)

/** Keeps readings out of every total. One that is there already, waiting or dropped, stays as it is. */
export async function quarantine(
  tx: Db,
  installerId: string,
  readings: readonly Impossible[],
  now: Date,
): Promise<void> {
  await insertQuarantined(tx, { installerId, readings: JSON.stringify(readings), now })
}

const deleteSent = many(
  row<{ id: string }>({ id: text }),
  ($: Params<SentReadings>) => sql`
    delete from quarantined_readings q using ${sent($)}
    where q.installer_id = ${$.installerId} and q.panel_id = s.panel_id and q.at = ${sentAt} returning q.id`,
)

/** Lets go what values that count have taken the place of; answers how many. */
export async function forgetReplaced(tx: Db, installerId: string, readings: Readings): Promise<number> {
  if (readings.at.length === 0) return 0
  return (await deleteSent(tx, sentValues(installerId, readings))).length
}

/**
 * Counts again what waits at installations, whose readings nobody else writes meanwhile, and adds to their companies' totals
 * what is not in them yet. These are held until the transaction ends, in one order by all, and other installations' readings
 * wait for them: it comes last, or where no installation is waited for after it.
 */
export const countQuarantined = run(
  ($: Params<{ installerId: string; installationIds: readonly string[] }>) => sql`with before as (
      select company_id, installation_id, summed_readings, summed_changes from quarantine_counts
      where installer_id = ${$.installerId} and installation_id = any(${$.installationIds}::text[])
    ), counted as (
      insert into quarantine_counts as c (installer_id, company_id, installation_id, readings, changes,
        summed_readings, summed_changes)
      select ${$.installerId}, i.company_id, i.id, waiting.count, 1, waiting.count, 1
      from installations i cross join lateral (select count(*) from quarantined_readings q
        where q.installer_id = ${$.installerId} and q.installation_id = i.id and q.state = 'waiting') waiting
      where i.installer_id = ${$.installerId} and i.id = any(${$.installationIds}::text[])
      on conflict (installer_id, company_id, installation_id) do update set readings = excluded.readings,
        changes = c.changes + 1, summed_readings = excluded.readings, summed_changes = c.changes + 1
      returning c.company_id, c.installation_id, c.readings, c.changes
    )
    insert into quarantine_totals as t (installer_id, company_id, readings, changes)
    select ${$.installerId}, company_id, sum(counted.readings - coalesce(before.summed_readings, 0)),
      sum(counted.changes - coalesce(before.summed_changes, 0))
    from counted left join before using (company_id, installation_id) group by company_id order by company_id
    on conflict (installer_id, company_id) do update
      set readings = t.readings + excluded.readings, changes = t.changes + excluded.changes`,
)

export const listWithUnsummed = many(
  row<{ installerId: string }>({ installerId: text }),
  () =>
    sql`select distinct installer_id as "installerId" from quarantine_counts where changes - summed_changes > 0`,
  { across: 'whose readings a version before has put in quarantine' },
)

/** Of so many at most something is held at once. */
const atOnce = 500

const unsummed = many(
  row<{ id: string }>({ id: text }),
  (
    $: Params<{ installerId: string; after: string }>,
  ) => sql`select installation_id as id from quarantine_counts
    where installer_id = ${$.installerId} and changes - summed_changes > 0 and installation_id > ${$.after}
    order by installation_id limit ${raw(atOnce)}`,
)

/** Adds to the totals of a tenant what a version before has counted by installation alone. */
export async function sumQuarantined(db: Database, installerId: string, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted; ) {
    const installationIds = (await unsummed(db, { installerId, after })).map(({ id }) => id)
    if (installationIds.length === 0) return
    await db.transaction(async (tx) => {
      await lockInstallations(tx, installerId, installationIds)
      await countQuarantined(tx, { installerId, installationIds })
    })
    after = installationIds.at(-1)!
  }
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

const quarantined = row<Quarantined>({
  id: text,
  companyId: text,
  installationId: text,
  installationName: text,
  timezone: text,
  panelId: text,
  panelName: text,
  capacityKw: decimal,
  at: instant,
  microkwh: integer,
  mostMicrokwh: integer,
  intervalMs: integer,
  receivedAt: instant,
  standingMicrokwh: integer,
})

type RecordScope = Pick<Scope, 'installerId' | 'companyId'>

const columns = ({ installerId }: Params<{ installerId: string }>) =>
  select(quarantined, 'q', {
    installationName: sql`i.name`,
    timezone: sql`i.timezone`,
    panelName: sql`p.name`,
    capacityKw: sql`p.capacity_kw`,
    standingMicrokwh: sql`(select microkwh from readings r
      where r.installer_id = ${installerId} and r.panel_id = q.panel_id and r.at = q.at)`,
  })
// Each looked up by its key: joined, all of the tenant's could be read.
const named = ({ installerId }: Params<{ installerId: string }>) => sql`
  cross join lateral (select s.name, s.timezone from installations s
    where s.installer_id = ${installerId} and s.id = q.installation_id offset 0) i
  cross join lateral (select o.name, o.capacity_kw from panels o
    where o.installer_id = ${installerId} and o.id = q.panel_id offset 0) p`

interface QuarantineWanted extends RecordScope {
  installationId?: string | undefined
  after?: string | undefined
  limit: number
}

const isWaiting = ($: Params<Omit<QuarantineWanted, 'after' | 'limit'>>) => sql`
  w.installer_id = ${$.installerId} and w.state = 'waiting' ${when($.companyId, sql`and w.company_id = ${$.companyId}`)}
    ${when($.installationId, sql`and w.installation_id = ${$.installationId}`)}`

/** Those that wait, the newest first, from behind one of them on. */
export const listQuarantined = many(
  quarantined,
  ($: Params<QuarantineWanted>) => sql`
    select ${columns($)} from (
      select * from quarantined_readings w where ${isWaiting($)} ${when($.after, sql`and w.id < ${$.after}`)}
      order by w.id desc limit ${$.limit}
    ) q ${named($)} order by q.id desc`,
)

/** How many wait, at one installation or at all, as far as is counted. */
export const countWaitingQuarantined = one(
  row<{ total: number }>({ total: integer }),
  ($: Params<Omit<QuarantineWanted, 'after' | 'limit'>>) => sql`
    select ${countUpTo(sql`from quarantined_readings w where ${isWaiting($)} order by w.id desc`)} as total`,
)

const countWaiting = one(
  row<{ waiting: number }>({ waiting: integer }),
  ($: Params<{ installerId: string; installationId: string; from: Date; until: Date }>) => sql`
    select count(*)::int as waiting from quarantined_readings
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and state = 'waiting'
      and at >= ${$.from} and at < ${$.until}`,
)

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
  return (await countWaiting(db, { installerId, installationId, from: at(first), until: at(until) })).waiting
}

const waitingByIds = many(
  quarantined,
  ($: Params<RecordScope & { ids: readonly string[] }>) => sql`
    select ${columns($)} from quarantined_readings q ${named($)}
    where q.installer_id = ${$.installerId} and q.id = any(${$.ids}::text[])
      and (${$.companyId}::text is null or q.company_id = ${$.companyId}) and q.state = 'waiting'
    order by q.panel_id collate "C", q.at`,
)

/** Those of the ids that wait and are there for the caller, by panel and time. */
export async function findQuarantined(
  db: Db,
  { installerId, companyId }: RecordScope,
  ids: readonly string[],
): Promise<Quarantined[]> {
  const sane = ids.filter((id) => isId(id, 'qrd'))
  return sane.length === 0 ? [] : waitingByIds(db, { installerId, companyId, ids: sane })
}

export const deleteQuarantined = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    update quarantined_readings set state = 'dropped'
    where installer_id = ${$.installerId} and id = any(${$.ids}::text[]) and state = 'waiting'`,
)

const dropWaitingOf = run(
  ($: Params<{ installerId: string; panelId: string }>) => sql`
    update quarantined_readings set state = 'dropped'
    where installer_id = ${$.installerId} and panel_id = ${$.panelId} and state = 'waiting'`,
)

/** Nothing of a panel that is gone is left to be decided. */
export async function deleteQuarantinedOf(
  tx: Db,
  installerId: string,
  panelId: string,
  installationId: string,
): Promise<void> {
  await dropWaitingOf(tx, { installerId, panelId })
  await countQuarantined(tx, { installerId, installationIds: [installationId] })
}

const dropWaitingAt = run(
  ($: Params<{ installerId: string; installationId: string }>) => sql`
    update quarantined_readings set state = 'dropped'
    where installer_id = ${$.installerId} and installation_id = ${$.installationId} and state = 'waiting'`,
)

/** The same of all panels of an installation. */
export async function deleteQuarantinedAt(
  tx: Db,
  installerId: string,
  installationId: string,
): Promise<void> {
  await dropWaitingAt(tx, { installerId, installationId })
  await countQuarantined(tx, { installerId, installationIds: [installationId] })
}

const kwh = (column: string) => raw(`trim_scale(${column} * 0.000001)`)

/** As the catalogue API lists it, what came last first. */
export const quarantineList = numberedList(($) => ({
  table: 'quarantined_readings',
  order: { id: text },
  filters: ['installationId'],
  listed: sql`and l.state = 'waiting'`,
  columns: sql`l.id, l.panel_id, l.installation_id, l.at, l.microkwh, l.most_microkwh, l.interval_ms, l.received_at`,
  json: sql`'{"id":"' || r.id || '","panel_id":"' || r.panel_id || '","installation_id":"' || r.installation_id
    || '","timestamp":"' || ${isoText('r.at')} || '","kwh":' || ${kwh('r.microkwh')}
    || ',"most_kwh":' || ${kwh('r.most_microkwh')} || ',"interval_seconds":' || trim_scale(r.interval_ms * 0.001)
    || ',"received_at":"' || ${isoText('r.received_at')} || '"}'`,
  counts: {
    table: 'quarantine_counts',
    column: 'readings',
    // A version before counts by installation alone.
    totals: sql`(
        select company_id, installer_id, readings, changes from quarantine_totals where installer_id = ${$.installerId}
        union all
        select company_id, installer_id, readings - summed_readings, changes - summed_changes from quarantine_counts
        where installer_id = ${$.installerId} and changes - summed_changes > 0)`,
  },
}))
