import type { Db } from '../../../platform/db.ts'
import { boolean, float, integer, row } from '../../../platform/sql/row.ts'
import { empty, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, one, run } from '../../../platform/sql/statements.ts'
import type { DaySum } from './day-sums.ts'
import { array, msAt } from './reading-queries.ts'

type DayTable = 'panel_days' | 'installation_days'
/** Whether the sums are of one hour of their day each, or of several. */
type Slots = 'one' | 'many'

/** Sums to be added to days: each list an array's text. */
interface SentSums {
  installerId: string
  slots: Slots
  ids: string
  days: string
  microkwh: string
  readings: string
  hours: string
  /** Of installations. */
  panels: string
  /** Of panels. */
  last: string
  latest: string
  /** Where guarded. */
  from: string | null
  until: string | null
}

const day = raw(`(date '1970-01-01' + s.number)`)

function fragmentsOf(table: DayTable, $: Params<SentSums>) {
  const ofPanels = table === 'panel_days'
  const hours = pick($.slots, { one: sql`${$.hours}::int[]`, many: sql`${$.hours}::text[]` })
  const more = ofPanels ? sql`${$.last}::float8[], ${$.latest}::float8[]` : sql`${$.panels}::int[]`
  return {
    ofPanels,
    id: raw(ofPanels ? 'panel_id' : 'installation_id'),
    sent: sql`unnest(${$.ids}::text[], ${$.days}::int[], ${$.microkwh}::bigint[], ${$.readings}::int[], ${hours}, ${more})
      with ordinality as s (id, number, microkwh, readings, hours, ${raw(ofPanels ? 'last, latest' : 'panels')}, place)`,
    // Of what is quarantined the roll-ups know nothing. Mostly there is nothing, which is found once for all rows.
    isUnquarantined: sql`s.id not in (select q.panel_id from quarantined_readings q
          where q.installer_id = ${$.installerId} and q.at between ${$.from} and ${$.until})`,
  }
}

/**
 * Adds to days that are there, and answers how many were. Most days of a batch get one hour of theirs (what all panels
 * made in the last hour), and an array's element is set in place three times as fast as arrays are added up. Guarded, it
 * leaves a panel's day alone where readings are there that the new ones have to be held against one by one.
 */
const addTo = (table: DayTable) =>
  one(row<{ added: number }>({ added: integer }), ($: Params<SentSums>) => {
    const { id, sent, ofPanels, isUnquarantined } = fragmentsOf(table, $)
    const hours = pick($.slots, {
      one: sql`hours[s.hours] = coalesce(d.hours[s.hours], 0) + s.microkwh`,
      many: sql`hours = array(select coalesce(a + b, a, b) from unnest(d.hours, s.hours::bigint[]) as h (a, b))`,
    })
    const more = ofPanels
      ? sql`last_at = case when d.last_at is not null then greatest(d.last_at, ${msAt('s.last')}) end`
      : sql`panels = d.panels + s.panels`
    const guard = ofPanels
      ? when($.from, sql`and d.last_at <= ${msAt('s.latest')} and ${isUnquarantined}`)
      : empty
    // How complete the month is, is not known any more, nor of those after it, which learn from it what is usual.
    const forgotten = ofPanels
      ? empty
      : sql`, forgotten as (
        delete from coverage_months c using ${sent} where c.installer_id = ${$.installerId} and c.installation_id = s.id
          and c.month > ${day} - extract(day from ${day})::int
      )`
    return sql`with added as (
        update ${raw(table)} d set microkwh = d.microkwh + s.microkwh, readings = d.readings + s.readings, ${more}, ${hours}
        from ${sent} where d.installer_id = ${$.installerId} and d.${id} = s.id and d.day = ${day} ${guard} returning 1
      )${forgotten}
      select count(*)::int as added from added`
  })

/** The days of a list that are not there, as `missing`, made; nobody else makes the same day meanwhile, as the
 * installation is held: ON CONFLICT would lock each row beforehand.
 */
function insertMissing(table: DayTable, $: Params<SentSums>) {
  const { id, sent, ofPanels, isUnquarantined } = fragmentsOf(table, $)
  const hours = pick($.slots, {
    one: sql`array_fill(null::bigint, array[s.hours - 1]) || s.microkwh`,
    many: sql`s.hours::bigint[]`,
  })
  const [column, value] = ofPanels ? [raw('last_at'), msAt('s.last')] : [raw('panels'), raw('s.panels')]
  return sql`with missing as materialized (
        select s.* from ${sent} where not exists (
          select from ${raw(table)} where installer_id = ${$.installerId} and ${id} = s.id and day = ${day} offset 0)
          ${ofPanels ? when($.from, sql`and ${isUnquarantined}`) : empty}
      ), made as (
        insert into ${raw(table)} (installer_id, ${id}, day, microkwh, readings, hours, ${column})
        select ${$.installerId}, s.id, ${day}, s.microkwh, s.readings, ${hours}, ${value} from missing s
      )`
}

const addToPanelDays = addTo('panel_days')
const addToInstallationDays = addTo('installation_days')

/** Answers which were made, and, where guarded, the panel's last reading on the day before. */
const insertPanelDays = many(
  row<{ place: number; followed: boolean; lastMs: number | null }>({
    place: integer,
    followed: boolean,
    lastMs: float,
  }),
  ($: Params<SentSums>) => sql`${insertMissing('panel_days', $)}
      select s.place::int, ${when(
        $.from,
        sql`b.panel_id is not null as followed, (extract(epoch from b.last_at) * 1000)::float8 as "lastMs"
        from missing s left join panel_days b
          on b.installer_id = ${$.installerId} and b.panel_id = s.id and b.day = ${day} - 1`,
        sql`false as followed, null::float8 as "lastMs" from missing s`,
      )}`,
)

/** A day that is later than all before is kept beside its installation too, which is held. */
const insertInstallationDays = run(
  ($: Params<SentSums>) => sql`${insertMissing('installation_days', $)}
    update installations i set last_day = latest.day
    from (select s.id, max(${day}) as day from missing s group by s.id) latest
    where i.installer_id = ${$.installerId} and i.id = latest.id and (i.last_day is null or i.last_day < latest.day)`,
)

/** A panel's day that had no readings. */
export interface AddedDay {
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
): Promise<AddedDay[] | null> {
  const made: AddedDay[] = []
  for (const { some, sums: own } of parted(installerId, panels, sums)) {
    const sent = {
      ...own,
      last: array(some.map(({ last }) => last)),
      latest: array(some.map(({ latest }) => latest)),
      from: guard?.from.toISOString() ?? null,
      until: guard?.until.toISOString() ?? null,
    }
    let left = some.length - (await addToPanelDays(tx, sent)).added
    if (left === 0) continue
    for (const { place, followed, lastMs } of await insertPanelDays(tx, sent)) {
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
  for (const { some, sums: own } of parted(installerId, installations, sums)) {
    const sent = { ...own, panels: array(some.map(({ panels }) => panels)) }
    const { added } = await addToInstallationDays(tx, sent)
    if (added < some.length) await insertInstallationDays(tx, sent)
  }
}

/** Those of one hour and those of several, with what panels and installations have alike. */
function* parted(installerId: string, owners: readonly { id: string }[], all: readonly DaySum[]) {
  for (const slots of ['one', 'many'] as const) {
    const some = all.filter((sum) => (sum.hours === null) === (slots === 'one'))
    if (some.length === 0) continue
    const sums: SentSums = {
      installerId,
      slots,
      ids: array(some.map(({ of }) => owners[of]!.id)),
      days: array(some.map(({ day }) => day)),
      microkwh: array(some.map(({ microkwh }) => microkwh)),
      readings: array(some.map(({ readings }) => readings)),
      hours: array(some.map((sum) => (sum.hours === null ? sum.slot : hoursText(sum.hours)))),
      ...unsent,
    }
    yield { some, sums }
  }
}

const unsent = { panels: '', last: '', latest: '', from: null, until: null }

function hoursText(hours: readonly number[]): string {
  let text = ''
  for (let slot = 1; slot < hours.length; slot++) text += `${slot === 1 ? '' : ','}${hours[slot] ?? 'NULL'}`
  return `"{${text}}"`
}
