import { ask } from '../load.ts'
import type { Bed } from './bed.ts'
import { arrived, type Costs, lookCores } from './costs.ts'
import { type Grown, grown, readStored } from './database-facts.ts'
import type { Driven } from './generator.ts'
import { type Kind, kinds, model, type ObservedKind, ratesOf, type Size } from './model.ts'
import { createMeter, memories, type ProcessMemory, watch } from './resources.ts'
import { type CoresUsed, type Resource, resourcesOf } from './saturation.ts'
import { type KindResult, spread } from './tally.ts'

export interface Mix {
  speed: number
  seconds: number
  kinds: Record<Kind, KindResult>
  /** Deliveries, and how long after the change each arrived. */
  webhook: Pick<KindResult, 'done' | 'donePerSecond' | 'p50Ms' | 'p99Ms' | 'maxMs'>
  cores: CoresUsed
  /** What the costs of each kind alone add up to. */
  expectedCores: { server: number; database: number | null }
  /** The one nearest to its limit first. */
  resources: Resource[]
  memory: ProcessMemory[]
  grown: Grown
  lateP99Ms: number
  quartersSent: number
  holds: boolean
  /** What does not hold. */
  reasons: string[]
}

/** Everything together, at a multiple of the realistic rate. */
export async function driveMix(
  bed: Bed,
  size: Size,
  speed: number,
  seconds: number,
  costs: Costs,
): Promise<Mix> {
  const realistic = ratesOf(size)
  const rates = Object.fromEntries(kinds.map((kind) => [kind, realistic[kind] * speed]))
  await ask(bed.receiver.port, '/begin')
  const stored = await readStored(bed.client, bed.facts)
  const meter = createMeter(bed.watched)
  const stopWatching = await watch(bed.watched)
  const before = meter.read()
  const driven = await bed.drive({ rates, seconds, audience: 'all' })
  const cpu = meter.since(before)
  const seen = await stopWatching()
  const memory = memories(bed.watched)
  const deliveries = await arrived(bed)
  const delays: number[] = JSON.parse((await ask(bed.receiver.port, '/delays')).text)
  const webhook = { done: deliveries, donePerSecond: deliveries / driven.seconds, ...spread(delays) }
  const used = (ms: number | null) => (ms === null ? null : ms / cpu.at)
  const known = cpu.server + (cpu.database ?? 0) + cpu.generator + cpu.receiver
  const cores = {
    server: used(cpu.server)!,
    database: used(cpu.database),
    generator: used(cpu.generator)!,
    receiver: used(cpu.receiver)!,
    others: cpu.host === null ? null : Math.max(0, used(cpu.host - known)!),
  }
  const results = driven.kinds as Record<Kind, KindResult>
  const reasons = reasonsAgainst(driven, webhook)
  return {
    speed,
    seconds: driven.seconds,
    kinds: results,
    webhook,
    cores,
    expectedCores: expected(costs, results, webhook.donePerSecond),
    resources: resourcesOf(seen, cores, driven),
    memory,
    grown: grown(stored, await readStored(bed.client, bed.facts)),
    lateP99Ms: driven.lateP99Ms,
    quartersSent: driven.quartersSent,
    holds: reasons.length === 0,
    reasons,
  }
}

function reasonsAgainst({ kinds: results }: Driven, webhook: Mix['webhook']): string[] {
  const { p99Ms: limits, done, failed } = model.holds
  const tooLate = (kind: ObservedKind, p99Ms: number | null) =>
    p99Ms !== null && p99Ms > limits[kind]
      ? [`${kind}: p99 ${p99Ms.toFixed(0)} ms, more than ${limits[kind]}`]
      : []
  const calls = kinds.flatMap((kind) => {
    const result = results[kind]
    if (!result || result.begun === 0) return []
    return [
      ...tooLate(kind, result.p99Ms),
      ...(result.failed > result.begun * failed
        ? [`${kind}: ${result.failed} of ${result.begun} failed`]
        : []),
      ...(result.done < result.begun * done ? [`${kind}: ${result.done} of ${result.begun} were done`] : []),
    ]
  })
  return [...calls, ...tooLate('webhook', webhook.p99Ms)]
}

function expected(measured: Costs, results: Record<Kind, KindResult>, deliveries: number) {
  const { idle, kinds: costs } = measured
  const look = lookCores(measured)
  const sum = (of: 'serverUs' | 'databaseUs') =>
    kinds.reduce(
      (total, kind) => total + (results[kind]?.donePerSecond ?? 0) * (costs[kind][of] ?? 0),
      deliveries * (costs.webhook[of] ?? 0),
    ) / 1e6
  return {
    server: sum('serverUs') + idle.serverMsPerSecond / 1000 + look.server,
    database:
      idle.databaseMsPerSecond === null
        ? null
        : sum('databaseUs') + idle.databaseMsPerSecond / 1000 + (look.database ?? 0),
  }
}
