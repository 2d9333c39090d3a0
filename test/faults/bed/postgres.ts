import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { atFileEnd } from '../../support/endings.ts'
import { childrenOf, freezePostgres, postmasterOf } from '../../support/freeze.ts'
import type { Target } from '../../support/tcp-proxy.ts'

export type Rows = <Row extends object = Record<string, unknown>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>

/** The PostgreSQL of a bed: the server's own, or one beside it that is started and stopped from here. */
export interface BedPostgres {
  /** Where it listens just now; not of the server's own. */
  target(): Target
  /** Works with its address, as the application has it. */
  using<T>(work: (url: string) => Promise<T>): Promise<T>
  /** Asks it as the owner of the cluster, over a connection for this alone. */
  rows: Rows
  postmaster(): number
  /** The processes that serve connections and do its own work. */
  backends(): number[]
  /** Signals the first process, and waits until it is gone. SIGQUIT is the immediate shutdown, SIGINT the fast one. */
  kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void>
  /** Starts it after that; it recovers. The server's own is started by the server. */
  start(): Promise<void>
  /** All of its processes stand still, until it is called off. */
  freeze(): () => void
}

export async function openPostgres(dataDir: string, role: 'server' | 'tool'): Promise<BedPostgres> {
  let opened: Promise<EmbeddedPostgres> | null = null
  let socket = ''
  // Beside a server one comes for a moment: who stays would keep its PostgreSQL running.
  let users = role === 'server' ? 1 : 0

  const open = async () => {
    opened ??= openEmbeddedPostgres({ dataDir, role, settings: { max_connections: '100' } })
    const postgres = await opened
    const { host, port } = new pg.Client({ connectionString: postgres.url })
    socket = `${host}/.s.PGSQL.${port}`
    return postgres
  }
  const close = async () => {
    const closed = await opened
    opened = null
    await closed?.close().catch(() => {})
  }
  async function hold<T>(work: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
    users++
    try {
      return await work(await open())
    } finally {
      if (--users === 0) await close()
    }
  }
  if (role === 'server') {
    await open()
    atFileEnd(close)
  }
  return {
    target: () => ({ path: socket }),
    using: (work) => hold(({ url }) => work(url)),
    rows: <Row extends object>(text: string, values: unknown[] = []) =>
      hold(async ({ ownerUrl }) => {
        const client = new pg.Client({ connectionString: ownerUrl })
        client.on('error', () => {})
        try {
          await client.connect()
          return (await client.query<Row>(text, values)).rows
        } finally {
          await client.end().catch(() => {})
        }
      }),
    postmaster: () => postmasterOf(dataDir),
    backends: () => childrenOf(postmasterOf(dataDir)),
    async kill(signal) {
      const pid = postmasterOf(dataDir)
      process.kill(pid, signal)
      while (isAlive(pid)) await sleep(5)
      if (role === 'server') await close()
    },
    async start() {
      if (role === 'server') await open()
    },
    freeze: () => freezePostgres(dataDir),
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
