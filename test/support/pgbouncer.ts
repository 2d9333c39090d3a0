import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const { stdout = '' } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []

/** For `{ skip }`: prepared statements pass a pooler from 1.21 on. */
export const noPgBouncer =
  Number(major) > 1 || (Number(major) === 1 && Number(minor) >= 21)
    ? false
    : 'no PgBouncer >= 1.21 is installed here'

export interface PgBouncer {
  /** The same database, through the pooler. */
  url: string
  start(): Promise<void>
  kill(): Promise<void>
}

/** A PgBouncer in transaction mode before the database of the tests. */
export async function startPgBouncer(databaseUrl: string, maxPreparedStatements = 1_000): Promise<PgBouncer> {
  const [, user, password, host, name] = /^\w+:\/\/([^:]+):([^@]*)@([^:/]*)(?::\d+)?\/([^?]+)/.exec(
    databaseUrl,
  )!
  const folder = await mkdtemp(join(tmpdir(), 'sunstead-pgbouncer-'))
  await chmod(folder, 0o755)
  const socket = decodeURIComponent(host!)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${socket} port=5432 user=${user} password=${decodeURIComponent(password!)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `max_prepared_statements = ${maxPreparedStatements}`,
      'default_pool_size = 10',
      'max_client_conn = 500',
      'ignore_startup_parameters = ',
      '',
    ].join('\n'),
  )
  // It refuses to run as root, and must reach the socket of the database.
  const owner = socket.startsWith('/') ? statSync(socket) : { uid: 65_534, gid: 65_534 }
  const as = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
  let child: ChildProcess | null = null

  async function start(): Promise<void> {
    child = spawn('pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], ...as })
    let said = ''
    child.stderr!.on('data', (chunk) => {
      said += chunk
    })
    for (;;) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`)
      const answered = await new Promise<boolean>((resolve) => {
        const probe = connect(port, '127.0.0.1')
        probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
        probe.once('connect', () => probe.destroy())
      })
      if (answered) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    url: `postgres://${user}:${password}@127.0.0.1:${port}/${name}`,
    start,
    async kill() {
      await kill()
      if (child === null) await rm(folder, { recursive: true, force: true })
    },
  }
}
