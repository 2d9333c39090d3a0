import { setTimeout as pause } from 'node:timers/promises'
import { atOnce } from '../src/domain/delivery/webhooks/delivery-worker.ts'
import { recordEvents } from '../src/domain/journal/events/record-events.ts'
import { takeTimes } from '../src/domain/kernel/tenant/clock-queries.ts'
import type { Database } from '../src/platform/db.ts'
import { newId } from '../src/platform/ids.ts'
import { ask } from './load.ts'
import { newLead } from './new-lead.ts'
import { createCpuMeter, type Running } from './processes.ts'
import { fanoutResult, promptnessResult, type Result } from './report.ts'
import { createTenantWithWebhooks, type TenantWithWebhooks } from './seed/webhooks.ts'

const fanoutEvents = 10_000
const steadyPerSecond = 200
const steadySeconds = 10
const arrivalLimitMs = 120_000
// As the database does by itself within a minute: statements that were planned for empty tables are planned again.
const analyze = 'analyze leads, events, webhook_messages, webhook_deliveries'

/** Who receives, and at which ports. */
export interface Receiver extends Running {
  ports: number[]
  /** The same, as the server is told whom to trust. */
  hosts: string
}

export interface WebhookDeps {
  db: Database
  ours: Running
  floor: Running
  receiver: Receiver
  backendPid: number
  rounds: number
}

/** How fast very many events reach ten endpoints, and how soon each does at a steady rate. */
export async function measureWebhooks(parts: WebhookDeps): Promise<Result[]> {
  const { db, ours, receiver } = parts
  const { ports } = receiver
  const busy = await createTenantWithWebhooks(db, 'Installer of many events', ours.port, ports)
  const fanout = await measureFanout(parts, busy, ports)
  const steady = await createTenantWithWebhooks(db, 'Installer of steady events', ours.port, ports)
  return [fanout, await measurePromptness(parts, steady, ports)]
}

async function measureFanout(
  parts: WebhookDeps,
  tenant: TenantWithWebhooks,
  ports: number[],
): Promise<Result> {
  const events = Math.ceil(fanoutEvents / parts.rounds)
  const posts = events * ports.length
  const turns = {
    ours: () => fanOut(parts, tenant, events, posts),
    floor: async () => {
      const path = `/post/${tenant.installerId}/${events}/${atOnce}/${ports.join()}`
      const answer = await fetch(`http://127.0.0.1:${parts.floor.port}${path}`)
      return Number(await answer.text())
    },
  }
  const meters = {
    ours: meterOf(parts, parts.ours),
    floor: meterOf(parts, parts.floor),
  }
  const rates = { ours: [] as number[], floor: [] as number[] }
  await turns.ours()
  await turns.floor()
  await parts.db.execute(analyze)
  for (let round = 0; round < parts.rounds; round++) {
    for (const turn of round % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const)) {
      meters[turn].begin()
      rates[turn].push((posts * 1000) / (await turns[turn]()))
      meters[turn].end(posts)
    }
  }
  for (const turn of ['ours', 'floor'] as const) {
    const each = rates[turn].map((rate) => rate.toFixed(0)).join(' ')
    console.log(`          ${turn}: ${each} /s; processor µs a delivery: ${meters[turn].text()}`)
  }
  return fanoutResult('webhook-fanout', 'a bare loop of posts of the same bodies, unsigned', 0.4, rates)
}

/** What the posting process, the database and the receiver use. */
function meterOf({ receiver, backendPid }: WebhookDeps, sender: Running) {
  const meters = [createCpuMeter(sender.pid, backendPid), createCpuMeter(receiver.pid, backendPid)] as const
  let before = meters.map((meter) => meter.read())
  const used = { sender: 0, database: 0, receiver: 0, posts: 0 }
  return {
    begin() {
      before = meters.map((meter) => meter.read())
    },
    end(posts: number) {
      const [mine, theirs] = meters.map((meter, i) => meter.since(before[i]!))
      used.sender += mine!.server
      used.database += mine!.database
      used.receiver += theirs!.server
      used.posts += posts
    },
    text() {
      const each = (ms: number) => ((ms * 1000) / used.posts).toFixed(0)
      return `sender ${each(used.sender)}, database ${each(used.database)}, receiver ${each(used.receiver)}`
    },
  }
}

/** From before the events are written to the last arrival, in milliseconds. */
async function fanOut(
  { db, receiver }: WebhookDeps,
  tenant: TenantWithWebhooks,
  events: number,
  posts: number,
): Promise<number> {
  const before = await writtenDown(db, tenant)
  await ask(receiver.port, '/begin')
  const startedAt = Date.now()
  await writeEvents(db, tenant, events)
  const lastAt = await arrivals(receiver, posts)
  // What is still to be written down must not weigh on the floor.
  while ((await writtenDown(db, tenant)) < before + posts) await pause(20)
  return lastAt - startedAt
}

async function arrivals(receiver: Running, posts: number): Promise<number> {
  for (const limit = Date.now() + arrivalLimitMs; ; ) {
    const { count, lastAt } = JSON.parse((await ask(receiver.port, '/arrived')).text)
    if (count === posts) return lastAt
    if (Date.now() > limit) throw new Error(`only ${count} of ${posts} deliveries arrived`)
    await pause(50)
  }
}

async function writtenDown(db: Database, { installerId }: TenantWithWebhooks): Promise<number> {
  const statement = {
    name: 'bench-deliveries',
    text: `select count(*) as count from webhook_deliveries where installer_id = $1 and state = 'delivered'`,
  }
  const [row] = await db.query<{ count: number }>(statement, [installerId])
  return row!.count
}

const perTransaction = 100

/** As the domain writes events, many at a time. */
async function writeEvents(db: Database, { installerId }: TenantWithWebhooks, events: number): Promise<void> {
  const actor = {
    kind: 'job' as const,
    id: null,
    name: 'bench',
    installerId,
    companyId: installerId,
    companyKind: 'installer' as const,
    canWrite: true,
  }
  for (let from = 0; from < events; from += perTransaction) {
    const batch = Array.from({ length: Math.min(perTransaction, events - from) }, panelCreated)
    await db.transaction(async (tx) => {
      const at = await takeTimes(tx, installerId, new Date(), 1)
      await recordEvents(
        tx,
        actor,
        at,
        batch.map((data) => ({ type: 'panel.created', companyId: installerId, subjectId: data.id, data })),
      )
    })
  }
}

function panelCreated() {
  return {
    id: newId('pnl'),
    name: 'Roof south 12',
    capacity_kw: 0.42,
    status: 'active',
    daily_output_kwh: 0,
    installation_id: newId('inst'),
    created_at: new Date().toISOString(),
    metadata: { serial: 'SN-2039-4471-08', string: 'B', roof: 'south', installer: 'crew 4' },
    version: 1,
  }
}

async function measurePromptness(
  parts: WebhookDeps,
  tenant: TenantWithWebhooks,
  ports: number[],
): Promise<Result> {
  const { ours, receiver } = parts
  await ask(receiver.port, '/begin')
  const warmUp = await createLeads(ours.port, tenant.key, 1)
  await arrivals(receiver, warmUp * ports.length)
  await parts.db.execute(analyze)
  await ask(receiver.port, '/begin')
  const meter = meterOf(parts, ours)
  const posts = (await createLeads(ours.port, tenant.key, steadySeconds)) * ports.length
  await arrivals(receiver, posts)
  meter.end(posts)
  const delays: number[] = JSON.parse((await ask(receiver.port, '/delays')).text)
  delays.sort((a, b) => a - b)
  const at = (share: number) => delays[Math.floor(delays.length * share)]!
  console.log(`          at ${steadyPerSecond} events/s: processor µs a delivery: ${meter.text()}`)
  return promptnessResult(
    'webhook-fanout-p99',
    `the limit from commit to arrival at ${steadyPerSecond} events/s`,
    1000,
    at(0.5),
    at(0.99),
  )
}

/** Creates leads through the API at a steady rate, whether or not the answers keep up. */
async function createLeads(port: number, key: string, seconds: number): Promise<number> {
  const total = steadyPerSecond * seconds
  const startedAt = performance.now()
  const calls: Promise<void>[] = []
  for (let i = 0; i < total; i++) {
    const waitMs = startedAt + (i * 1000) / steadyPerSecond - performance.now()
    if (waitMs > 0) await pause(waitMs)
    calls.push(createLead(port, key))
  }
  await Promise.all(calls)
  return total
}

async function createLead(port: number, key: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(newLead),
  })
  if (answer.status !== 201) throw new Error(`a lead was refused: ${await answer.text()}`)
  await answer.arrayBuffer()
}
