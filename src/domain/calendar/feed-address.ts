import { createHash } from 'node:crypto'
import { newToken } from '../../platform/ids.ts'
import type { Context } from '../context.ts'
import { saveFeed } from './queries.ts'

/** Only this is kept of an address's secret part. */
export const feedHash = (token: string) => createHash('sha256').update(token).digest()

/** Makes the address from which the actor's calendar is subscribed, in place of an older one. Shown once. */
export async function makeFeedAddress({ db, now, actor }: Context, baseUrl: string): Promise<string> {
  const token = newToken()
  await saveFeed(db, actor.installerId, actor.id!, feedHash(token), now)
  return `${baseUrl}/calendar/${token}.ics`
}
