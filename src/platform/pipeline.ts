import type { Socket } from 'node:net'
import pg from 'pg'
import type { Types } from './long-values.ts'
import { cutOff, impatientClient, type Patience } from './pool.ts'

interface Query {
  name: string
  text: string
  values: unknown[]
  /** How its values are read, where not as usual. */
  types?: Types
}

/** Of one who waits for an answer: over where they have given up. */
export interface Wait {
  over: boolean
}

/** Which part of the connections a statement keeps to: those of another wait for none of it, as far as connections go round. */
export interface Bulkhead {
  index: number
  of: number
}

export interface Pipeline {
  /** Queries with the same `order` keep it; others take the connection where the fewest wait. */
  query<Row>(query: Query, wait: Wait, order?: string, bulkhead?: Bulkhead): Promise<Row[]>
  usage(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
  /** Ends all connections without waiting for answers. */
  cut(): void
}

interface PipelinedConnection {
  client: pg.Client | null
  connecting: Promise<pg.Client> | null
  pending: number
  /** Whether what is asked in this turn of the event loop is being held back to go out together. */
  held: boolean
}

type Answered = (error: Error | null, result: pg.QueryResult) => void
type NamedQuery = pg.Submittable & { name: string }
const OwnQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
  answered: Answered,
) => NamedQuery

/** Of a description pg would first make a copy, property by property, which takes a tenth of a short call. */
function made({ name, text, values }: Query, answered: Answered): NamedQuery {
  const query = new OwnQuery(text, values, answered)
  query.name = name
  return query
}

/**
 * A few connections that many short statements share: each is sent at once, behind those under way,
 * and answered in turn. It saves the waiting for a free connection and most of the system calls. Not
 * for what takes long, which would hold up whoever comes behind it.
 */
export function openPipeline(config: pg.ClientConfig, connections: number, patience: Patience): Pipeline {
  const Client = impatientClient(patience)
  const clients = new Set<pg.Client>()
  const open: PipelinedConnection[] = Array.from({ length: connections }, () => ({
    client: null,
    connecting: null,
    pending: 0,
    held: false,
  }))
  let closed = false
  const parts = new Map<number, PipelinedConnection[]>()

  /** Its connections: every so manyth. */
  function partOf(bulkhead: Bulkhead): PipelinedConnection[] {
    const of = Math.min(bulkhead.of, connections)
    const index = bulkhead.index % of
    const key = of * connections + index
    let part = parts.get(key)
    if (!part) {
      part = open.filter((_, i) => i % of === index)
      parts.set(key, part)
    }
    return part
  }

  async function connect(connection: PipelinedConnection): Promise<pg.Client> {
    const client = new Client({ ...config, pipeline: true } as pg.ClientConfig)
    clients.add(client)
    client.on('error', () => drop(connection, client))
    client.on('end', () => {
      clients.delete(client)
      drop(connection, client)
    })
    await client.connect()
    connection.client = client
    return client
  }

  /** One write for all that is asked in one turn: a system call each costs more than the rest of it. */
  function hold(connection: PipelinedConnection, client: pg.Client): void {
    if (connection.held) return
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    connection.held = true
    stream.cork()
    setImmediate(() => {
      connection.held = false
      stream.uncork()
    })
  }

  function run<Row>(connection: PipelinedConnection, client: pg.Client, query: Query): Promise<Row[]> {
    hold(connection, client)
    return new Promise((resolve, reject) => {
      const answered = (error: Error | null, result: pg.QueryResult) => {
        connection.pending--
        if (!error) return resolve(result.rows)
        // Whoever comes now must not be sent after it.
        if (isSpent(error) && drop(connection, client)) void client.end()
        reject(error)
      }
      if (query.types) client.query(query, answered)
      else client.query(made(query, answered))
    })
  }

  return {
    query<Row>(query: Query, wait: Wait, order?: string, bulkhead?: Bulkhead) {
      if (closed) return Promise.reject(new Error('Connection terminated'))
      const some = bulkhead === undefined ? open : partOf(bulkhead)
      const connection = order === undefined ? leastBusy(some) : some[hashOf(order) % some.length]!
      connection.pending++
      if (connection.client) return run<Row>(connection, connection.client, query)
      connection.connecting ??= connect(connection).finally(() => {
        connection.connecting = null
      })
      return connection.connecting.then(
        (client) => {
          if (!wait.over) return run<Row>(connection, client, query)
          connection.pending--
          throw new Error('Connection terminated: nobody waits for this answer any more')
        },
        (error) => {
          connection.pending--
          throw error
        },
      )
    },
    usage() {
      const connected = open.filter(({ client }) => client !== null)
      return {
        open: connected.length,
        idle: connected.filter(({ pending }) => pending === 0).length,
        // Behind the one that each connection works on.
        waiting: open.reduce((sum, { pending }) => sum + Math.max(0, pending - 1), 0),
      }
    },
    async close() {
      closed = true
      await Promise.allSettled(open.map((connection) => connection.connecting))
      await Promise.all(open.map((connection) => connection.client?.end()))
    },
    cut() {
      for (const client of clients) cutOff(client)
    },
  }
}

/** Answers whether it was there: only the first of those that fail with it ends it. */
function drop(connection: PipelinedConnection, client: pg.Client): boolean {
  if (connection.client !== client) return false
  connection.client = null
  return true
}

/**
 * Whether a connection that failed so is of no more use: it is lost or about to close, or knows statements whose
 * tables have changed since, which it would go on refusing.
 */
export function isSpent(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return true
  // Read-only: the server is no primary any more, and the next connection finds the one that is.
  return error.code?.startsWith('57P') === true || error.code === '25006' || isOutdatedPlan(error)
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

function leastBusy(connections: PipelinedConnection[]): PipelinedConnection {
  let least = connections[0]!
  for (const connection of connections) if (connection.pending < least.pending) least = connection
  return least
}

/** Spreads texts over places, the same in every process. */
export function hashOf(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) >>> 0
  return hash
}
