import { byKey, type Call, console, idOf, type Place } from './call.ts'
import { lastReadingAt, measuredPanel } from './grow-readings.ts'

const panel = idOf('pnl', measuredPanel)
const installation = idOf('inst', measuredPanel)

const day = ({ tenant }: Place, ago: number) =>
  new Date(lastReadingAt(tenant).getTime() - ago * 86_400_000).toISOString().slice(0, 10)
const days = (place: Place) => `start_date=${day(place, 20)}&end_date=${day(place, 2)}`

const energy: Call[] = [`panel_id=${panel}`, `installation_id=${installation}`].flatMap((of) =>
  ['hourly', 'daily', 'monthly'].map((granularity) => ({
    kind: 'roll-up',
    name: `/catalog/v1/monitoring/energy?${of}&granularity=${granularity}`,
    run: byKey((place) => `/catalog/v1/monitoring/energy?${of}&granularity=${granularity}&${days(place)}`),
  })),
)

const stored: Call[] = [`panel_id=${panel}`, `installation_id=${installation}`].map((of) => ({
  kind: 'list',
  name: `/catalog/v1/monitoring/readings?${of}`,
  run: byKey(
    (place) =>
      `/catalog/v1/monitoring/readings?${of}&start=${day(place, 20)}T00:00:00Z&end=${day(place, 2)}T00:00:00Z`,
  ),
}))

const series: Call[] = ['hourly', 'monthly'].map((by) => ({
  kind: 'roll-up',
  name: `console /monitoring/${installation}/energy?by=${by}`,
  run: console(
    (place) => `/monitoring/${installation}/energy?from=${day(place, 20)}&to=${day(place, 2)}&by=${by}`,
  ),
}))

/** As many as this of one panel, ending so many hours from its last. */
const batch = 24
const sent = (name: string, endsAfter: number, kwh: number): Call => ({
  kind: 'sync',
  name: `/catalog/v1/monitoring/readings ${name}`,
  run: (app, { tenant }) =>
    app.post(
      '/catalog/v1/monitoring/readings',
      {
        readings: Array.from({ length: batch }, (_, i) => ({
          panel_id: panel,
          timestamp: new Date(lastReadingAt(tenant).getTime() + (endsAfter - i) * 3_600_000).toISOString(),
          kwh,
        })),
      },
      { key: tenant.keys.installer },
    ),
})

/** What reads the readings, to be judged or to be summed, or what is kept of them. */
export const readingCalls: Call[] = [
  ...energy,
  ...stored,
  ...series,
  {
    kind: 'roll-up',
    name: `console /monitoring/${installation}/panels`,
    run: console((place) => `/monitoring/${installation}/panels?from=${day(place, 20)}&to=${day(place, 2)}`),
  },
  // Another value each time: what is sent again as it was changes nothing.
  sent('corrected', -100, 0.2 + (Date.now() % 1_000) / 1_000_000),
  sent('impossible', -200, 90),
  sent('new', batch, 0.1),
]
