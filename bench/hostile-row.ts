import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { createCompany } from '../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../src/domain/tenants/keys/create-key.ts'
import { openDatabase } from '../src/platform/db.ts'
import { runLoad, type Workload } from './load.ts'
import type { Rounds } from './measure.ts'
import { newLead } from './new-lead.ts'
import { besideResult, type Result } from './report.ts'
import { get } from './row.ts'

/** A small read beside one caller who sends what takes long to read, and beside one who sends as much that is good. */
export const hostileBodies = 'hostile-bodies'

const megabyte = 1_048_576
const everyMs = 100
const readers = 4
const atMost = 3

interface Sent {
  path: string
  body: string
  status: number
}

/** Spaces change nothing in JSON: each honest body is as long as its hostile twin. */
const padded = (json: string, bytes: number) => json + ' '.repeat(bytes - json.length)
const repeated = (part: string, bytes: number) =>
  Array(Math.floor(bytes / (part.length + 1)))
    .fill(part)
    .join()
const fields = (count: number) => Array.from({ length: count }, (_, i) => `"${i.toString(36)}":1`).join()

function hostile(): Sent[] {
  const room = megabyte - 64
  const leads = (body: string): Sent => ({ path: '/v1/leads', body: padded(body, megabyte), status: 400 })
  const readings = `{"readings":[${repeated('{}', 8 * megabyte - 64)}]}`
  return [
    leads(`{${fields(120_000)}}`),
    leads(`{${fields(9_900)}}`),
    leads(`[${repeated('{}', room)}]`),
    leads('['.repeat(room)),
    { path: '/catalog/v1/monitoring/readings', body: padded(readings, 8 * megabyte), status: 400 },
  ]
}

function honest(): Sent[] {
  const lead = padded(JSON.stringify({ ...newLead, externalId: 'the same each time' }), megabyte)
  return hostile().map(({ path, body }) =>
    body.length === megabyte
      ? { path, body: lead, status: 200 }
      : { path, body: padded('{"readings":[]}', body.length), status: 200 },
  )
}

export async function measureHostile(url: string, port: number, options: Rounds): Promise<Result> {
  const key = await makeKey(url)
  await call(port, key, { path: '/v1/leads', body: honest()[0]!.body, status: 201 })
  const read: Workload = { port, next: () => get('/v1/me', key), status: 200, minBytes: 50 }
  const sides = { ours: hostile(), floor: honest() }
  const times = { ours: [] as number[], floor: [] as number[] }
  await runLoad(read, { connections: readers, ms: options.warmUpMs })
  for (let round = 0; round < 2 * options.rounds; round++) {
    const turn = round % 2 === 0 ? 'ours' : 'floor'
    const over = new AbortController()
    const reading = runLoad(read, { connections: readers, ms: options.roundMs }).finally(() => over.abort())
    const [{ latenciesMs }] = await Promise.all([reading, send(port, key, sides[turn], over.signal)])
    for (const ms of latenciesMs) times[turn].push(ms)
  }
  return besideResult(hostileBodies, 'its p99 beside an honest caller of bodies as long', atMost, times)
}

async function makeKey(url: string): Promise<string> {
  const db = openDatabase(url, () => {})
  try {
    const company = await createCompany(db, new Date(), { name: 'Beside' })
    return (await createKey(db, new Date(), { company: company.id, name: 'bench' })).secret
  } finally {
    await db.close()
  }
}

/** One caller: a body every so often, each when the one before is answered. */
async function send(port: number, key: string, all: readonly Sent[], over: AbortSignal): Promise<void> {
  for (let turn = 0; !over.aborted; turn++) {
    const next = wait(everyMs)
    await call(port, key, all[turn % all.length]!)
    await next
  }
}

async function call(port: number, key: string, { path, body, status }: Sent): Promise<void> {
  const refused = status === 400
  try {
    const answer = await request(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode === status) return
    throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  } catch (error) {
    // What is refused on its way is hung up on while it is still being sent.
    if (
      !refused ||
      !['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes((error as { code?: string }).code ?? '')
    )
      throw error
  }
}
