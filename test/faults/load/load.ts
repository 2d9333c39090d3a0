import { setTimeout as sleep } from 'node:timers/promises'
import type { Rows } from '../bed/postgres.ts'
import { type Caller, createCaller } from './caller.ts'
import { createPoller, type Poller } from './poller.ts'
import type { Held, Writer } from './writer.ts'

/** Between two calls of one who calls, on average. */
const pauseMs = 60

export interface LoadParts {
  writers: Writer[]
  pollers: Poller[]
  /** What readers read, by turns. */
  reads: { path: string; headers: Record<string, string> }[]
}

export interface Load {
  caller: Caller
  /** What kinds of call it makes. */
  kinds: string[]
  /** Everybody begins to write and read. */
  start(): void
  /** Nobody begins anything any more; settles when all is answered. */
  stop(): Promise<void>
  /** When each kind of call had succeeded that was begun after `since`; null where one has not yet. */
  wellSince(since: number): boolean
  /** Which kinds have not. */
  notWell(since: number): string[]
  /** Holds every writer's ledger against the database. */
  hold(rows: Rows): Promise<Held>
  /** Where the copies of those that sync differ from the database, after they have polled until nothing is new. */
  differences(rows: Rows): Promise<string[]>
  close(): Promise<void>
}

export type MakeParts = (caller: Caller, newPoller: typeof createPoller) => LoadParts

/** Writers, readers and pollers who call without a pause worth the name, each one call after another. */
export function createLoad(origin: string, makeParts: MakeParts): Load {
  const caller = createCaller(origin)
  const { writers, pollers, reads } = makeParts(caller, createPoller)
  const kinds = [...new Set([...writers.map(({ kind }) => kind), 'reads', 'sync'])]
  let going: AbortController | null = null
  let running: Promise<unknown> = Promise.resolve()

  async function repeat(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await work()
      await sleep(Math.random() * 2 * pauseMs)
    }
  }
  let turn = 0
  const read = async () => {
    const { path, headers } = reads[turn++ % reads.length]!
    await caller.call({ kind: 'reads', method: 'GET', path, headers })
  }
  const notWell = (since: number) => kinds.filter((kind) => (caller.lastGood.get(kind) ?? 0) < since)
  return {
    caller,
    kinds,
    start() {
      going = new AbortController()
      const { signal } = going
      running = Promise.all([
        ...writers.map((writer) => repeat(() => writer.write(), signal)),
        ...pollers.map((poller) => repeat(() => poller.poll(), signal)),
        repeat(read, signal),
        repeat(read, signal),
      ])
    },
    async stop() {
      going?.abort()
      await running
    },
    notWell,
    wellSince: (since) => notWell(since).length === 0,
    async hold(rows) {
      const all: Held = { checked: 0, lost: [], twice: [] }
      for (const writer of writers) {
        const { checked, lost, twice } = await writer.hold(rows)
        all.checked += checked
        all.lost.push(...lost)
        all.twice.push(...twice)
      }
      return all
    },
    async differences(rows) {
      const differ: string[] = []
      for (const poller of pollers) {
        if (!(await poller.poll())) differ.push('a sync did not get through')
        differ.push(...(await poller.compare(rows)))
      }
      return differ
    },
    close: () => caller.close(),
  }
}
