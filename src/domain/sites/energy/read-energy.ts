import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { readAccountEnergy } from './account-energy.ts'
import { coverageIn, panelCoverageIn, percentOf } from './completeness.ts'
import type { Bucket, Energy, Granularity, Summed } from './energy.ts'
import { kwhText } from './energy.ts'
import { type Day, type DayRange, dayOf, localText, startOfDay, startOfSlot } from './local-time.ts'
import { type FoundEnergy, findInstallationEnergy, findPanelEnergy } from './queries.ts'

export interface EnergyWanted {
  panelId?: string | undefined
  installationId?: string | undefined
  /** Days as YYYY-MM-DD, both inclusive. */
  startDate: string
  endDate: string
  granularity: Granularity
}

const maxHourlyDays = 366
const maxYears = 20

/** What a panel, an installation or the whole account made, bucket by bucket; buckets without readings are left out. */
export const readEnergy = listing('anything', async (ctx: Context, wanted: EnergyWanted): Promise<Energy> => {
  const range = rangeOf(wanted)
  const { buckets, total, days, coverage } = await sumsOf(ctx, wanted, whereReadingsMayBe(range, ctx.now))
  return {
    buckets,
    totalKwh: kwhText(total),
    averageDailyKwh: days === 0 ? '0' : kwhText((2n * total + BigInt(days)) / (2n * BigInt(days))),
    completenessPercent: percentOf(coverage),
  }
})

function rangeOf({ startDate, endDate, granularity }: EnergyWanted): DayRange {
  const first = dayOf(startDate)
  const last = dayOf(endDate)
  if (last < first) throw new DomainError('invalid', 'endDate must not be before startDate.')
  if (granularity === 'hourly' && last - first + 1 > maxHourlyDays) {
    throw new DomainError(
      'invalid',
      `endDate: hourly goes over at most ${maxHourlyDays} days. Ask for fewer, or daily.`,
    )
  }
  if (`${Number(endDate.slice(0, 4)) - maxYears}`.padStart(4, '0') + endDate.slice(4) >= startDate) {
    throw new DomainError('invalid', `endDate: at most ${maxYears} years are read at once. Ask for fewer.`)
  }
  return { first, last }
}

/** What is asked of the database: days that no calendar of ours reaches have no readings. */
function whereReadingsMayBe({ first, last }: DayRange, now: Date): DayRange {
  return {
    first: Math.max(first, dayOf('1999-12-01')),
    last: Math.min(last, dayOf(now.toISOString().slice(0, 10)) + 3),
  }
}

async function sumsOf(
  ctx: Context,
  { panelId, installationId, granularity }: EnergyWanted,
  range: DayRange,
): Promise<Summed> {
  const scope = scopeOf(ctx)
  const { installerId } = scope
  if (panelId !== undefined) {
    const found = await findPanelEnergy(ctx.db, scope, panelId, installationId ?? null, granularity, range)
    if (!found) throw notFound('panel')
    const of = { ...found, id: found.installationId }
    const coverage = await panelCoverageIn(ctx.db, installerId, of, panelId, range, ctx.now)
    return { ...summed(found, granularity), coverage }
  }
  if (installationId !== undefined) {
    const found = await findInstallationEnergy(ctx.db, scope, installationId, granularity, range)
    if (!found) throw notFound('installation')
    const of = { ...found, id: installationId }
    const coverage = await coverageIn(ctx.db, installerId, of, range, ctx.now)
    return { ...summed(found, granularity), coverage }
  }
  return readAccountEnergy(ctx, granularity, range)
}

function summed(found: FoundEnergy, granularity: Granularity): Omit<Summed, 'coverage'> {
  const { timezone, days } = found
  const buckets: Bucket[] = []
  let total = 0n
  for (const text of found.buckets === '' ? [] : found.buckets.split(' ')) {
    const colon = text.indexOf(':')
    const day: Day = Number(text.slice(0, colon))
    const made = text.slice(colon + 1)
    if (granularity === 'hourly') {
      for (const [i, microkwh] of made.split(',').entries()) {
        if (microkwh === '') continue
        total += BigInt(microkwh)
        const timestamp = localText(startOfSlot(timezone, { day, slot: i + 1 }))
        buckets.push({ timestamp, kwh: kwhText(microkwh) })
      }
    } else {
      total += BigInt(made)
      buckets.push({ timestamp: localText(startOfDay(timezone, day)), kwh: kwhText(made) })
    }
  }
  return { buckets, total, days }
}
