import pg from 'pg'
import { openSocket, readLongValues, usualTypes } from './long-values.ts'

/** How long a server may say nothing. */
export interface Patience {
  /** To a statement that it was sent, before the connection is given up. */
  silenceMs: number
  /** Told of each connection that was given up for that. */
  onSilence?: () => void
}

/** What pg's client has and does not describe. */
interface Inside {
  connection: {
    stream: { destroy(error?: Error): void }
    on(event: 'readyForQuery', listener: () => void): void
  }
  _activeQuery: unknown
  _queryQueue: unknown[]
  _sentQueryQueue: unknown[]
}

/** The server was sent a statement and has said nothing since. */
export class ServerSilent extends Error {
  override name = 'ServerSilent'
}

/**
 * A client that does not wait for ever: a server that has stopped without hanging up (a dead disk, a lost network, a
 * paused machine) is never noticed otherwise. The connection is given up with all that waits on it, so no late answer
 * can be taken for another's. Of statements sent together, each answer gives the next as long again.
 */
export function impatientClient({ silenceMs, onSilence }: Patience): typeof pg.Client {
  return class extends pg.Client {
    #since = 0
    #watched = false

    constructor(config?: string | pg.ClientConfig) {
      super(
        typeof config === 'string'
          ? config
          : ({ types: usualTypes, stream: openSocket, ...config } as pg.ClientConfig),
      )
      readLongValues(this)
      this.#inside.connection.on('readyForQuery', () => {
        this.#since = performance.now()
      })
    }

    get #inside(): Inside {
      return this as unknown as Inside
    }

    // biome-ignore lint/suspicious/noExplicitAny: handed on as it came, in any of the forms that pg takes
    override query(...args: any[]): any {
      if (!this.#waits()) this.#since = performance.now()
      if (!this.#watched) {
        this.#watched = true
        this.#look(silenceMs)
      }
      // biome-ignore lint/suspicious/noExplicitAny: the same
      return (super.query as any)(...args)
    }

    #waits(): boolean {
      const { _activeQuery, _queryQueue, _sentQueryQueue } = this.#inside
      return Boolean(_activeQuery) || _queryQueue.length > 0 || _sentQueryQueue.length > 0
    }

    /** One timer now and then instead of one for each statement. */
    #look(inMs: number): void {
      setTimeout(() => {
        const leftMs = this.#leftMs()
        if (!this.#waits()) this.#watched = false
        else if (leftMs > 0) this.#look(leftMs)
        // Where it is we who come late, the answer may lie there unread: it is read first.
        else
          setImmediate(() => (this.#waits() && this.#leftMs() <= 0 ? this.#giveUp() : this.#look(silenceMs)))
      }, inMs).unref()
    }

    #leftMs(): number {
      return this.#since + silenceMs - performance.now()
    }

    #giveUp(): void {
      onSilence?.()
      this.#inside.connection.stream.destroy(
        new ServerSilent(`the database has said nothing for ${silenceMs} ms`),
      )
    }
  }
}

/** A pool of such clients, which can also be closed when the server does not answer. */
export function openPool(config: pg.PoolConfig, patience: Patience): pg.Pool & { cut(): void } {
  const Client = impatientClient(patience) as unknown as new () => pg.Client
  const open = new Set<pg.Client>()
  const pool = new pg.Pool({ ...config, Client })
  pool.on('connect', (client) => {
    open.add(client)
    // It shows in the statement that fails; an 'error' without a listener would end the process.
    client.on('error', () => {})
    client.once('end', () => open.delete(client))
  })
  return Object.assign(pool, {
    cut() {
      for (const client of open) cutOff(client)
    },
  })
}

/** Ends a connection without a word to the server. */
export function cutOff(client: pg.Client): void {
  ;(client as unknown as Inside).connection.stream.destroy()
}
