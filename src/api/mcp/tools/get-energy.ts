import Type from 'typebox'
import { DomainError } from '../../../domain/kernel/domain-error.ts'
import { granularities } from '../../../domain/sites/energy/energy.ts'
import { readEnergy } from '../../../domain/sites/energy/read-energy.ts'
import { Fields, optional } from '../../http/schema-words.ts'
import { readingTool } from '../tool.ts'
import { choice, day, Holds, id, records } from '../words.ts'

const maxBuckets = 400

export const getEnergy = readingTool({
  name: 'get_energy',
  title: 'Read the energy made',
  description:
    'What a panel, an installation or everything made, in buckets of the local clock, with the total. A bucket without readings is left out.',
  of: 'catalog',
  input: Fields({
    installation_id: optional(id('Of this installation; of all when absent')),
    panel_id: optional(id('Of this panel')),
    start_date: day('The first day'),
    end_date: day('The last day, which is in it'),
    granularity: optional(choice(granularities, '`daily` when absent; use monthly for a year')),
  }),
  output: Holds({
    buckets: records('timestamp of its begin, kwh'),
    summary: Holds({
      total_kwh: Type.Number(),
      average_daily_kwh: Type.Number({ description: 'Over the days that have readings' }),
      completeness_percent: Type.Number({ description: 'Of the daylight readings that were expected' }),
    }),
  }),
  async read({ ctx }, { installation_id, panel_id, start_date, end_date, granularity = 'daily' }) {
    const energy = await readEnergy(ctx, {
      panelId: panel_id,
      installationId: installation_id,
      startDate: start_date,
      endDate: end_date,
      granularity,
    })
    if (energy.buckets.length > maxBuckets)
      throw new DomainError(
        'invalid',
        `granularity: these are ${energy.buckets.length} buckets, more than ${maxBuckets}. Ask for fewer days, or for weekly or monthly ones.`,
      )
    return {
      buckets: energy.buckets.map(({ timestamp, kwh }) => ({ timestamp, kwh: Number(kwh) })),
      summary: {
        total_kwh: Number(energy.totalKwh),
        average_daily_kwh: Number(energy.averageDailyKwh),
        completeness_percent: energy.completenessPercent,
      },
    }
  },
})
