import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { listing } from '../../kernel/listing.ts'
import { bucketOf, type Granularity } from '../energy/energy.ts'
import { type Day, type DayRange, dayOf, dayText } from '../energy/local-time.ts'
import { listDaysMade } from './installation-queries.ts'
import { requireInstallation } from './require-installation.ts'
import { type Compared, type SeriesBucket, seriesOf, yearBefore } from './series.ts'

export interface SeriesWanted {
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string
  to: string
  granularity: Granularity
  withYearBefore: boolean
}

export interface Series {
  timezone: string
  /** What is read: whole weeks and months. */
  from: string
  to: string
  buckets: SeriesBucket[]
  totalKwh: number
  /** Of the times that are known in both years; null where it is not asked for. */
  compared: Compared | null
}

const maxHourlyDays = 366
const maxDays = 20 * 366
const earliest = dayOf('1999-12-01')
/** So long before the range it is looked for what is usual. */
const usualDays = 60

/** What an installation made, bucket by bucket, and where readings are missing. */
export const readSeries = listing(
  'anything',
  async (ctx: Context, id: string, wanted: SeriesWanted): Promise<Series> => {
    const { granularity } = wanted
    const asked = rangeOf(wanted)
    const { timezone, firstDay } = await requireInstallation(ctx, id)
    const today = dayOf(dayIn(timezone, ctx.now))
    const range = fullBuckets(granularity, asked, today)
    const withHours = range.last - range.first < maxHourlyDays && granularity !== 'monthly'
    const list = (of: DayRange, hours: boolean) =>
      of.last < of.first
        ? []
        : listDaysMade(ctx.db, { installerId: ctx.actor.installerId, installationId: id }, of, hours)
    const [made, then] = await Promise.all([
      list({ first: withHours ? range.first - usualDays : range.first, last: range.last }, withHours),
      wanted.withYearBefore ? list(aYearBefore(granularity, range), granularity === 'hourly') : null,
    ])
    const { buckets, compared } = seriesOf(granularity, {
      ...{ timezone, range, firstDay, today, made, yearBefore: then },
      now: ctx.now,
    })
    const total = buckets.reduce((sum, { kwh }) => sum + (kwh ?? 0), 0)
    return {
      timezone,
      from: dayText(range.first),
      to: dayText(Math.max(range.first, range.last)),
      buckets: buckets.map(rounded),
      totalKwh: round(total),
      compared: then && { kwh: round(compared.kwh), before: round(compared.before) },
    }
  },
)

/** The days that a reader asks for, as far as any may have readings. */
export function rangeOf({ from, to, granularity }: Omit<SeriesWanted, 'withYearBefore'>): DayRange {
  const [first, last] = [dayOf(from), dayOf(to)]
  if (last < first) throw new DomainError('invalid', 'The last day must not be before the first.')
  if (granularity === 'hourly' && last - first >= maxHourlyDays)
    throw new DomainError('invalid', `By the hour at most ${maxHourlyDays} days are shown. Choose fewer.`)
  if (last - first >= maxDays)
    throw new DomainError('invalid', 'At most 20 years are shown at once. Choose fewer.')
  return { first: Math.max(first, earliest), last: Math.max(last, earliest) }
}

function fullBuckets(granularity: Granularity, { first, last }: DayRange, today: Day): DayRange {
  if (granularity === 'hourly') return { first, last: Math.min(last, today) }
  const end = granularity === 'daily' ? last : endOf(granularity, last)
  return { first: bucketOf(granularity, first), last: Math.min(end, today) }
}

/** The last day of a day's week or month. */
function endOf(granularity: 'weekly' | 'monthly', day: Day): Day {
  const longest = granularity === 'weekly' ? 7 : 31
  return bucketOf(granularity, bucketOf(granularity, day) + longest) - 1
}

function aYearBefore(granularity: Granularity, { first, last }: DayRange): DayRange {
  return { first: yearBefore(granularity, first), last: yearBefore(granularity, last) }
}

const thousand = 1_000
const round = (kwh: number) => Math.round(kwh * thousand) / thousand

function rounded({ kwh, before, ...rest }: SeriesBucket): SeriesBucket {
  return {
    ...rest,
    kwh: kwh === null ? null : round(kwh),
    ...(before === undefined ? {} : { before: before === null ? null : round(before) }),
  }
}
