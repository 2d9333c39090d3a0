import type pg from 'pg'
import type { Statement } from '../../src/platform/db.ts'
import type { Batch } from '../reading-batches.ts'

/** The year's months as one text, grouped where they are read. */
export const energyYear: Statement = {
  name: 'floor-energy-year',
  text: `select string_agg('{"timestamp":"' || month || 'T00:00:00-08:00","kwh":' || kwh || '}', ',') from (
    select date_trunc('month', day::timestamp)::date as month, trim_scale(sum(microkwh) * 0.000001) as kwh
    from installation_days
    where installer_id = $1 and installation_id = $2 and day between make_date($3::int, 1, 1) and make_date($3::int, 12, 31)
    group by 1 order by 1) months`,
}

/** COPY by the driver's own connection, which speaks it although its clients do not. */
export function copyReadings(client: pg.ClientBase, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const nothing = () => {}
    client.query({
      submit: (connection: { query(text: string): void }) =>
        connection.query('copy readings (installer_id, panel_id, at, microkwh) from stdin'),
      handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }) {
        connection.sendCopyFromChunk(Buffer.from(lines))
        connection.endCopyFrom()
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(),
      handleCommandComplete: nothing,
      handleRowDescription: nothing,
      handleDataRow: nothing,
      handleEmptyQuery: nothing,
      handlePortalSuspended: nothing,
    } as unknown as pg.Submittable)
  })
}

/** What COPY takes for a batch. */
export function copyLines(installerId: string, { panels, times }: Batch): string {
  const made = times.map((time, i) => `\t${time.toISOString()}\t${10_000 + (i % 90) * 1_000}\n`)
  let lines = ''
  for (const panel of panels) for (const rest of made) lines += `${installerId}\t${panel}${rest}`
  return lines
}
