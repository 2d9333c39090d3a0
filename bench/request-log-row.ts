import type pg from 'pg'
import type { Row } from './row.ts'
import { buildRow, requestLog, type Seeds } from './rows.ts'

/** Reading leads with and without the request log, by one process that serves both ways. */
export async function buildRequestLogRow(
  client: pg.Client,
  seeds: Seeds,
  { logged, unlogged }: { logged: number; unlogged: number },
): Promise<Row> {
  const from = (port: number) => buildRow('read-lead', client, seeds, { ours: port, floor: port })
  return {
    name: requestLog,
    ours: (await from(logged)).ours,
    floor: (await from(unlogged)).ours,
    floorIsOurs: true,
    against: 'our own rate of read-lead without the log',
    atLeast: 0.97,
  }
}
