import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import type { App } from './app.ts'
import type { TestDatabase } from './database.ts'
import type { Actors } from './factories.ts'

/** An installation with panels, put there by SQL so that it may have any clock; answers the ids. */
export async function site(
  { rows }: Pick<TestDatabase, 'rows'>,
  { company }: Pick<Actors, 'company'>,
  timezone: string,
  panels = 1,
  capacityKw = 1,
): Promise<{ installation: string; panels: string[] }> {
  const installation = newId('inst')
  const ids = Array.from({ length: panels }, () => newId('pnl'))
  await rows(
    `insert into installations (installer_id, id, company_id, name, address, region, timezone, panel_count, panels_kw, created_at)
     values ($1, $2, $3, 'Roof', '1 Market St', 'XX', $4, $5::int, $5::int * $6::numeric, now())`,
    [company.installerId, installation, company.id, timezone, panels, capacityKw],
  )
  await rows(
    `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at)
     select $1, id, $2, $3, 'Panel', $5, 'active', now() from unnest($4::text[]) id`,
    [company.installerId, company.id, installation, ids, capacityKw],
  )
  await rows(
    `insert into panel_counts as c (installer_id, company_id, status, panels) values ($1, $2, 'active', $3::int)
     on conflict (installer_id, company_id, status) do update set panels = c.panels + $3::int`,
    [company.installerId, company.id, panels],
  )
  return { installation, panels: ids }
}

/** The same with panels so large that nothing is more than they can make. */
export function boundlessSite(
  database: Pick<TestDatabase, 'rows'>,
  of: Pick<Actors, 'company'>,
  timezone: string,
  panels = 1,
) {
  return site(database, of, timezone, panels, 9_000_000_000)
}

/**
 * As autovacuum does a minute later: what is planned for days of which there are few looks through all of a batch for
 * each of them.
 */
export async function learnSizes({ rows }: Pick<TestDatabase, 'rows'>): Promise<void> {
  await rows('analyze readings, panel_days, installation_days')
}

export interface Sent {
  panel_id: string
  timestamp: string
  kwh: number
}

export async function send(app: App, key: string, readings: readonly Sent[]) {
  const answer = await app.call('POST', '/catalog/v1/monitoring/readings', { key, body: { readings } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as {
    accepted: number
    updated: number
    quarantined: number
    rejected: { index: number; message: string }[]
    rejected_count: number
  }
}

export interface EnergyAnswer {
  data: { timestamp: string; kwh: number }[]
  summary: { total_kwh: number; average_daily_kwh: number; completeness_percent: number }
}

export async function energy(app: App, key: string, query: Record<string, string>): Promise<EnergyAnswer> {
  const answer = await app.get(`/catalog/v1/monitoring/energy?${new URLSearchParams(query)}`, key)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Each roll-up is what the readings say, to the last millionth; answers how many days were held against them. */
export async function checkRollUps({ rows }: Pick<TestDatabase, 'rows'>): Promise<number> {
  const wrong = await rows(`
    with local as (
      select r.installer_id, r.panel_id, p.installation_id, (r.at at time zone i.timezone)::date as day, r.microkwh
      from readings r join panels p on p.installer_id = r.installer_id and p.id = r.panel_id
      join installations i on i.installer_id = p.installer_id and i.id = p.installation_id
    ), truth as (
      select 'panel' as kind, installer_id, panel_id as id, day, sum(microkwh) as microkwh, count(*) as readings, 1 as panels
      from local group by installer_id, panel_id, day
      union all
      select 'installation', installer_id, installation_id, day, sum(microkwh), count(*), count(distinct panel_id)
      from local group by installer_id, installation_id, day
    ), kept as (
      select 'panel' as kind, installer_id, panel_id as id, day, microkwh, readings, 1 as panels, hours from panel_days
      union all
      select 'installation', installer_id, installation_id, day, microkwh, readings, panels, hours from installation_days
    )
    select * from truth full join kept using (kind, installer_id, id, day)
    where (truth.microkwh, truth.readings, truth.panels) is distinct from (kept.microkwh, kept.readings, kept.panels)
      or kept.microkwh is distinct from (select sum(h) from unnest(kept.hours) h)`)
  assert.deepEqual(wrong, [])
  const [counted] = await rows<{ days: number }>(
    'select (select count(*) from panel_days) + (select count(*) from installation_days) as days',
  )
  return counted!.days
}

/** The beginning of the hour that the clock shows, as Temporal has it. */
export function hourOf(zoned: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const hour = zoned.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  // A full hour that the clock leaves out is moved to behind the gap (Chatham): the hour begins with the gap's end.
  if (hour.epochMilliseconds <= zoned.epochMilliseconds) return hour
  return zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')!
}
