import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from './cluster.ts'
import { findPostmaster, logFile, removeSocketDir, stopPostmaster } from './process.ts'
import { applicationLogin, type Login, loginUrl, prepareRoles } from './roles.ts'

export type Role = 'server' | 'tool'

/** One who uses the cluster: a connection of its own that holds nothing but session advisory locks. */
export interface Member {
  client: pg.Client
  socketDir: string
}

/** Arguments of pg_advisory_lock: every user of this PostgreSQL shares the first, its server has the second alone. */
const usersLock = '1398099540, 1'
const serverLock = '1398099540, 2'

/** A server that was killed a moment ago holds its lock until PostgreSQL notices the closed socket. */
const serverLockPatienceMs = 3_000
const closePatienceMs = 10_000

async function connect(login: Login, role: Role, socketDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: loginUrl(login, socketDir),
    application_name: `sunstead ${role} ${process.pid}`,
    connectionTimeoutMillis: 10_000,
  })
  // A broken connection shows as 'end'; an 'error' without a listener would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** No such database, no such role, or not its password. */
const notPrepared = ['3D000', '28000', '28P01']

/** Connects and says "I use this PostgreSQL". Fails where another member is stopping it. */
export async function join(cluster: Cluster, role: Role, socketDir: string): Promise<Member> {
  const prepare = () => prepareRoles(cluster, (login) => connect(login, role, socketDir))
  const enter = () => connect(applicationLogin(cluster), role, socketDir)
  // An earlier version that was used in between may have made what is not the application's.
  if (role === 'server') await prepare()
  const client = await enter().catch(async (error) => {
    if (!notPrepared.includes((error as pg.DatabaseError).code ?? '')) throw error
    await prepare()
    return enter()
  })
  try {
    await client.query(`select pg_advisory_lock_shared(${usersLock})`)
    // A shutdown also ends the session that held the lock against us. PostgreSQL notes it in its file before that.
    const running = await findPostmaster(cluster.dir)
    if (running?.socketDir !== socketDir || running.status === 'stopping') {
      throw new Error('Connection terminated by shutdown')
    }
    return { client, socketDir }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function ask(client: pg.Client, expression: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`select ${expression} as yes`)
  return rows[0]?.yes === true
}

export async function takeServerLock(client: pg.Client): Promise<boolean> {
  const until = Date.now() + serverLockPatienceMs
  while (!(await ask(client, `pg_try_advisory_lock(${serverLock})`))) {
    if (Date.now() > until) return false
    await sleep(50)
  }
  return true
}

export async function serverProcess(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and (l.classid, l.objid) = (${serverLock}) and l.granted`,
  )
  return rows[0]?.name.split(' ').at(-1)
}

/**
 * Stops PostgreSQL if nobody else uses it. The exclusive lock is held until it is down, so nobody comes in.
 * Where the connection is lost there is nothing to stop, or it is left to the next one who opens it.
 */
export async function leave(cluster: Cluster, member: Member): Promise<void> {
  try {
    if (await isLast(member.client)) await stopPostmaster(cluster.dir)
    else if ((await findPostmaster(cluster.dir)) === undefined) await removeSocketDir(member.socketDir)
  } finally {
    await member.client.end().catch(() => {})
  }
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_all()')
    return await ask(client, `pg_try_advisory_lock(${usersLock})`)
  } catch {
    return false
  }
}

/**
 * When one backend crashes, PostgreSQL closes all connections and goes on. The locks are then taken again, or the
 * next command line to finish would stop PostgreSQL under the server.
 */
export function keepMembership(
  cluster: Cluster,
  role: Role,
  first: Member,
  note: (message: string) => void,
): { close(): Promise<void> } {
  let member = first
  let closing: Promise<void> | undefined
  let rejoining: Promise<void> | undefined
  let rejoinUntil = Number.POSITIVE_INFINITY

  const rejoin = async () => {
    while (Date.now() < rejoinUntil) {
      if ((await findPostmaster(cluster.dir)) === undefined) {
        note(`PostgreSQL has stopped unexpectedly; see ${logFile(cluster)}`)
        return
      }
      let next: Member | undefined
      try {
        next = await join(cluster, role, member.socketDir)
        if (role === 'server' && !(await takeServerLock(next.client))) {
          note(`another Sunstead server has taken DATA_DIR ${cluster.dataDir}`)
        }
        member = next
        watch()
        return
      } catch {
        await next?.client.end().catch(() => {})
        await sleep(100)
      }
    }
  }
  const watch = () => {
    member.client.once('end', () => {
      if (closing === undefined) rejoining = rejoin()
    })
  }
  watch()

  const close = async () => {
    rejoinUntil = Date.now() + closePatienceMs
    await rejoining
    await leave(cluster, member)
  }
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}
