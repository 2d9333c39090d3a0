import { AggregatorRegistry } from 'prom-client'
import type { Metrics } from '../platform/metrics.ts'

/** What a process that does not answer holds up the others' figures for. */
const patienceMs = 1_000

/** Sums up what all workers count. */
export function createMetricsGatherer(ask: (id: number) => number) {
  const open = new Map<number, { missing: number; found: object[][]; done(): void }>()
  let last = 0

  return {
    async gather(): Promise<string> {
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<void>()
      const found: object[][] = []
      open.set(id, { missing: 0, found, done: resolve })
      const late = setTimeout(resolve, patienceMs)
      open.get(id)!.missing = ask(id)
      if (open.get(id)!.missing > 0) await promise
      clearTimeout(late)
      open.delete(id)
      const all = found as Parameters<typeof AggregatorRegistry.aggregate>[0]
      return AggregatorRegistry.aggregate(all).metrics()
    },
    collected(id: number, metrics: object[]): void {
      const one = open.get(id)
      if (!one) return
      one.found.push(metrics)
      if (--one.missing === 0) one.done()
    },
  }
}

export const metricsOf = async ({ registry }: Metrics): Promise<object[]> => registry.getMetricsAsJSON()
