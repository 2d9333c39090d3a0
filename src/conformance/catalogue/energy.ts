import {
  expectEqual,
  expectInvalid,
  expectMissing,
  expectShape,
  expectStatus,
  recordOf,
  rowsOf,
  succeeded,
  told,
} from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { at, list, number, object, record, timestamp } from '../shape.ts'
import { createPanel, installation, read, readPanel, unknownId } from './records.ts'

const from = '2026-01-05'
const to = '2026-01-06'
const range = `start_date=${from}&end_date=${to}`

/** Of two days in Los Angeles, where the installation stands; by no power of two, so that a rounded sum is seen. */
const readings: [hour: string, kwh: number][] = [
  ['2026-01-05T18:00:00Z', 0.111111],
  ['2026-01-05T19:00:00Z', 0.2],
  ['2026-01-05T20:00:00Z', 0.300003],
  ['2026-01-06T20:00:00Z', 0.1],
]
const total = 0.711114
const firstDay = 0.611114

/** A panel with readings, sent by the way that was decided: the spec has none. */
const metered = (kit: Kit): Promise<string> =>
  kit.once('catalogue metered panel', async () => {
    const { id } = await need('a panel', (async () => recordOf(await createPanel(kit)))())
    const body = { readings: readings.map(([timestamp, kwh]) => ({ panel_id: id, timestamp, kwh })) }
    const answer = await kit.catalog.post('/monitoring/readings', body)
    if (answer.status !== 200) notApplicable(`readings cannot be sent: ${told(answer)}`)
    return String(id)
  })

const energy = async (kit: Kit, query: string) => kit.catalog.get(`/monitoring/energy?${range}${query}`)
const own = async (kit: Kit, query = '') =>
  succeeded(await energy(kit, `&panel_id=${await metered(kit)}${query}`))
const near = (found: unknown, expected: number) =>
  typeof found === 'number' && Math.abs(found - expected) < 0.0000005

const refused = (name: string, says: string, query: string): Rule => ({
  id: `catalogue.energy.${name}`,
  says,
  decision: true,
  check: async (kit) => expectInvalid(await kit.catalog.get(`/monitoring/energy?${query}`)),
})

const summed = (name: string, granularity: string, says: string): Rule => ({
  id: `catalogue.energy.sum.${name}`,
  says,
  decision: true,
  async check(kit) {
    const answer = await own(kit, `&granularity=${granularity}`)
    const sum = rowsOf(answer).reduce((all, row) => all + Number(row['kwh']), 0)
    if (!near(sum, total)) fail(`${told(answer)}; the items sum up to ${sum}, not ${total}`)
  },
})

const page = (kit: Kit) => read(kit, `/monitoring/energy?${range}`)

export const energyRules: Rule[] = [
  {
    id: 'catalogue.energy.status',
    says: 'Energy over a time range is answered 200.',
    check: async (kit) => expectStatus(await page(kit), 200),
  },
  {
    id: 'catalogue.energy.data',
    says: 'Energy has `data`, an array of `{timestamp, kwh}`.',
    async check(kit) {
      const answer = kit.readOnly ? await page(kit) : await own(kit)
      expectShape(answer, list(record({ timestamp, kwh: number })), 'data')
    },
  },
  ...fieldRules(
    'catalogue.energy.summary',
    'The summary of energy',
    { total_kwh: number, average_daily_kwh: number },
    async (kit) => [at((await page(kit)).json, 'summary')],
  ),
  ...['hourly', 'daily', 'weekly', 'monthly'].map(
    (granularity): Rule => ({
      id: `catalogue.energy.granularity.${granularity}`,
      says: `The granularity can be \`${granularity}\`.`,
      async check(kit) {
        const answer = await energy(kit, `&granularity=${granularity}`)
        expectStatus(answer, 200)
        expectShape(answer, list(object), 'data')
      },
    }),
  ),
  ...['panel_id', 'installation_id'].map(
    (field): Rule => ({
      id: `catalogue.energy.by.${field}`,
      says: `Energy can be asked for by \`${field}\`.`,
      async check(kit) {
        const id = field === 'panel_id' ? await metered(kit) : await installation(kit)
        expectStatus(await energy(kit, `&${field}=${id}`), 200)
      },
    }),
  ),
  ...['start_date', 'end_date'].map((field) =>
    refused(
      `required.${field}`,
      `Energy without \`${field}\` is refused, by decision by 400.`,
      field === 'start_date' ? `end_date=${to}` : `start_date=${from}`,
    ),
  ),
  refused(
    'date.form',
    'A day in another form than `YYYY-MM-DD` is 400.',
    'start_date=01/05/2026&end_date=2026-01-06',
  ),
  refused('date.order', 'An `end_date` before the `start_date` is 400.', `start_date=${to}&end_date=${from}`),
  refused('granularity.invalid', 'Another granularity is 400.', `${range}&granularity=yearly`),
  refused(
    'range',
    'Hourly energy over more than 366 days is 400.',
    'start_date=2020-01-01&end_date=2022-01-01&granularity=hourly',
  ),
  {
    id: 'catalogue.energy.missing',
    says: 'The energy of a panel that there is not is 404.',
    decision: true,
    check: async (kit) => expectMissing(await energy(kit, `&panel_id=${unknownId}`)),
  },
  {
    id: 'catalogue.energy.total',
    says: 'The `total_kwh` is what the readings sum up to, to the last digit.',
    decision: true,
    async check(kit) {
      const answer = await own(kit)
      const found = at(answer.json, 'summary.total_kwh')
      if (!near(found, total)) fail(`${told(answer)}; total_kwh is ${found}, not ${total}`)
    },
  },
  {
    id: 'catalogue.energy.average',
    says: 'The `average_daily_kwh` is over the days that have readings.',
    decision: true,
    async check(kit) {
      const answer = succeeded(
        await kit.catalog.get(
          `/monitoring/energy?start_date=2026-01-01&end_date=2026-01-31&panel_id=${await metered(kit)}`,
        ),
      )
      const found = Number(at(answer.json, 'summary.average_daily_kwh'))
      if (Math.abs(found - total / 2) > 0.001) fail(`average_daily_kwh is ${found}, not ${total / 2}`)
    },
  },
  summed('hourly', 'hourly', 'The hours sum up to what was read.'),
  summed('daily', 'daily', 'The days sum up to what was read.'),
  summed('monthly', 'monthly', 'The months sum up to what was read.'),
  {
    id: 'catalogue.energy.buckets',
    says: 'A bucket begins where the installation stands, both days are in the range, and a day without readings is left out.',
    decision: true,
    async check(kit) {
      const answer = succeeded(
        await kit.catalog.get(
          `/monitoring/energy?start_date=2026-01-04&end_date=${to}&panel_id=${await metered(kit)}`,
        ),
      )
      const days = rowsOf(answer).map((row) => String(row['timestamp']))
      expectEqual(days, [`${from}T00:00:00-08:00`, `${to}T00:00:00-08:00`], 'the timestamps')
      if (!near(rowsOf(answer)[0]?.['kwh'], firstDay))
        fail(`${told(answer)}; the first day is not ${firstDay}`)
    },
  },
  {
    id: 'catalogue.energy.inclusive',
    says: 'Both days of the range are inclusive.',
    decision: true,
    async check(kit) {
      const answer = await kit.catalog.get(
        `/monitoring/energy?start_date=${to}&end_date=${to}&panel_id=${await metered(kit)}`,
      )
      if (!near(at(answer.json, 'summary.total_kwh'), 0.1))
        fail(`${told(answer)}; the day itself is not in it`)
    },
  },
  {
    id: 'catalogue.energy.daily-output',
    says: "A panel's `daily_output_kwh` is what it made on its latest day with readings.",
    decision: true,
    async check(kit) {
      const { daily_output_kwh } = await readPanel(kit, await metered(kit))
      if (!near(daily_output_kwh, 0.1)) fail(`daily_output_kwh is ${daily_output_kwh}, not 0.1`)
    },
  },
  {
    id: 'catalogue.energy.ingest.again',
    says: 'Readings that are sent again change nothing.',
    decision: true,
    async check(kit) {
      const [timestamp, kwh] = readings[0]!
      const body = { readings: [{ panel_id: await metered(kit), timestamp, kwh }] }
      expectStatus(await kit.catalog.post('/monitoring/readings', body), 200)
      if (!near(at((await own(kit)).json, 'summary.total_kwh'), total)) fail('the total moved')
    },
  },
]
