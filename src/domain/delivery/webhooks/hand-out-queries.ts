import type { Db, Statement } from '../../../platform/db.ts'
import { compile } from '../../../platform/sql/sql.ts'
import { isToldOf } from '../../journal/events/messages.ts'

const lockCursorStatement: Statement = {
  name: 'lock-webhook-cursor',
  text: `select k.woken, c.messages as newest from webhook_cursors k join tenant_clocks c on c.installer_id = k.installer_id
    where k.installer_id = $1 for update of k`,
}

export interface Cursor {
  /** Up to this message endpoints were woken. */
  woken: number
  newest: number
}

/** How far endpoints were woken; held until the transaction ends. */
export async function lockCursor(tx: Db, installerId: string): Promise<Cursor | null> {
  const [row] = await tx.query<Cursor>(lockCursorStatement, [installerId])
  return row ?? null
}

const receiversStatement: Statement = {
  name: 'webhook-receivers',
  text: `select distinct w.id from webhook_messages m join webhooks w on w.installer_id = m.installer_id
      and w.status = 'enabled' and ${compile(isToldOf, {}).text} and not w.not_told @> m.event_at
    where m.installer_id = $1 and m.number > $2 and m.number <= $3 order by w.id`,
}

/** The endpoints for which there is something among these messages. */
export async function listReceivers(
  tx: Db,
  installerId: string,
  { woken, newest }: Cursor,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(receiversStatement, [installerId, woken, newest])
  return rows.map(({ id }) => id)
}

const moveStatement: Statement = {
  name: 'move-webhook-cursor',
  text: `update webhook_cursors set woken = $2, watched_until = coalesce($3, watched_until) where installer_id = $1`,
}

export async function moveCursor(
  tx: Db,
  installerId: string,
  woken: number,
  watchedUntil: Date | null,
): Promise<void> {
  await tx.query(moveStatement, [installerId, woken, watchedUntil?.toISOString() ?? null])
}

const endWatchStatement: Statement = {
  name: 'end-webhook-watch',
  text: `update webhook_cursors k set watched_until = '-infinity' from tenant_clocks c
    where k.installer_id = $1 and c.installer_id = $1 and ($2 or k.woken = c.messages)
    returning k.installer_id`,
}

/** For whoever holds the tenant's lock: answers false where messages are there that nobody was woken for. */
export async function endWatch(tx: Db, installerId: string, anyway: boolean): Promise<boolean> {
  return (await tx.query(endWatchStatement, [installerId, anyway])).length > 0
}
