import type pg from 'pg'
import type { Ports, Row } from './row.ts'
import { buildRow, requestLog, type Seeds } from './rows.ts'

/** Reading leads with and without the request log, by two servers that are otherwise the same. */
export async function buildRequestLogRow(
  client: pg.Client,
  seeds: Seeds,
  ports: Ports & { unlogged: number },
): Promise<Row> {
  const logged = await buildRow('read-lead', client, seeds, ports)
  const unlogged = await buildRow('read-lead', client, seeds, { ...ports, ours: ports.unlogged })
  return {
    name: requestLog,
    ours: logged.ours,
    floor: unlogged.ours,
    floorIsOurs: false,
    against: 'our own rate of read-lead without the log',
    atLeast: 0.97,
  }
}
