import { createHash } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import { newToken } from '../../../platform/ids.ts'
import { doneBy, recordSecurity } from '../../journal/audit/record-security.ts'
import type { SecurityEventType } from '../../journal/audit/security-event.ts'
import type { Context } from '../../kernel/context.ts'
import { deleteFeed, saveFeed } from './queries.ts'

/** Only this is kept of an address's secret part. */
export const feedHash = (token: string) => createHash('sha256').update(token).digest()

/** Makes the address from which the actor's calendar is subscribed, in place of an older one. Shown once. */
export async function createFeedAddress(ctx: Context, baseUrl: string): Promise<string> {
  const { db, now, actor } = ctx
  const token = newToken()
  await db.transaction(async (tx) => {
    await saveFeed(tx, {
      installerId: actor.installerId,
      memberId: actor.id!,
      tokenHash: feedHash(token),
      now,
    })
    await note(tx, ctx, 'security.calendar_address_made')
  })
  return `${baseUrl}/calendar/${token}.ics`
}

/** From now on the actor's calendar is subscribed by nobody. */
export async function endFeedAddress(ctx: Context): Promise<void> {
  const { db, actor } = ctx
  await db.transaction(async (tx) => {
    if (await deleteFeed(tx, { installerId: actor.installerId, memberId: actor.id! }))
      await note(tx, ctx, 'security.calendar_address_ended')
  })
}

async function note(tx: Db, { now, actor }: Context, type: SecurityEventType): Promise<void> {
  await recordSecurity(tx, now, [{ ...doneBy(actor), type, subjectId: actor.id!, name: actor.name }])
}
