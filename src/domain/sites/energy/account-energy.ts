import { type Context, scopeOf } from '../../kernel/context.ts'
import { coverageIn, maxPanelDays } from './completeness.ts'
import type { Coverage } from './coverage.ts'
import { listInstallationsToCover } from './coverage-queries.ts'
import type { Summed } from './energy.ts'
import { bucketOf, type Granularity, kwhText } from './energy.ts'
import {
  type Day,
  type DayRange,
  dayText,
  localText,
  type Place,
  placesIn,
  sameHours,
  startOfDay,
  startOfSlot,
} from './local-time.ts'
import { listAccountDays, listAccountReadings, listAccountZones } from './queries.ts'

/**
 * What all that the caller reaches made, by the clock of the caller's company. Installations of the same zone have
 * the same days. Those of a zone that is off by whole hours have the same hours, which are put into the company's
 * days by their instant. Of zones off by half an hour, neither fits: there the readings themselves are summed, which
 * is exact too, and slow for many panels.
 */
export async function readAccountEnergy(
  ctx: Context,
  granularity: Granularity,
  range: DayRange,
): Promise<Summed> {
  const { db, actor } = ctx
  const scope = scopeOf(ctx)
  const directory = await ctx.directories.current(db, actor.installerId)
  const { timezone } = directory.companies.get(actor.companyId)!
  const timezones = (await listAccountZones(db, scope)).map((one) => one.timezone)
  const sums = createSums(timezone, granularity, range)

  const byDay = granularity === 'hourly' ? [] : timezones.filter((zone) => zone === timezone)
  const byHour = timezones.filter((zone) => !byDay.includes(zone) && sameHours(zone, timezone))
  const byReading = timezones.filter((zone) => !sameHours(zone, timezone))
  for (const one of await listAccountDays(db, scope, 'day', byDay, range))
    sums.add({ day: one.day, slot: 0 }, one.made)
  // Days elsewhere overlap with those before and behind.
  const wider = { first: range.first - 1, last: range.last + 1 }
  for (const one of await listAccountDays(db, scope, 'hour', byHour, wider)) {
    for (const [i, microkwh] of one.made.split(',').entries()) {
      if (microkwh === '') continue
      const place = { day: one.day, slot: i + 1 }
      sums.add(
        one.timezone === timezone ? place : sums.placeOf(startOfSlot(one.timezone, place).ms),
        microkwh,
      )
    }
  }
  if (byReading.length > 0) {
    const from = new Date(startOfDay(timezone, range.first).ms)
    const until = new Date(startOfDay(timezone, range.last + 1).ms)
    for (const { at, microkwh } of await listAccountReadings(db, {
      ...scope,
      timezones: byReading,
      from,
      until,
    })) {
      sums.add(sums.placeOf(at), microkwh)
    }
  }
  return { ...sums.done(), coverage: await accountCoverage(ctx, range) }
}

/** Of all installations, each by its own clock. */
async function accountCoverage(ctx: Context, range: DayRange): Promise<Coverage> {
  const { db, actor, now } = ctx
  const days = { firstDay: dayText(range.first), lastDay: dayText(range.last) }
  const left = { panelDays: maxPanelDays }
  const sum: Coverage = { expected: 0, covered: 0 }
  for (const one of await listInstallationsToCover(db, { ...scopeOf(ctx), ...days })) {
    const { expected, covered } = await coverageIn(db, actor.installerId, one, range, now, left)
    sum.expected += expected
    sum.covered += covered
  }
  return sum
}

interface BucketSum extends Place {
  microkwh: bigint
}

function createSums(timezone: string, granularity: Granularity, { first, last }: DayRange) {
  const placeOf = placesIn(timezone)
  const buckets = new Map<number, BucketSum>()
  const days = new Set<Day>()
  let total = 0n

  function add({ day, slot }: Place, microkwh: string): void {
    if (day < first || day > last) return
    const bucket = granularity === 'hourly' ? { day, slot } : { day: bucketOf(granularity, day), slot: 0 }
    const key = bucket.day * 64 + bucket.slot
    const value = BigInt(microkwh)
    const sum = buckets.get(key)
    if (sum) sum.microkwh += value
    else buckets.set(key, { ...bucket, microkwh: value })
    days.add(day)
    total += value
  }

  function done(): Pick<Summed, 'buckets' | 'total' | 'days'> {
    const started = [...buckets.values()].map((sum) => ({
      start: granularity === 'hourly' ? startOfSlot(timezone, sum) : startOfDay(timezone, sum.day),
      microkwh: sum.microkwh,
    }))
    started.sort((a, b) => a.start.ms - b.start.ms)
    return {
      buckets: started.map(({ start, microkwh }) => ({
        timestamp: localText(start),
        kwh: kwhText(microkwh),
      })),
      total,
      days: days.size,
    }
  }

  return { placeOf, add, done }
}
