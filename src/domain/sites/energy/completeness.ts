import type { Database, Db } from '../../../platform/db.ts'
import { dayIn } from '../../kernel/days.ts'
import { type Coverage, coverageOf, type ExpectedPanel } from './coverage.ts'
import {
  type CoveredMonth,
  type InstallationToCover,
  keepCoveredMonths,
  listPanelDays,
  listPanelsThere,
  lockToCover,
  type PanelThere,
} from './coverage-queries.ts'
import { daysAt } from './daylight.ts'
import { bucketOf } from './energy.ts'
import { type Day, type DayRange, dayOf } from './local-time.ts'

const daysRead = 31 + 14
/** So many days of panels are read for one answer: some hundred milliseconds. The months counted are kept. */
export const maxPanelDays = 200_000

export type Counted = Pick<InstallationToCover, 'id' | 'region' | 'timezone' | 'panelCount' | 'kept'>

/**
 * How many hours of daylight an installation's panels should have reported in, of the days of a range that are over,
 * and in how many they did. What is not kept is counted, the latest months first, as far as `left` panel days go.
 */
export async function coverageIn(
  db: Database,
  installerId: string,
  of: Counted,
  range: DayRange,
  now: Date,
  left = { panelDays: maxPanelDays },
): Promise<Coverage> {
  const last = Math.min(range.last, dayOf(dayIn(of.timezone, now)) - 1)
  const kept = keptMonths(of.kept)
  const sum: Coverage = { expected: 0, covered: 0 }
  const missing: Day[] = []
  for (const month of monthsOf({ first: range.first, last })) {
    const there = kept.get(month)
    if (!there) missing.push(month)
    else addDays(sum, there, there.expected.length > 1 ? range : everyDay)
  }
  const maxDays = Math.floor(left.panelDays / (daysRead * Math.max(1, of.panelCount)))
  const counted = missing.slice(-Math.max(maxDays, left.panelDays > 0 ? 1 : 0))
  left.panelDays -= counted.length * daysRead * Math.max(1, of.panelCount)
  for (const one of await countAndKeep(db, installerId, of, counted, last)) addDays(sum, one, range)
  return sum
}

/** The same of one panel, of which nothing is kept. */
export async function panelCoverageIn(
  db: Db,
  installerId: string,
  of: Omit<Counted, 'kept' | 'panelCount'>,
  panelId: string,
  range: DayRange,
  now: Date,
): Promise<Coverage> {
  const last = Math.min(range.last, dayOf(dayIn(of.timezone, now)) - 1)
  const sum: Coverage = { expected: 0, covered: 0 }
  const panels = await listPanelsThere(db, { installerId, installationId: of.id, panelId })
  for (const month of monthsOf({ first: range.first, last })) {
    addDays(sum, monthOf(month, await countPanels(db, installerId, of, panels, month, last)), range)
  }
  return sum
}

/** A panel, and its coverage of each day of some. */
export interface PanelCoverage {
  panel: ExpectedPanel
  hours: Coverage[]
}

/** Panel by panel, of some days that are over. */
export async function coverageByPanel(
  db: Db,
  installerId: string,
  of: Omit<Counted, 'kept' | 'panelCount'>,
  { first, last }: DayRange,
): Promise<PanelCoverage[]> {
  const panels = await listPanelsThere(db, { installerId, installationId: of.id, panelId: null })
  const month = bucketOf('monthly', first)
  const counted = await countPanels(db, installerId, of, panels, month, last)
  return counted.map(({ panel, hours }) => ({ panel, hours: hours.slice(first - month) }))
}

/** As a percentage, rounded down to hundredths: 100 is said only of what is complete. */
export function percentOf({ expected, covered }: Coverage): number {
  if (expected === 0) return 0
  // Sums of what is kept as binary fractions come out a little less than whole.
  return Math.min(100, Math.floor((10_000 * covered) / expected + 0.001) / 100)
}

async function countAndKeep(
  db: Database,
  installerId: string,
  of: Counted,
  months: readonly Day[],
  last: Day,
): Promise<CoveredMonth[]> {
  if (months.length === 0) return []
  const key = { installerId, installationId: of.id }
  const count = async (tx: Db) => {
    const panels = await listPanelsThere(tx, { ...key, panelId: null })
    const found: CoveredMonth[] = []
    for (const month of months) {
      found.push(monthOf(month, await countPanels(tx, installerId, of, panels, month, last)))
    }
    return found
  }
  const over = (month: CoveredMonth) =>
    month.month + month.expected.length === bucketOf('monthly', month.month + 31)
  return db.transaction(async (tx) => {
    const locked = await lockToCover(tx, { installerId, id: of.id })
    const found = await count(tx)
    const whole = found.filter(over)
    if (locked && whole.length > 0)
      await keepCoveredMonths(tx, { ...key, version: locked.version, months: JSON.stringify(whole) })
    return found
  })
}

async function countPanels(
  db: Db,
  installerId: string,
  { region, timezone }: Pick<Counted, 'region' | 'timezone'>,
  panels: readonly PanelThere[],
  month: Day,
  lastDay: Day,
): Promise<PanelCoverage[]> {
  const last = Math.min(bucketOf('monthly', month + 31) - 1, lastDay)
  const there = panels.map((panel) => ({ panel, ...daysThere(panel, timezone) }))
  const expected = there.filter(({ since, until }) => since <= last && (until === null || until >= month))
  const ids = expected.map(({ panel }) => panel.id)
  const days = await listPanelDays(db, installerId, ids, { first: month, last })
  const hoursAt = daysAt(region, timezone)
  return expected.map(({ panel, since, until, firstHour }) => {
    const own = days.get(panel.id) ?? { before: [], days: [] }
    const { id, name } = panel
    const one = { id, name, capacityKw: Number(panel.capacityKw), since, until, firstHour, ...own }
    return { panel: one, hours: coverageOf(one, month, last, hoursAt) }
  })
}

/**
 * When a panel is there: from the day after it was registered, or from its first reading, to the day before it was
 * removed. Out of service it is expected no more after its last reading.
 */
function daysThere(panel: PanelThere, timezone: string) {
  const registered = dayOf(dayIn(timezone, panel.createdAt)) + 1
  const began = panel.firstDay !== null && panel.firstDay < registered
  const firstHour = panel.firstHours?.split(',').findIndex((made) => made !== '') ?? 0
  const removed = panel.deletedAt === null ? null : dayOf(dayIn(timezone, panel.deletedAt)) - 1
  const silent = panel.status === 'active' ? null : (panel.lastDay ?? registered - 1)
  const ends = [removed, silent].filter((day) => day !== null)
  return {
    since: began ? panel.firstDay! : registered,
    until: ends.length === 0 ? null : Math.min(...ends),
    firstHour: began ? Math.max(0, firstHour) : 0,
  }
}

function monthOf(month: Day, panels: readonly PanelCoverage[]): CoveredMonth {
  const days = panels[0]?.hours.length ?? 0
  const sum = (of: (coverage: Coverage) => number) =>
    Array.from({ length: days }, (_, i) => panels.reduce((total, { hours }) => total + of(hours[i]!), 0))
  return { month, expected: sum((one) => one.expected), covered: sum((one) => one.covered) }
}

function* monthsOf({ first, last }: DayRange): Generator<Day> {
  for (let month = bucketOf('monthly', first); month <= last; month = bucketOf('monthly', month + 31))
    yield month
}

/** What is kept: of months that lie in the range as a whole, one sum. */
function keptMonths(text: string): Map<Day, CoveredMonth> {
  const months = new Map<Day, CoveredMonth>()
  for (const word of text === '' ? [] : text.split(' ')) {
    const [month, expected, covered] = word.split(':')
    const numbers = (part: string | undefined) => (part ?? '').split(',').map(Number)
    const kept = { month: Number(month), expected: numbers(expected), covered: numbers(covered) }
    months.set(kept.month, kept)
  }
  return months
}

const everyDay: DayRange = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY }

/** Adds what lies in the range. */
function addDays(sum: Coverage, { month, expected, covered }: CoveredMonth, { first, last }: DayRange): void {
  for (const [i, hours] of expected.entries()) {
    if (month + i < first || month + i > last) continue
    sum.expected += hours
    sum.covered += covered[i]!
  }
}
