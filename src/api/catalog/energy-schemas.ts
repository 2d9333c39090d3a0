import Type, { type Static } from 'typebox'
import { granularities } from '../../domain/sites/energy/energy.ts'
import { Answer, number, oneOf, orNull, ref, text, timestamp } from '../http/schema-words.ts'
import { exampleIds } from './example-ids.ts'

const day = (description: string) => Type.String({ format: 'date', description })

export const EnergyQuery = Type.Object(
  {
    panel_id: Type.Optional(
      Type.String({ description: 'What one panel made; with an `installation_id`, the panel must be of it' }),
    ),
    installation_id: Type.Optional(
      Type.String({ description: 'What all panels of an installation made, deleted ones included' }),
    ),
    start_date: day('The first local day, YYYY-MM-DD'),
    end_date: day('The last local day, inclusive. Hourly at most 366 days, otherwise 20 years'),
    granularity: Type.Optional(oneOf(granularities, { description: '`daily` when absent' })),
  },
  { additionalProperties: false },
)
export type EnergyQuery = Static<typeof EnergyQuery>

const reading = Type.Object(
  {
    panel_id: Type.String({ description: 'The panel that made it' }),
    timestamp: Type.String({
      description:
        'ISO 8601 with offset, to the millisecond; from 2000 to an hour ahead. The energy counts where this instant lies: send the beginning of the time in which it was made',
    }),
    kwh: Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Made since then; rounded to millionths',
    }),
  },
  { additionalProperties: false },
)

const example = { panel_id: exampleIds.panel, timestamp: '2026-03-08T12:00:00-07:00', kwh: 0.314 }

/** What the reference shows. A reading that is not so is rejected by itself, so only `ReadingsShell` is enforced. */
export const ReadingsBody = Type.Object(
  {
    readings: Type.Array(reading, {
      maxItems: 10_000,
      description: 'In any order; of a panel’s time the last one stands',
    }),
  },
  { additionalProperties: false, examples: [{ readings: [example] }] },
)

export const ReadingsShell = Type.Object(
  { readings: Type.Array(Type.Unknown(), { maxItems: 10_000 }) },
  { additionalProperties: false },
)

export const ReadingLines = Type.Unsafe<unknown>({
  description:
    'A reading a line, any number of lines of at most 64 KiB each, for hours if need be; a call that brings nothing for a minute is cut off. They are taken a thousand at a time as they arrive: what was taken before a connection broke stays taken, and sending all of it again does no harm.',
  examples: [`${JSON.stringify(example)}\n`],
})

const instantField = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 64, description, examples: ['2026-03-08T00:00:00-08:00'] })

export const StoredReadingsQuery = Type.Object(
  {
    panel_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Those of a panel', examples: [exampleIds.panel] }),
    ),
    installation_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Or of all panels of an installation, deleted ones included',
        examples: [exampleIds.installation],
      }),
    ),
    start: instantField('From this time on'),
    end: Type.Optional(instantField('and before this one, at most 366 days later; the present when absent')),
    per_page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Readings a page; 1,000 when absent' }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The `next` of the page before, with the same other fields',
      }),
    ),
  },
  { additionalProperties: false },
)
export type StoredReadingsQuery = Static<typeof StoredReadingsQuery>

const storedExample = { panel_id: exampleIds.panel, timestamp: '2026-03-08T19:00:00.000Z', kwh: 0.314 }

export const energySchemas = [
  Answer(
    {
      panel_id: text('The panel that made it'),
      timestamp: timestamp('The time that it was sent for'),
      kwh: number('Made since then, with at most 6 decimals'),
    },
    { $id: 'StoredReading', description: 'A reading as it counts.', examples: [storedExample] },
  ),
  Answer(
    {
      data: Type.Array(ref('StoredReading'), { description: 'Panel by panel, in order of time' }),
      meta: Answer(
        {
          per_page: Type.Integer({ minimum: 1, description: 'How many readings a page has at most' }),
          next: orNull(
            text(),
            'The `cursor` of the next page; null when there are no more. A page may have few readings, or none, before that',
          ),
        },
        { description: 'Where the list goes on' },
      ),
    },
    {
      $id: 'StoredReadingPage',
      description: 'A page of readings.',
      examples: [{ data: [storedExample], meta: { per_page: 1000, next: null } }],
    },
  ),
  Answer(
    {
      timestamp: Type.String({
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[+-]\\d\\d:\\d\\d$',
        description:
          'When the bucket begins, by the clock of the installation (over the whole account: of the key’s company). Weeks begin on Monday. A week or month that the range cuts has its own beginning here and in `kwh` only what lies in the range',
      }),
      kwh: number('With at most 6 decimals'),
    },
    {
      $id: 'EnergyBucket',
      description: 'What was made in a time.',
      examples: [{ timestamp: '2026-03-08T00:00:00-08:00', kwh: 31.4 }],
    },
  ),
  Answer(
    {
      data: Type.Array(ref('EnergyBucket'), {
        description: 'In order of time. A bucket without readings is left out',
      }),
      summary: Answer(
        {
          total_kwh: number('Of all that is listed'),
          average_daily_kwh: number('Over the days that have readings; 0 where none has'),
          completeness_percent: Type.Number({
            minimum: 0,
            maximum: 100,
            description:
              'Of the hours of daylight in which its panels should have reported, those in which they did, over the range’s days that are over: panel by panel that was there on that day, as often as the panel usually reports (learnt from its last 14 days of data before each month). A logger that sends by the hour, by the quarter of an hour or one total a day is complete when it kept its own. Quarantined readings cover nothing. Rounded down to hundredths; 0 where nothing is expected',
          }),
        },
        { description: 'All of it together' },
      ),
    },
    { $id: 'Energy', description: 'What was made, bucket by bucket.' },
  ),
  Answer(
    {
      accepted: Type.Integer({
        description: 'Readings that were taken, those that changed nothing included',
      }),
      updated: Type.Integer({
        description: 'How many of these gave another value to a panel’s time that had one',
      }),
      quarantined: Type.Integer({
        description: 'Readings that their panels cannot have made: kept aside, and in no total',
      }),
      rejected: Type.Array(
        Answer({
          index: Type.Integer({
            description: 'The reading’s place in the list, or its line, counted from 0',
          }),
          message: Type.String({ description: 'Says what to change' }),
        }),
        { description: 'What was not taken, in order; of NDJSON the first 1,000' },
      ),
      rejected_count: Type.Integer({ description: 'How many were not taken in all' }),
    },
    {
      $id: 'ReadingsTaken',
      description: 'What became of readings that were sent.',
      examples: [
        {
          accepted: 2,
          updated: 0,
          quarantined: 0,
          rejected: [{ index: 2, message: 'kwh must be a number from 0 to 1000000.' }],
          rejected_count: 1,
        },
      ],
    },
  ),
]
