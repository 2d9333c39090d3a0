import type { Socket } from 'node:net'
import pg from 'pg'

interface Reading {
  name: string
  text: string
}

export interface Pipeline {
  query<Row>(reading: Reading, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

interface Lane {
  client: pg.Client | null
  connecting: Promise<pg.Client> | null
  pending: number
  /** Whether what is asked in this turn of the event loop is being held back to go out together. */
  held: boolean
}

const lanes = 3

/**
 * A few connections that many short readings share: each is sent at once, behind those under way, and
 * answered in turn. It saves the waiting for a free connection and most of the system calls. Not for
 * writes or long readings, which would hold up whoever comes behind them.
 */
export function openPipeline(config: pg.ClientConfig): Pipeline {
  const open: Lane[] = Array.from({ length: lanes }, () => ({
    client: null,
    connecting: null,
    pending: 0,
    held: false,
  }))
  let closed = false

  async function connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client({ ...config, pipeline: true } as pg.ClientConfig)
    const lost = () => {
      if (lane.client === client) lane.client = null
    }
    client.on('error', lost)
    client.on('end', lost)
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

  function run<Row>(
    lane: Lane,
    client: pg.Client,
    reading: Reading,
    values: readonly unknown[],
  ): Promise<Row[]> {
    lane.pending++
    hold(lane, client)
    return new Promise((resolve, reject) => {
      client.query(
        { name: reading.name, text: reading.text, values: values as unknown[] },
        (error, result) => {
          lane.pending--
          if (error) reject(error)
          else resolve(result.rows)
        },
      )
    })
  }

  return {
    query<Row>(reading: Reading, values: readonly unknown[]) {
      if (closed) return Promise.reject(new Error('Connection terminated'))
      let lane = open[0]!
      for (const other of open) if (other.pending < lane.pending) lane = other
      if (lane.client) return run<Row>(lane, lane.client, reading, values)
      lane.connecting ??= connect(lane).finally(() => {
        lane.connecting = null
      })
      return lane.connecting.then((client) => run<Row>(lane, client, reading, values))
    },
    async close() {
      closed = true
      await Promise.all(open.map((lane) => lane.client?.end()))
    },
  }
}
