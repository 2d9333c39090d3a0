import { type Context, scopeOf } from '../../kernel/context.ts'
import type { Figure } from '../../kernel/counted.ts'
import { listing } from '../../kernel/listing.ts'
import { type AlertType, type Severity, severities } from '../alerts/alert.ts'
import { isOnMany } from '../installations/own-queries.ts'
import { countOfMany, countOpenAlerts, listRegions } from './fleet-figure-queries.ts'
import {
  type FleetFilters,
  type FleetPlace,
  type FleetRow,
  type FleetSorting,
  listFleet,
  placeOf,
  sparkDays,
} from './fleet-queries.ts'

/** An installation as the fleet shows it. */
export interface FleetEntry {
  id: string
  name: string
  address: string
  region: string
  companyId: string
  panelCount: number
  capacityKw: number
  severity: Severity | null
  alerts: number
  kinds: AlertType[]
  silentDays: number
  lastDay: string | null
  /** kWh day by day, yesterday last; null where there are no readings. */
  spark: (number | null)[]
}

const microkwhInKwh = 1_000_000

export interface FleetWanted extends FleetFilters {
  sorting: FleetSorting
  after: FleetPlace | null
  limit: number
}

export interface FleetPageRead {
  installations: FleetEntry[]
  /** Where it goes on: behind the last of these; */
  next: FleetPlace | null
  /** or behind the last that was looked at, which may be none of the reader's and is not told to them. */
  reached: FleetPlace | null
}

/** A page of the installations; of whoever is on very many it may end before it is full. */
export const readFleet = listing(
  'anything',
  async (ctx: Context, { sorting, after, limit, ...filters }: FleetWanted): Promise<FleetPageRead> => {
    const today = ctx.now.toISOString().slice(0, 10)
    const { rows, reached } = await listFleet(ctx.db, {
      ...scopeOf(ctx),
      ...filters,
      ...sorting,
      today,
      after,
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return {
      installations: page.map(entryOf),
      next: rows.length > limit && last ? placeOf(sorting, last) : null,
      reached: reached && placeOf(sorting, reached),
    }
  },
)

function entryOf(row: FleetRow): FleetEntry {
  const { id, name, address, region, companyId, panelCount, capacityKw, alerts, kinds } = row
  const spark = new Array<number | null>(sparkDays).fill(null)
  for (const day of row.made === '' ? [] : row.made.split(' ')) {
    const [ago, microkwh] = day.split(':').map(Number)
    spark[sparkDays - ago!] = microkwh! / microkwhInKwh
  }
  return {
    ...{ id, name, address, region, companyId, panelCount, capacityKw, alerts, kinds, spark },
    severity: severities[row.worst - 1] ?? null,
    silentDays: row.silentDays,
    lastDay: row.lastDay,
  }
}

export interface FleetSummary {
  regions: string[]
  installations: Figure
  /** Those that are open. */
  alerts: Figure
}

/** Those of a member who is on more are not all counted. */
const fewToCount = 20_000

/** What the fleet is, without its list. */
export const sumFleet = listing('anything', async (ctx: Context): Promise<FleetSummary> => {
  const scope = scopeOf(ctx)
  if (scope.memberId && (await isOnMany(ctx.db, scope, fewToCount))) {
    // Their company's: which of them are without one of theirs would take too long to find.
    const [regions, counted] = await Promise.all([
      listRegions(ctx.db, { ...scope, memberId: null }),
      countOfMany(ctx.db, scope),
    ])
    return { regions: regions.map(({ region }) => region), ...counted }
  }
  const [regions, alerts] = await Promise.all([listRegions(ctx.db, scope), countOpenAlerts(ctx.db, scope)])
  const installations = regions.reduce((sum, { installations }) => sum + installations, 0)
  return {
    regions: regions.map(({ region }) => region),
    installations: { count: installations, orMore: false },
    alerts: { count: alerts, orMore: false },
  }
})
