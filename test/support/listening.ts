import pg from 'pg'
import type { Session } from '../../src/platform/leader.ts'
import { atFileEnd } from './endings.ts'

/** A connection that hears of what is notified, as a leader's does. */
export async function listeningSession(connectionString: string): Promise<Session> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  atFileEnd(() => client.end().catch(() => {}))
  return {
    async listen(channel, onNotice) {
      client.on('notification', (notice) => {
        if (notice.channel === channel) onNotice(notice.payload ?? '')
      })
      await client.query(`listen ${channel}`)
      onNotice('')
    },
  }
}
