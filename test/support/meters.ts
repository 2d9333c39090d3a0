import assert from 'node:assert/strict'
import { runMonth } from '../../src/domain/billing/runs/run-month.ts'
import { startApp } from './app.ts'
import { createWorld } from './factories.ts'
import { plansPath } from './invoices.ts'
import { installation, panel, wholeList } from './panels.ts'

export interface MeterReading {
  panel_id: string
  timestamp: string
  kwh: number
}

const api = '/catalog/v1/monitoring'
export const zone = 'America/Denver'
const capacity_kw = 0.4
/** capacity × 1.3 for an hour. */
export const maxInAnHour = 0.52

export const at = (panel_id: string, timestamp: string, kwh: unknown) =>
  ({ panel_id, timestamp, kwh }) as MeterReading

/** What a call answers, where it says nothing else. */
export const only = (what: { accepted?: number; updated?: number; quarantined?: number }) => ({
  accepted: 0,
  updated: 0,
  quarantined: 0,
  rejected: [] as number[],
  ...what,
})

export const lastDay = (month: string) =>
  `${month}-${String(Temporal.PlainYearMonth.from(month).daysInMonth).padStart(2, '0')}`
export const daysOf = (month: string) =>
  Array.from(
    { length: Number(lastDay(month).slice(8)) },
    (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`,
  )
export const sum = (readings: readonly MeterReading[]) =>
  readings.reduce((total, { kwh }) => total + Math.round(kwh * 1e6), 0) / 1e6

/** A day of a fair sky: from sunrise to sunset, every so many minutes; with zeros at night where asked for. */
export function sunnyDay(
  panel_id: string,
  day: string,
  { minutes = 60, sunrise = 7, sunset = 18, timezone = zone, nights = false } = {},
): MeterReading[] {
  const found: MeterReading[] = []
  const midnight = Temporal.PlainDate.from(day).toZonedDateTime(timezone)
  const next = midnight.add({ days: 1 })
  for (let t = midnight; Temporal.ZonedDateTime.compare(t, next) < 0; t = t.add({ minutes })) {
    const hour = t.hour + t.minute / 60
    const light = hour >= sunrise && hour < sunset
    if (!light && !nights) continue
    const part = light ? Math.sin((Math.PI * (hour + minutes / 120 - sunrise)) / (sunset - sunrise)) : 0
    const kwh = Math.max(0, Math.round(capacity_kw * 0.8 * part * (minutes / 60) * 1000) / 1000)
    found.push(at(panel_id, t.toInstant().toString(), kwh))
  }
  return found
}

/** One total a day, at 23:30 by the installation's clock. */
export function dailyTotal(panel_id: string, day: string, kwh = 2): MeterReading {
  const late = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '23:30' })
  return at(panel_id, late.toInstant().toString(), kwh)
}

interface Energy {
  data: { timestamp: string; kwh: number }[]
  summary: { total_kwh: number; average_daily_kwh: number; completeness_percent: number }
}

/** A server, a world, and what meters and those who bill by them do, through the catalogue API. */
export async function createMeters() {
  const app = await startApp()
  const world = await createWorld(app.database.db)
  const { installer } = world
  const { key } = installer

  async function post(readings: readonly unknown[], by = key) {
    const answer = await app.call('POST', `${api}/readings`, { key: by, body: { readings } })
    assert.equal(answer.status, 200, answer.text)
    const { accepted, updated, quarantined, rejected } = answer.body
    // Each reading is in exactly one of the three: updated is a part of accepted.
    assert.equal(accepted + quarantined + rejected.length, readings.length, answer.text)
    assert.ok(updated <= accepted)
    return { accepted, updated, quarantined, rejected: rejected.map((r: { index: number }) => r.index) }
  }

  async function sendAll(readings: readonly MeterReading[]) {
    for (let i = 0; i < readings.length; i += 5000) {
      const part = readings.slice(i, i + 5000)
      assert.deepEqual(await post(part), only({ accepted: part.length }))
    }
  }

  async function home(panels = 1, more: object = {}) {
    const id = await installation(app, installer, { region: 'US-CO', timezone: zone, ...more })
    const ids: string[] = []
    for (let i = 0; i < panels; i++)
      ids.push(await panel(app, installer, id, { capacity_kw, name: `Roof south ${i + 1}` }))
    return { id, panels: ids, panel: ids[0]! }
  }

  async function read(query: Record<string, string>): Promise<Energy> {
    const answer = await app.get(`${api}/energy?${new URLSearchParams(query)}`, key)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const monthOf = (id: string, month: string, granularity = 'daily') =>
    read({ installation_id: id, start_date: `${month}-01`, end_date: lastDay(month), granularity })

  /** What is in quarantine of an installation. */
  async function quarantined(installationId: string, by = key): Promise<(MeterReading & { id: string })[]> {
    const path = `${api}/quarantine?installation_id=${installationId}`
    return (await wholeList(app, by, path)) as (MeterReading & { id: string })[]
  }

  return {
    ...{ app, world, post, sendAll, home, read, monthOf, quarantined },
    complete: async (id: string, month: string) => (await monthOf(id, month)).summary.completeness_percent,
    /** A person says that the value is right after all, or that it goes. */
    judge: ({ id }: { id: string }, verdict: 'release' | 'drop', by = key) =>
      app.call('POST', `${api}/quarantine/${id}/${verdict}`, { key: by }),
    /** A person bills a held month all the same. */
    releaseMonth: (installationId: string, month: string, by = key, body?: object) =>
      app.call('POST', `${plansPath}/${installationId}/months/${month}/release`, {
        key: by,
        ...(body ? { body } : {}),
      }),
    async bill(id: string, month: string, now = new Date('2026-10-05T12:00:00Z')) {
      const outcomes = await runMonth(app.database.db, now, { month, installer: installer.company.id })
      return outcomes.find(({ installationId }) => installationId === id)!
    },
    async plan(id: string, more: object = {}) {
      const body = { kind: 'ppa', rate: 0.2, start_date: '2026-01-01', ...more }
      const answer = await app.call('PUT', `${plansPath}/${id}`, { key, body })
      assert.ok(answer.status < 300, answer.text)
    },
  }
}
