import type { Db } from '../../../platform/db.ts'
import { decimal, instant, integer, row, select, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import type { Scope } from '../../kernel/context.ts'
import { type ExpectedPanel, learntDays, type PanelDay } from './coverage.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'

const epoch = raw(`date '1970-01-01'`)

/** A panel of an installation, as far as it matters when it should report. */
export interface PanelThere {
  id: string
  name: string
  capacityKw: string
  status: string
  createdAt: Date
  deletedAt: Date | null
  /** The first and the last day with readings; null where there are none. */
  firstDay: Day | null
  lastDay: Day | null
  /** Those of its first day, as `hours` of the roll-ups with commas between. */
  firstHours: string | null
}

const panelThere = row<PanelThere>({
  id: text,
  name: text,
  capacityKw: decimal,
  status: text,
  createdAt: instant,
  deletedAt: instant,
  firstDay: integer,
  lastDay: integer,
  firstHours: text,
})

/** The panels that an installation ever had, or one of them. */
export const listPanelsThere = many(
  panelThere,
  ($: Params<{ installerId: string; installationId: string; panelId: string | null }>) => {
    const days = sql`from panel_days where installer_id = ${$.installerId} and panel_id = p.id order by day`
    const computed = {
      firstDay: sql`f.day - ${epoch}`,
      firstHours: sql`array_to_string(f.hours, ',', '')`,
      lastDay: sql`l.day - ${epoch}`,
    }
    return sql`select ${select(panelThere, 'p', computed)}
      from panels p left join lateral (select day, hours ${days} limit 1) f on true
        left join lateral (select day ${days} desc limit 1) l on true
      where p.installer_id = ${$.installerId} and p.installation_id = ${$.installationId}
        and (${$.panelId}::text is null or p.id = ${$.panelId})
      order by p.id`
  },
)

const daysToCover = many(
  row<{ id: string; day: Day; readings: number; hours: string }>({
    id: text,
    day: integer,
    readings: integer,
    hours: text,
  }),
  ($: Params<{ installerId: string; panelIds: readonly string[]; firstDay: string; lastDay: string }>) => {
    const days = sql`select day, readings, hours from panel_days
        where installer_id = ${$.installerId} and panel_id = p.id`
    return sql`select p.id, d.day - ${epoch} as day, d.readings, array_to_string(d.hours, ',', '') as hours
      from unnest(${$.panelIds}::text[]) as p (id) cross join lateral (
        ${days} and day between ${$.firstDay} and ${$.lastDay}
        union all (${days} and day < ${$.firstDay} order by day desc limit ${raw(learntDays)})
      ) d order by d.day`
  },
)

/** What panels reported in some days, and on the last ones before these. */
export async function listPanelDays(
  db: Db,
  installerId: string,
  panelIds: readonly string[],
  { first, last }: DayRange,
): Promise<Map<string, Pick<ExpectedPanel, 'before' | 'days'>>> {
  const range = { firstDay: dayText(first), lastDay: dayText(last) }
  const found = new Map<string, { before: PanelDay[]; days: PanelDay[] }>()
  for (const { id, day, readings, hours } of await daysToCover(db, { installerId, panelIds, ...range })) {
    const of = found.get(id) ?? { before: [], days: [] }
    found.set(id, of)
    const one = { day, readings, hours: hours.split(',').map((made) => made !== '') }
    // The latest first.
    if (day < first) of.before.unshift(one)
    else of.days.push(one)
  }
  return found
}

/** Keeps readings of an installation from coming in meanwhile; null where somebody writes some just now. */
export const lockToCover = maybeOne(
  row<{ version: number }>({ version: integer }),
  ($: Params<{ installerId: string; id: string }>) => sql`
    select version from installations where installer_id = ${$.installerId} and id = ${$.id}
    for no key update skip locked`,
)

/** The hours of a month, day by day. */
export interface CoveredMonth {
  /** Its first day. */
  month: Day
  expected: number[]
  covered: number[]
}

/** `months` are JSON of `CoveredMonth`. */
export const keepCoveredMonths = run(
  ($: Params<{ installerId: string; installationId: string; version: number; months: string }>) => sql`
    insert into coverage_months (installer_id, installation_id, month, version, expected, covered, expected_hours,
      covered_hours)
    select ${$.installerId}, ${$.installationId}, ${epoch} + m.month, ${$.version}, m.expected, m.covered,
      (select sum(e) from unnest(m.expected) e), (select sum(c) from unnest(m.covered) c)
    from json_to_recordset(${$.months}) as m(month integer, expected real[], covered real[])
    on conflict (installer_id, installation_id, month) do update set version = excluded.version,
      expected = excluded.expected, covered = excluded.covered, expected_hours = excluded.expected_hours,
      covered_hours = excluded.covered_hours`,
)

interface InRange {
  installerId: string
  firstDay: string
  lastDay: string
}

/**
 * What is kept of the months that a range touches, as `month:expected:covered`: sums of whole months, and day by day
 * where the range cuts one. For a statement whose installation is `i`.
 */
export const storedCoverage = ({ installerId, firstDay, lastDay }: Params<InRange>): Fragment => sql`(
  select coalesce(string_agg((c.month - ${epoch}) || ':' || case
      when c.month >= ${firstDay} and c.month + interval '1 month' <= ${lastDay}::date + 1
        then c.expected_hours || ':' || c.covered_hours
      else array_to_string(c.expected, ',') || ':' || array_to_string(c.covered, ',') end, ' '), '')
  from coverage_months c where c.installer_id = ${installerId} and c.installation_id = i.id and c.version = i.version
    and c.month between date_trunc('month', ${firstDay}::date)::date and ${lastDay})`

/** An installation with what is kept of its coverage. */
export interface InstallationToCover {
  id: string
  region: string
  timezone: string
  panelCount: number
  kept: string
}

const toCover = row<InstallationToCover>({
  id: text,
  region: text,
  timezone: text,
  panelCount: integer,
  kept: text,
})

export const listInstallationsToCover = many(
  toCover,
  ($: Params<InRange & Pick<Scope, 'companyId'>>) => sql`
    select ${select(toCover, 'i', { kept: storedCoverage($) })} from installations i
    where i.installer_id = ${$.installerId} and (${$.companyId}::text is null or i.company_id = ${$.companyId})
    order by i.id`,
)
