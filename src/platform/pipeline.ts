import type { Socket } from 'node:net'
import pg from 'pg'
import { cutOff, impatientClient, type Patience } from './pool.ts'

interface Query {
  name: string
  text: string
  values: unknown[]
}

/** Of one who waits for an answer: over where they have given up. */
export interface Wait {
  over: boolean
}

export interface Pipeline {
  /** Queries with the same `order` keep it; others take the lane where the fewest wait. */
  query<Row>(query: Query, wait: Wait, order?: string): Promise<Row[]>
  close(): Promise<void>
  /** Ends all connections without waiting for answers. */
  cut(): void
}

interface Lane {
  client: pg.Client | null
  connecting: Promise<pg.Client> | null
  pending: number
  /** Whether what is asked in this turn of the event loop is being held back to go out together. */
  held: boolean
}

/**
 * A few connections that many short statements share: each is sent at once, behind those under way,
 * and answered in turn. It saves the waiting for a free connection and most of the system calls. Not
 * for what takes long, which would hold up whoever comes behind it.
 */
export function openPipeline(config: pg.ClientConfig, lanes: number, patience: Patience): Pipeline {
  const Client = impatientClient(patience)
  const clients = new Set<pg.Client>()
  const open: Lane[] = Array.from({ length: lanes }, () => ({
    client: null,
    connecting: null,
    pending: 0,
    held: false,
  }))
  let closed = false

  async function connect(lane: Lane): Promise<pg.Client> {
    const client = new Client({ ...config, pipeline: true } as pg.ClientConfig)
    clients.add(client)
    client.on('error', () => drop(lane, client))
    client.on('end', () => {
      clients.delete(client)
      drop(lane, client)
    })
    await client.connect()
    lane.client = client
    return client
  }

  /** One write for all that is asked in one turn: a system call each costs more than the rest of it. */
  function hold(lane: Lane, client: pg.Client): void {
    if (lane.held) return
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    lane.held = true
    stream.cork()
    setImmediate(() => {
      lane.held = false
      stream.uncork()
    })
  }

  function run<Row>(lane: Lane, client: pg.Client, query: Query): Promise<Row[]> {
    hold(lane, client)
    return new Promise((resolve, reject) => {
      client.query(query, (error: Error | null, result: pg.QueryResult) => {
        lane.pending--
        if (!error) return resolve(result.rows)
        // Whoever comes now must not be sent after it.
        if (isSpent(error) && drop(lane, client)) void client.end()
        reject(error)
      })
    })
  }

  return {
    query<Row>(query: Query, wait: Wait, order?: string) {
      if (closed) return Promise.reject(new Error('Connection terminated'))
      const lane = order === undefined ? leastBusy(open) : open[hashOf(order) % open.length]!
      lane.pending++
      if (lane.client) return run<Row>(lane, lane.client, query)
      lane.connecting ??= connect(lane).finally(() => {
        lane.connecting = null
      })
      return lane.connecting.then(
        (client) => {
          if (!wait.over) return run<Row>(lane, client, query)
          lane.pending--
          throw new Error('Connection terminated: nobody waits for this answer any more')
        },
        (error) => {
          lane.pending--
          throw error
        },
      )
    },
    async close() {
      closed = true
      await Promise.allSettled(open.map((lane) => lane.connecting))
      await Promise.all(open.map((lane) => lane.client?.end()))
    },
    cut() {
      for (const client of clients) cutOff(client)
    },
  }
}

/** Answers whether it was there: only the first of those that fail with it ends it. */
function drop(lane: Lane, client: pg.Client): boolean {
  if (lane.client !== client) return false
  lane.client = null
  return true
}

/**
 * Whether a connection that failed so is of no more use: it is lost or about to close, or knows statements whose
 * tables have changed since, which it would go on refusing.
 */
export function isSpent(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return true
  return error.code?.startsWith('57P') === true || isOutdatedPlan(error)
}

/**
 * A migration has run meanwhile; or the first of those that were sent together was ended before its statement was
 * prepared, so that the others do not find it. Nothing was done.
 */
export function isOutdatedPlan({
  code,
  message,
}: {
  code?: string | undefined
  message?: string | undefined
}): boolean {
  if (code === '26000' || code === '42P05') return true
  return code === '0A000' && message?.startsWith('cached plan must not change') === true
}

function leastBusy(lanes: Lane[]): Lane {
  let least = lanes[0]!
  for (const lane of lanes) if (lane.pending < least.pending) least = lane
  return least
}

function hashOf(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return hash
}
