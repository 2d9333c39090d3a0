import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from '../bed/bed.ts'
import type { Fault } from '../fault.ts'
import { embedded, oneServer } from '../shapes.ts'

const awayMs = 1_000

async function awayBy({ postgres }: Bed, signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
  await postgres.kill(signal)
  await sleep(awayMs)
  await postgres.start()
}

const base = { shape: oneServer, times: 10 } satisfies Partial<Fault>

export const postgresKilled: Fault = {
  ...base,
  name: 'postgres-killed',
  title: 'PostgreSQL is killed (`kill -9`), and started again',
  strike: (bed) => awayBy(bed, 'SIGKILL'),
}

export const postgresImmediate: Fault = {
  ...base,
  name: 'postgres-immediate',
  title: 'PostgreSQL is shut down at once (`immediate`), and started again',
  longOnly: true,
  strike: (bed) => awayBy(bed, 'SIGQUIT'),
}

export const postgresRestarted: Fault = {
  ...base,
  name: 'postgres-restarted',
  title: 'PostgreSQL is restarted (`fast`)',
  longOnly: true,
  strike: (bed) => awayBy(bed, 'SIGINT'),
}

/** Nobody answers and nobody hangs up, for longer than a call waits. */
export const postgresFrozen: Fault = {
  ...base,
  name: 'postgres-frozen',
  title: 'PostgreSQL is frozen for 8 seconds',
  async strike({ postgres }, { short }) {
    const thaw = postgres.freeze()
    await sleep(short ? 6_000 : 8_000)
    thaw()
  },
}

/** PostgreSQL ends all others and recovers when one of them dies so. */
export const backendKilled: Fault = {
  ...base,
  name: 'backend-killed',
  title: 'One backend of PostgreSQL is killed',
  longOnly: true,
  async strike({ postgres }) {
    const serving = await postgres.rows<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
         and application_name like 'sunstead%' and application_name not like 'sunstead server%'`,
    )
    const { pid } = serving[Math.floor(Math.random() * serving.length)]!
    process.kill(pid, 'SIGKILL')
  },
}

export const backendsTerminated: Fault = {
  ...base,
  name: 'backends-terminated',
  title: 'All connections are ended (`pg_terminate_backend`)',
  async strike({ postgres }) {
    await postgres.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'
         and pid <> pg_backend_pid() and application_name like 'sunstead%' and application_name not like 'sunstead server%'`,
    )
  },
}

/** The server ends then, and is started again by what keeps it. */
export const embeddedPostgresKilled: Fault = {
  name: 'embedded-postgres-killed',
  title: 'The embedded PostgreSQL is killed',
  longOnly: true,
  shape: embedded,
  times: 10,
  mayEnd: true,
  strike: ({ postgres }) => postgres.kill('SIGKILL'),
}

export const embeddedBothKilled: Fault = {
  name: 'embedded-both-killed',
  title: 'The server and its embedded PostgreSQL are killed',
  shape: embedded,
  times: 10,
  async strike({ servers: [server], postgres }) {
    server!.kill('SIGKILL')
    await postgres.kill('SIGKILL')
  },
}
