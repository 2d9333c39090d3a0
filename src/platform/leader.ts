import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from './log.ts'
import { cutOff, impatientClient } from './pool.ts'

/** The connection by which a process leads; what is asked on it ends with the lead. */
export interface Session {
  /** Calls whenever something is notified on the channel, and once it listens: what was told before is looked for then. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
}

/** What a leader does. `lost` tells it to break everything off: another may lead in a moment. */
export type Lead = (session: Session, lost: AbortSignal) => Promise<{ stop(): Promise<void> }>

export interface Leadership {
  isLeader(): boolean
  /** Ends what a leader does, and only then lets another lead. */
  stop(): Promise<void>
}

const leaderLock = 7_310_010
/** How often who does not lead asks. Asked and not waited for: a statement that waits holds back vacuum. */
const askMs = 100
/** A leader whose connection was ended knows it by then: who takes over begins no sooner. */
const graceMs = 200
const beatMs = 1_000
const silenceMs = 5_000
const againMs = 500
const connectMs = 5_000

// Of a host that has lost its power or its network, and of a process that hangs, the server lets go by itself.
const settings = [
  `idle_session_timeout=${10 * beatMs}`,
  `tcp_user_timeout=${silenceMs}`,
  'tcp_keepalives_idle=2',
  'tcp_keepalives_interval=1',
  'tcp_keepalives_count=3',
]
const options = settings.map((setting) => `-c ${setting}`).join(' ')

const takesWrites = `current_setting('transaction_read_only') = 'off'`

/**
 * Stands for leader of all processes that use the database: one of them holds a lock by a connection of its own, so it is
 * free the moment that its process dies. Resolves once it is known whether this one leads from the start; where it does,
 * its work has begun. One that loses its connection ends its work, and stands again.
 */
export async function standForLeader(url: string, lead: Lead, log: Log): Promise<Leadership> {
  const stopping = new AbortController()
  const { signal } = stopping
  const known = Promise.withResolvers<void>()
  let leads = false

  async function term(): Promise<void> {
    const { client, lost, end } = await connect(url)
    try {
      let wasTaken = false
      for (let found = await tryLock(client); found !== 'mine'; found = await tryLock(client)) {
        wasTaken = true
        known.resolve()
        if (found === 'readOnly') return
        await pause(askMs, signal)
        if (signal.aborted) return
      }
      if (wasTaken) await pause(graceMs, signal)
      if (!signal.aborted && !lost.aborted) await hold(client, lost)
    } finally {
      leads = false
      await end()
    }
  }

  async function hold(client: pg.Client, lost: AbortSignal): Promise<void> {
    const work = await lead(sessionOf(client), lost)
    leads = true
    log.info('leads: jobs and deliveries run in this process')
    known.resolve()
    await until(AbortSignal.any([signal, lost]))
    if (lost.aborted) log.warn('the lead is lost with its connection; its work is broken off')
    await work.stop()
  }

  async function stand(): Promise<void> {
    while (!signal.aborted) {
      await term().catch((error: Error) => {
        known.reject(error)
        log.debug({ error: error.message }, 'could not stand for leader')
      })
      await pause(againMs, signal)
    }
    known.resolve()
  }

  const stood = stand()
  await known.promise.catch(async (error) => {
    stopping.abort()
    await stood
    throw error
  })
  return {
    isLeader: () => leads,
    async stop() {
      stopping.abort()
      await stood
    },
  }
}

interface Connection {
  client: pg.Client
  lost: AbortSignal
  end(): Promise<void>
}

async function connect(url: string): Promise<Connection> {
  const Client = impatientClient({ silenceMs })
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 2_000,
    options,
    application_name: 'sunstead-leader',
  })
  const losing = new AbortController()
  const lose = () => losing.abort(new Error('the lead is lost'))
  client.on('error', lose)
  client.on('end', lose)
  await client.connect()
  // A server that takes no writes any more is no longer the one on which who leads is decided.
  const check = async () => {
    const { rows } = await client.query<{ writes: boolean }>(`select ${takesWrites} as writes`)
    if (!rows[0]!.writes) lose()
  }
  const beat = setInterval(() => void check().catch(lose), beatMs)
  losing.signal.addEventListener('abort', () => clearInterval(beat))
  return {
    client,
    lost: losing.signal,
    async end() {
      clearInterval(beat)
      client.off('end', lose)
      if (losing.signal.aborted) return cutOff(client)
      const late = setTimeout(() => cutOff(client), connectMs)
      await client.end().catch(() => {})
      clearTimeout(late)
    },
  }
}

/**
 * A standby gives locks too, and knows of none that the primary gave: there nobody leads, and the next connection may find
 * the primary.
 */
async function tryLock(client: pg.Client): Promise<'mine' | 'taken' | 'readOnly'> {
  const { rows } = await client.query<{ found: 'mine' | 'taken' | 'readOnly' }>(
    `select case when not ${takesWrites} then 'readOnly' when pg_try_advisory_lock($1) then 'mine' else 'taken' end as found`,
    [leaderLock],
  )
  return rows[0]!.found
}

function sessionOf(client: pg.Client): Session {
  const heard = new Map<string, (payload: string) => void>()
  client.on('notification', ({ channel, payload = '' }) => heard.get(channel)?.(payload))
  return {
    async listen(channel, onNotice) {
      heard.set(channel, onNotice)
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      onNotice('')
    },
  }
}

function until(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
