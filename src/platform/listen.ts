import pg from 'pg'
import type { Log } from './log.ts'

const againMs = 1_000

/**
 * Calls `onNotice` whenever something is notified on the channel, and once it listens: what was told before that, or
 * while the connection was lost, is looked for then. Who needs to miss nothing looks now and then all the same.
 */
export function startListening(url: string, channel: string, onNotice: () => void, log: Log) {
  const stopping = new AbortController()
  let client: pg.Client | null = null

  const listen = async () => {
    if (stopping.signal.aborted) return
    const one = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'sunstead-listen',
    })
    client = one
    const lost = (error?: Error) => {
      if (client !== one || stopping.signal.aborted) return
      client = null
      log.debug({ error: error?.message }, 'a listening connection was lost')
      void one.end().catch(() => {})
      setTimeout(listen, againMs).unref()
    }
    one.on('error', lost)
    one.on('end', lost)
    one.on('notification', onNotice)
    await one
      .connect()
      .then(() => one.query(`listen ${one.escapeIdentifier(channel)}`))
      .then(onNotice, lost)
  }

  void listen()
  return {
    async stop() {
      stopping.abort()
      await client?.end().catch(() => {})
    },
  }
}
