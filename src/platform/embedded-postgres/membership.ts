import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { cutOff, impatientClient } from '../pool.ts'
import { within } from '../within.ts'
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
/** For what is answered at once by a PostgreSQL that answers at all. */
const leavePatienceMs = 3_000
const hangUpMs = 1_000

// Who comes in while another stops PostgreSQL, or mends what an earlier version made, waits for that.
const Client = impatientClient({ silenceMs: 60_000 })

async function connect(login: Login, role: Role, socketDir: string): Promise<pg.Client> {
  const client = new Client({
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
    await hangUp(client)
    throw error
  }
}

/** A PostgreSQL that is frozen never takes leave. */
async function hangUp(client: pg.Client): Promise<void> {
  if (
    !(await within(
      hangUpMs,
      client.end().catch(() => {}),
    ))
  )
    cutOff(client)
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
    await hangUp(client)
    throw error
  }
}

async function ask(client: pg.Client, expression: string): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(`select ${expression} as yes`)
  return rows[0]?.yes === true
}

export async function takeServerLock(client: pg.Client): Promise<boolean> {
  const until = performance.now() + serverLockPatienceMs
  while (!(await ask(client, `pg_try_advisory_lock(${serverLock})`))) {
    if (performance.now() > until) return false
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
    const last = isLast(member.client)
    if (!(await within(leavePatienceMs, last))) throw await stillRunning(cluster)
    if (await last) await stopPostmaster(cluster.dir)
    else if ((await findPostmaster(cluster.dir)) === undefined) await removeSocketDir(member.socketDir)
  } finally {
    await hangUp(member.client)
  }
}

async function stillRunning(cluster: Cluster): Promise<Error> {
  const running = await findPostmaster(cluster.dir)
  return new Error(
    `PostgreSQL${running ? ` (process ${running.pid})` : ''} does not answer and was left as it is. Look at what holds ` +
      `it up (its disk, or a paused process); the next start uses it again. See ${logFile(cluster)}.`,
  )
}

async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_all()')
    return await ask(client, `pg_try_advisory_lock(${usersLock})`)
  } catch {
    return false
  }
}

export interface Membership {
  close(): Promise<void>
  /** Settles, with a sentence, once the database can no longer be used from here; never where that does not happen. */
  lost: Promise<Error>
}

/**
 * When one backend crashes, PostgreSQL closes all connections and goes on. The locks are then taken again, or the
 * next command line to finish would stop PostgreSQL under the server. Where PostgreSQL itself has died it is not started
 * from here: a start recovers it, and looks at everything that may have gone wrong meanwhile.
 */
export function keepMembership(cluster: Cluster, role: Role, first: Member): Membership {
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error>()
  let member = first
  let closing: Promise<void> | undefined
  let rejoining: Promise<void> | undefined
  let rejoinUntil = Number.POSITIVE_INFINITY

  const rejoin = async () => {
    while (performance.now() < rejoinUntil) {
      if ((await findPostmaster(cluster.dir)) === undefined) {
        lose(new Error(`PostgreSQL has stopped unexpectedly; see ${logFile(cluster)}. Start Sunstead again.`))
        return
      }
      let next: Member | undefined
      try {
        next = await join(cluster, role, member.socketDir)
        const ours = role !== 'server' || (await takeServerLock(next.client))
        member = next
        if (ours) watch()
        else
          lose(new Error(`Another Sunstead server has taken DATA_DIR ${cluster.dataDir}; stop one of them.`))
        return
      } catch {
        if (next) await hangUp(next.client)
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
    rejoinUntil = performance.now() + closePatienceMs
    if (rejoining && !(await within(closePatienceMs, rejoining))) throw await stillRunning(cluster)
    await leave(cluster, member)
  }
  return {
    lost,
    close() {
      closing ??= close()
      return closing
    },
  }
}
