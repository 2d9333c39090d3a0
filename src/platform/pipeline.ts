import type { Socket } from 'node:net'
import pg from 'pg'

interface Query {
  name: string
  text: string
}

export interface Pipeline {
  /** Queries with the same `order` keep it; others take the lane where the fewest wait. */
  query<Row>(query: Query, values: readonly unknown[], order?: string): Promise<Row[]>
  close(): Promise<void>
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
export function openPipeline(config: pg.ClientConfig, lanes: number): Pipeline {
  const open: Lane[] = Array.from({ length: lanes }, () => ({
    client: null,
    connecting: null,
    pending: 0,
    held: false,
  }))
  let closed = false

  async function connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)
    client.on('error', () => drop(lane, client))
    client.on('end', () => drop(lane, client))
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

  function run<Row>(lane: Lane, client: pg.Client, query: Query, values: readonly unknown[]): Promise<Row[]> {
    hold(lane, client)
    return new Promise((resolve, reject) => {
      client.query({ name: query.name, text: query.text, values: values as unknown[] }, (error, result) => {
        lane.pending--
        if (!error) return resolve(result.rows)
        // The connection is about to close: whoever comes now must not be sent after it.
        if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P')) drop(lane, client)
        reject(error)
      })
    })
  }

  return {
    query<Row>(query: Query, values: readonly unknown[], order?: string) {
      if (closed) return Promise.reject(new Error('Connection terminated'))
      const lane = order === undefined ? leastBusy(open) : open[hashOf(order) % open.length]!
      lane.pending++
      if (lane.client) return run<Row>(lane, lane.client, query, values)
      lane.connecting ??= connect(lane).finally(() => {
        lane.connecting = null
      })
      return lane.connecting.then(
        (client) => run<Row>(lane, client, query, values),
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
  }
}

function drop(lane: Lane, client: pg.Client): void {
  if (lane.client === client) lane.client = null
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
