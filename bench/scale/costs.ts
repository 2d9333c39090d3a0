import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../load.ts'
import type { Bed } from './bed.ts'
import { type Grown, grown, readStored, statementMs } from './database-facts.ts'
import type { Driven } from './generator.ts'
import { type Kind, kinds, model, type ObservedKind } from './model.ts'
import { sumOf } from './prometheus.ts'
import type { Audience } from './requests.ts'
import { createMeter } from './resources.ts'

/** What one call costs; of a webhook, one delivery. */
export interface Cost {
  calls: number
  serverUs: number
  /** Null where it cannot be told. */
  databaseUs: number | null
  walBytes: number
  diskBytes: number
}

export interface Idle {
  serverMsPerSecond: number
  databaseMsPerSecond: number | null
}

/** A look for alerts at every panel, which is there whoever calls. */
export interface Look {
  seconds: number
  serverMs: number
  databaseMs: number | null
}

export interface Costs {
  idle: Idle
  look: Look
  kinds: Record<ObservedKind, Cost>
}

/** What the looks for alerts take of a second, on the whole. */
export function lookCores({ look }: Pick<Costs, 'look'>): { server: number; database: number | null } {
  const share = (ms: number) => ms / lookEveryMs
  return { server: share(look.serverMs), database: look.databaseMs === null ? null : share(look.databaseMs) }
}

interface Used extends Grown {
  seconds: number
  serverMs: number
  databaseMs: number | null
}

/**
 * Each kind alone for some seconds, less what the server costs with nothing to do. Leads and moves are of companies that
 * nobody is told of; what a delivery costs is what leads cost more where somebody is.
 */
export async function measureCosts(
  bed: Bed,
  probeSeconds: number,
  note: (message: string) => void,
): Promise<Costs> {
  const begun = await measureLook(bed, note)
  note('what each kind costs, alone: idle first')
  // Caches, compiled code and plans: of every kind once.
  for (const kind of kinds) await driveOne(bed, kind, Math.max(0.3, probeSeconds / 3), 'all')
  await arrived(bed)
  const settleMs = Math.min(1_200, probeSeconds * 1000)
  const quiet = await using(bed, settleMs, () => pause(probeSeconds * 1000))
  const idle = {
    serverMsPerSecond: quiet.serverMs / quiet.seconds,
    databaseMsPerSecond: quiet.databaseMs === null ? null : quiet.databaseMs / quiet.seconds,
  }
  const costs: Partial<Record<ObservedKind, Cost>> = {}
  for (const kind of kinds) {
    note(`${kind} alone`)
    const audience = kind === 'post-lead' || kind === 'move-stage' ? 'untold' : 'all'
    let calls = 0
    const used = await using(bed, settleMs, async () => {
      calls = doneOf(await driveOne(bed, kind, probeSeconds, audience), kind)
    })
    costs[kind] = costOf(used, idle, calls)
  }
  costs.webhook = await deliveryCost(bed, probeSeconds, settleMs, idle, costs['post-lead']!, note)
  const less = (ms: number, idleMs: number) => Math.max(0, ms - idleMs * begun.seconds)
  const look = {
    seconds: begun.seconds,
    serverMs: less(begun.serverMs, idle.serverMsPerSecond),
    databaseMs: begun.databaseMs === null ? null : less(begun.databaseMs, idle.databaseMsPerSecond ?? 0),
  }
  return { idle, look, kinds: costs as Record<ObservedKind, Cost> }
}

/** As `recurring-jobs.ts` has it. */
const lookEveryMs = 900_000
const lookLimitMs = 1_800_000

/** A start looks for alerts at once. Waits for the end of it, and answers what all of it took, by what was seen of it. */
async function measureLook(bed: Bed, note: (message: string) => void): Promise<Look> {
  note('what looking for alerts costs')
  const metrics = async () => (await ask(bed.watched.serverPort, '/metrics')).text
  const runs = (text: string) => sumOf(text, 'job_runs_total', 'name="find alerts"')
  const used = await using(bed, 0, async () => {
    for (const limit = Date.now() + lookLimitMs; runs(await metrics()) === 0; await pause(250))
      if (Date.now() > limit) throw new Error('the look for alerts did not end')
  })
  const seconds = sumOf(await metrics(), 'job_last_run_seconds', 'name="find alerts"')
  // A look at few panels has ended before it is watched, and takes next to nothing.
  const all = (ms: number) => (used.seconds < 1 ? 0 : (ms * seconds) / used.seconds)
  return {
    seconds,
    serverMs: all(used.serverMs),
    databaseMs: used.databaseMs === null ? null : all(used.databaseMs),
  }
}

async function deliveryCost(
  bed: Bed,
  probeSeconds: number,
  settleMs: number,
  idle: Idle,
  lead: Cost,
  note: (message: string) => void,
): Promise<Cost> {
  note('webhook: leads of companies that are told of them')
  await ask(bed.receiver.port, '/begin')
  let leads = 0
  let deliveries = 0
  const used = await using(bed, settleMs, async () => {
    leads = doneOf(await driveOne(bed, 'post-lead', probeSeconds, 'told'), 'post-lead')
    deliveries = await arrived(bed)
  })
  const all = costOf(used, idle, 1)
  const share = (whole: number, one: number) => Math.max(0, (whole - one * leads) / Math.max(1, deliveries))
  return {
    calls: deliveries,
    serverUs: share(all.serverUs, lead.serverUs),
    databaseUs:
      all.databaseUs === null || lead.databaseUs === null ? null : share(all.databaseUs, lead.databaseUs),
    walBytes: share(all.walBytes, lead.walBytes),
    // By its own tables: what else a lead takes differs more from company to company than this is.
    diskBytes: used.webhookBytes / Math.max(1, deliveries),
  }
}

const driveOne = (bed: Bed, kind: Kind, seconds: number, audience: Audience) =>
  bed.drive({ rates: { [kind]: model.probesASecond[kind] }, seconds, audience })

function doneOf({ kinds: results }: Driven, kind: Kind): number {
  const { done, failures } = results[kind]!
  if (done === 0)
    throw new Error(`not one call of ${kind} was answered as it should be: ${JSON.stringify(failures)}`)
  return done
}

async function using(bed: Bed, settleMs: number, work: () => Promise<unknown>): Promise<Used> {
  const meter = createMeter(bed.watched)
  const stored = await readStored(bed.client, bed.facts)
  const statements = bed.facts.backendPids ? null : await statementMs(bed.client)
  const before = meter.read()
  await work()
  // What is done a moment later belongs to it: the request log is written once a second.
  await pause(settleMs)
  const { at, server, database } = meter.since(before)
  const statementsAfter = statements === null ? null : await statementMs(bed.client)
  return {
    seconds: at / 1000,
    serverMs: server,
    databaseMs: database ?? (statementsAfter === null ? null : statementsAfter - statements!),
    ...grown(stored, await readStored(bed.client, bed.facts)),
  }
}

function costOf(used: Used, idle: Idle, calls: number): Cost {
  const each = (ms: number, idleMs: number) => Math.max(0, ((ms - idleMs * used.seconds) * 1000) / calls)
  return {
    calls,
    serverUs: each(used.serverMs, idle.serverMsPerSecond),
    databaseUs: used.databaseMs === null ? null : each(used.databaseMs, idle.databaseMsPerSecond ?? 0),
    walBytes: used.walBytes / calls,
    diskBytes: used.diskBytes / calls,
  }
}

const stillMs = 1_000
const arrivalLimitMs = 60_000

/** Waits until no delivery has come for a while; answers how many did. */
export async function arrived({ receiver }: Bed): Promise<number> {
  const limit = Date.now() + arrivalLimitMs
  for (let last = -1, since = Date.now(); ; ) {
    const { count } = JSON.parse((await ask(receiver.port, '/arrived')).text) as { count: number }
    if (count !== last) since = Date.now()
    last = count
    if (Date.now() - since >= stillMs || Date.now() > limit) return count
    await pause(100)
  }
}
