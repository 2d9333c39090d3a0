import type { Db, Statement } from '../../../platform/db.ts'
import type { Reach } from '../../kernel/context.ts'
import type { Panel, Readings } from './batch.ts'
import type { DaySum } from './day-sums.ts'

// Lists go as one array each, written here: ids hold nothing that an array's text would have to escape, and the
// driver's own writing of arrays takes longer than the insert. Joined, as a text put together with + is copied among
// the objects that live long when it is sent.
const array = (values: readonly (string | number)[]) => ['{', values.join(','), '}'].join('')

const findPanelsStatement: Statement = {
  name: 'find-panels-of-readings',
  text: `select coalesce(string_agg(id || ' ' || installation_id || ' ' || capacity_kw, ' ' order by id collate "C"), '') as found from panels
    where installer_id = $1 and id = any($2::text[]) and ($3::text is null or company_id = $3) and deleted_at is null`,
}

/** Those of the panels that are there for the caller, in order. */
export async function findPanels(
  db: Db,
  { installerId, companyId }: Reach,
  panelIds: readonly string[],
): Promise<Panel[]> {
  if (panelIds.length === 0) return []
  const [row] = await db.query<{ found: string }>(findPanelsStatement, [
    installerId,
    array(panelIds),
    companyId,
  ])
  const words = row!.found === '' ? [] : row!.found.split(' ')
  const panels: Panel[] = []
  for (let i = 0; i < words.length; i += 3) {
    const before = panels.at(-1)?.installationId
    // One text for all panels of an installation.
    const installationId = before === words[i + 1] ? before! : words[i + 1]!
    panels.push({ id: words[i]!, installationId, capacityKw: Number(words[i + 2]) })
  }
  return panels
}

const lockInstallationsStatement: Statement = {
  name: 'lock-installations',
  text: `select id, timezone from installations where installer_id = $1 and id = any($2::text[])
    order by id for no key update`,
}

export interface LockedInstallation {
  id: string
  timezone: string
}

/** Holds what readings are summed into until the transaction ends. */
export function lockInstallations(
  tx: Db,
  installerId: string,
  ids: readonly string[],
): Promise<LockedInstallation[]> {
  return tx.query<LockedInstallation>(lockInstallationsStatement, [installerId, array(ids)])
}

export const sent = `unnest($2::text[], $3::float8[], $4::bigint[]) with ordinality as s (panel_id, ms, microkwh, ordinal)`
export const sentAt = 'to_timestamp(s.ms / 1000)::timestamptz(3)'
export const sentValues = (installerId: string, { panelIds, at, microkwh }: Readings) => [
  installerId,
  array(panelIds),
  array(at),
  array(microkwh),
]

const insertReadingsStatement: Statement = {
  name: 'insert-readings',
  text: `insert into readings (installer_id, panel_id, at, microkwh)
    select $1, s.panel_id, ${sentAt}, s.microkwh from ${sent}`,
}

/** Adds readings that are not there yet; one that is, fails. */
export async function insertReadings(tx: Db, installerId: string, readings: Readings): Promise<void> {
  await tx.query(insertReadingsStatement, sentValues(installerId, readings))
}

export function isKnownReading(error: unknown): boolean {
  const { code, table } = error as { code?: string; table?: string }
  return code === '23505' && table?.startsWith('readings_') === true
}

// Looked up one by one: a join could be planned as going through all readings of the tenant.
const findReadingsStatement: Statement = {
  name: 'find-readings',
  text: `select (s.ordinal - 1)::int as index, r.microkwh from ${sent} cross join lateral (
      select microkwh from readings where installer_id = $1 and panel_id = s.panel_id and at = ${sentAt} offset 0
    ) r`,
}

/** The values that are there for these panels and times, by their place in the list. */
export async function findReadings(
  tx: Db,
  installerId: string,
  readings: Readings,
): Promise<Map<number, number>> {
  const values = sentValues(installerId, readings)
  const rows = await tx.query<{ index: number; microkwh: number }>(findReadingsStatement, values)
  return new Map(rows.map(({ index, microkwh }) => [index, microkwh]))
}

const replaceReadingsStatement: Statement = {
  name: 'replace-readings',
  text: `${insertReadingsStatement.text}
    on conflict (installer_id, panel_id, at) do update set microkwh = excluded.microkwh`,
}

/** Gives readings that are there new values. */
export async function replaceReadings(tx: Db, installerId: string, readings: Readings): Promise<void> {
  await tx.query(replaceReadingsStatement, sentValues(installerId, readings))
}

type DayTable = 'panel_days' | 'installation_days'
/** Whether the sums are of one hour of their day each, or of several. */
type Slots = 'one' | 'many'

/**
 * Adds to days that are there, and answers how many were. Most days of a batch get one hour of theirs (what all panels
 * made in the last hour), and an array's element is set in place three times as fast as arrays are added up. Guarded, it
 * leaves a panel's day alone where readings are there that the new ones have to be held against one by one.
 */
function addStatement(table: DayTable, slots: Slots, guarded: boolean): Statement {
  const { id, sent, panels } = shapeOf(table, slots)
  const hours =
    slots === 'one'
      ? 'hours[s.hours] = coalesce(d.hours[s.hours], 0) + s.microkwh'
      : 'hours = array(select coalesce(a + b, a, b) from unnest(d.hours, s.hours::bigint[]) as h (a, b))'
  const more = panels
    ? 'panels = d.panels + s.panels'
    : `last_at = case when d.last_at is not null then greatest(d.last_at, ${msAt('s.last')}) end`
  // How complete the month is, is not known any more, nor of those after it, which learn from it what is usual.
  const forgotten = panels
    ? `, forgotten as (
        delete from coverage_months c using ${sent} where c.installer_id = $1 and c.installation_id = s.id
          and c.month > ${day} - extract(day from ${day})::int
      )`
    : ''
  const guard = guarded ? ` and d.last_at <= ${msAt('s.latest')} and ${unquarantined}` : ''
  return {
    name: `add-to-${table}-${slots}${guarded ? '-guarded' : ''}`,
    text: `with added as (
        update ${table} d set microkwh = d.microkwh + s.microkwh, readings = d.readings + s.readings, ${more}, ${hours}
        from ${sent} where d.installer_id = $1 and d.${id} = s.id and d.day = ${day}${guard} returning 1
      )${forgotten}
      select count(*)::int as added from added`,
  }
}

/**
 * Makes the days that are not there, and answers which, and the panel's last reading on the day before. Nobody else makes
 * the same day meanwhile, as the installation is held; ON CONFLICT would lock each row beforehand.
 */
function makeStatement(table: DayTable, slots: Slots, guarded: boolean): Statement {
  const { id, sent, panels } = shapeOf(table, slots)
  const hours =
    slots === 'one' ? 'array_fill(null::bigint, array[s.hours - 1]) || s.microkwh' : 's.hours::bigint[]'
  const more = panels ? ['panels', 's.panels'] : ['last_at', msAt('s.last')]
  const before = `left join panel_days b on b.installer_id = $1 and b.panel_id = s.id and b.day = ${day} - 1`
  return {
    name: `make-${table}-${slots}${guarded ? '-guarded' : ''}`,
    text: `with missing as materialized (
        select s.* from ${sent} where not exists (
          select from ${table} where installer_id = $1 and ${id} = s.id and day = ${day} offset 0)${guarded ? ` and ${unquarantined}` : ''}
      ), made as (
        insert into ${table} (installer_id, ${id}, day, microkwh, readings, hours, ${more[0]})
        select $1, s.id, ${day}, s.microkwh, s.readings, ${hours}, ${more[1]} from missing s
      )
      select s.place::int${guarded ? ', b.panel_id is not null as followed, (extract(epoch from b.last_at) * 1000)::float8 as "lastMs"' : ''}
      from missing s ${guarded ? before : ''}`,
  }
}

const day = `(date '1970-01-01' + s.number)`
const msAt = (ms: string) => `to_timestamp(${ms} / 1000)::timestamptz(3)`
// Of what is quarantined the roll-ups know nothing. Mostly there is nothing, which is found once for all rows.
const unquarantined = `s.id not in (
          select q.panel_id from quarantined_readings q where q.installer_id = $1 and q.at between $9 and $10)`

function shapeOf(table: DayTable, slots: Slots) {
  const panels = table === 'installation_days'
  const more = panels ? ['$7::int[]', 'panels'] : ['$7::float8[], $8::float8[]', 'last, latest']
  return {
    panels,
    id: panels ? 'installation_id' : 'panel_id',
    sent: `unnest($2::text[], $3::int[], $4::bigint[], $5::int[], $6::${slots === 'one' ? 'int' : 'text'}[], ${more[0]})
      with ordinality as s (id, number, microkwh, readings, hours, ${more[1]}, place)`,
  }
}

const statementsOf = (table: DayTable, slots: Slots, guarded: boolean) => ({
  add: addStatement(table, slots, guarded),
  make: makeStatement(table, slots, guarded),
})
const bySlots = (table: DayTable, guarded: boolean) => ({
  one: statementsOf(table, 'one', guarded),
  many: statementsOf(table, 'many', guarded),
})
const ofPanels = bySlots('panel_days', false)
const ofPanelsGuarded = bySlots('panel_days', true)
const ofInstallations = bySlots('installation_days', false)

/** A panel's day that had no readings. */
export interface MadeDay {
  sum: DaySum
  /** Where guarded: whether there is a day before, and its last reading, where that is known. */
  followed: boolean
  lastMs: number | null
}

/** Between these, quarantined readings make a panel's be looked at one by one. */
export interface Guard {
  from: Date
  until: Date
}

/**
 * Adds sums to panels' days; answers those whose days had no readings before. Null where some were left alone by the
 * guard.
 */
export async function addPanelDays(
  tx: Db,
  installerId: string,
  panels: readonly { id: string }[],
  sums: readonly DaySum[],
  guard: Guard | null,
): Promise<MadeDay[] | null> {
  const made: MadeDay[] = []
  for (const { slots, some, values } of parted(installerId, panels, sums)) {
    values.push(array(some.map(({ last }) => last)), array(some.map(({ latest }) => latest)))
    if (guard) values.push(guard.from.toISOString(), guard.until.toISOString())
    const { add, make } = (guard ? ofPanelsGuarded : ofPanels)[slots]
    const [row] = await tx.query<{ added: number }>(add, values)
    let left = some.length - row!.added
    if (left === 0) continue
    type Row = { place: number; followed?: boolean; lastMs?: number | null }
    for (const { place, followed = false, lastMs = null } of await tx.query<Row>(make, values)) {
      made.push({ sum: some[place - 1]!, followed, lastMs })
      left--
    }
    if (left > 0) return null
  }
  return made
}

/** Adds sums to installations' days. */
export async function addInstallationDays(
  tx: Db,
  installerId: string,
  installations: readonly { id: string }[],
  sums: readonly DaySum[],
): Promise<void> {
  for (const { slots, some, values } of parted(installerId, installations, sums)) {
    values.push(array(some.map(({ panels }) => panels)))
    const { add, make } = ofInstallations[slots]
    const [row] = await tx.query<{ added: number }>(add, values)
    if (row!.added < some.length) await tx.query(make, values)
  }
}

function* parted(installerId: string, owners: readonly { id: string }[], sums: readonly DaySum[]) {
  for (const slots of ['one', 'many'] as const) {
    const some = sums.filter((sum) => (sum.hours === null) === (slots === 'one'))
    if (some.length === 0) continue
    const values: string[] = [
      installerId,
      array(some.map(({ of }) => owners[of]!.id)),
      array(some.map(({ day }) => day)),
      array(some.map(({ microkwh }) => microkwh)),
      array(some.map(({ readings }) => readings)),
      array(some.map((sum) => (sum.hours === null ? sum.slot : hoursText(sum.hours)))),
    ]
    yield { slots, some, values }
  }
}

function hoursText(hours: readonly number[]): string {
  let text = ''
  for (let slot = 1; slot < hours.length; slot++) text += `${slot === 1 ? '' : ','}${hours[slot] ?? 'NULL'}`
  return `"{${text}}"`
}
