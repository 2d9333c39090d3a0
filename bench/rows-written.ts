import type pg from 'pg'
import { runLoad, type Workload } from './load.ts'

const tables = [
  'leads',
  'activities',
  'events',
  'checklist_items',
  'notifications',
  'mails',
  'webhook_messages',
]
const operations = 400

/** How many rows of each table one request adds: a floor that wrote fewer would flatter nobody for long. */
export async function rowsWritten(client: pg.Client, workload: Workload): Promise<string> {
  const before = await count(client)
  await runLoad(workload, { connections: 8, count: operations })
  const after = await count(client)
  return tables.map((table, i) => `${table} ${(after[i]! - before[i]!) / operations}`).join(', ')
}

async function count(client: pg.Client): Promise<number[]> {
  const counts = tables.map((table) => `(select count(*)::int from ${table})`)
  const { rows } = await client.query<number[]>({ text: `select ${counts.join(', ')}`, rowMode: 'array' })
  return rows[0]!
}
