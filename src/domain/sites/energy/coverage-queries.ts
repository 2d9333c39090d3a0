import type { Db, Statement } from '../../../platform/db.ts'
import { type ExpectedPanel, learntDays, type PanelDay } from './coverage.ts'
import { type Day, type DayRange, dayText } from './local-time.ts'

const epoch = `date '1970-01-01'`

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

const panelsStatement: Statement = {
  name: 'panels-to-cover',
  text: `select p.id, p.name, p.capacity_kw as "capacityKw", p.status, p.created_at as "createdAt",
      p.deleted_at as "deletedAt", f.day - ${epoch} as "firstDay", array_to_string(f.hours, ',', '') as "firstHours",
      l.day - ${epoch} as "lastDay"
    from panels p left join lateral (
      select day, hours from panel_days where installer_id = $1 and panel_id = p.id order by day limit 1
    ) f on true left join lateral (
      select day from panel_days where installer_id = $1 and panel_id = p.id order by day desc limit 1
    ) l on true
    where p.installer_id = $1 and p.installation_id = $2 and ($3::text is null or p.id = $3) order by p.id`,
}

/** The panels that an installation ever had, or one of them. */
export function listPanelsThere(
  db: Db,
  installerId: string,
  installationId: string,
  panelId: string | null,
): Promise<PanelThere[]> {
  return db.query<PanelThere>(panelsStatement, [installerId, installationId, panelId])
}

const daysStatement: Statement = {
  name: 'days-to-cover',
  text: `select p.id, d.day - ${epoch} as day, d.readings, array_to_string(d.hours, ',', '') as hours
    from unnest($2::text[]) as p (id) cross join lateral (
      select day, readings, hours from panel_days where installer_id = $1 and panel_id = p.id and day between $3 and $4
      union all (
        select day, readings, hours from panel_days where installer_id = $1 and panel_id = p.id and day < $3
        order by day desc limit ${learntDays})
    ) d order by d.day`,
}

/** What panels reported in some days, and on the last ones before these. */
export async function listPanelDays(
  db: Db,
  installerId: string,
  panelIds: readonly string[],
  { first, last }: DayRange,
): Promise<Map<string, Pick<ExpectedPanel, 'before' | 'days'>>> {
  const rows = await db.query<{ id: string; day: Day; readings: number; hours: string }>(daysStatement, [
    installerId,
    panelIds,
    dayText(first),
    dayText(last),
  ])
  const found = new Map<string, { before: PanelDay[]; days: PanelDay[] }>()
  for (const { id, day, readings, hours } of rows) {
    const of = found.get(id) ?? { before: [], days: [] }
    found.set(id, of)
    const one = { day, readings, hours: hours.split(',').map((made) => made !== '') }
    // The latest first.
    if (day < first) of.before.unshift(one)
    else of.days.push(one)
  }
  return found
}

const lockStatement: Statement = {
  name: 'lock-installation-to-cover',
  text: `select version from installations where installer_id = $1 and id = $2 for no key update skip locked`,
}

/** Keeps readings of an installation from coming in meanwhile; null where somebody writes some just now. */
export async function lockToCover(tx: Db, installerId: string, id: string): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(lockStatement, [installerId, id])
  return row?.version ?? null
}

/** The hours of a month, day by day. */
export interface CoveredMonth {
  /** Its first day. */
  month: Day
  expected: number[]
  covered: number[]
}

const keepStatement: Statement = {
  name: 'keep-covered-months',
  text: `insert into coverage_months (installer_id, installation_id, month, version, expected, covered, expected_hours,
      covered_hours)
    select $1, $2, ${epoch} + m.month, $3, m.expected, m.covered, (select sum(e) from unnest(m.expected) e),
      (select sum(c) from unnest(m.covered) c)
    from json_to_recordset($4) as m(month integer, expected real[], covered real[])
    on conflict (installer_id, installation_id, month) do update set version = excluded.version,
      expected = excluded.expected, covered = excluded.covered, expected_hours = excluded.expected_hours,
      covered_hours = excluded.covered_hours`,
}

export async function keepCoveredMonths(
  tx: Db,
  installerId: string,
  installationId: string,
  version: number,
  months: readonly CoveredMonth[],
): Promise<void> {
  await tx.query(keepStatement, [installerId, installationId, version, JSON.stringify(months)])
}

/**
 * What is kept of the months that a range touches, as `month:expected:covered`: sums of whole months, and day by day
 * where the range cuts one. For a statement whose installation is `i`, and whose range is $4 to $5.
 */
export const keptCoverage = `(
  select coalesce(string_agg((c.month - ${epoch}) || ':' || case
      when c.month >= $4 and c.month + interval '1 month' <= $5::date + 1 then c.expected_hours || ':' || c.covered_hours
      else array_to_string(c.expected, ',') || ':' || array_to_string(c.covered, ',') end, ' '), '')
  from coverage_months c where c.installer_id = $1 and c.installation_id = i.id and c.version = i.version
    and c.month between date_trunc('month', $4::date)::date and $5)`

const accountStatement: Statement = {
  name: 'coverage-of-account',
  text: `select i.id, i.region, i.timezone, i.panel_count as "panelCount", ${keptCoverage} as kept
    from installations i where i.installer_id = $1 and ($2::text is null or i.company_id = $2) and $3::text is null
    order by i.id`,
}

/** An installation with what is kept of its coverage. */
export interface InstallationToCover {
  id: string
  region: string
  timezone: string
  panelCount: number
  kept: string
}

export function listInstallationsToCover(
  db: Db,
  installerId: string,
  companyId: string | null,
  { first, last }: DayRange,
): Promise<InstallationToCover[]> {
  return db.query<InstallationToCover>(accountStatement, [
    installerId,
    companyId,
    null,
    dayText(first),
    dayText(last),
  ])
}
