import { integer, row, text } from '../../../platform/sql/row.ts'
import { type Params, sql } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import { isSubscribed } from '../../journal/events/messages.ts'

export interface Cursor {
  /** Up to this message endpoints were woken. */
  woken: number
  newest: number
}

/** How far endpoints were woken; held until the transaction ends. */
export const lockCursor = maybeOne(
  row<Cursor>({ woken: integer, newest: integer }),
  ($: Params<{ installerId: string }>) => sql`
    select k.woken, c.messages as newest
    from webhook_cursors k join tenant_clocks c on c.installer_id = k.installer_id
    where k.installer_id = ${$.installerId} for update of k`,
)

/** The endpoints for which there is something among these messages. */
export const listReceivers = many(
  row<{ id: string }>({ id: text }),
  ($: Params<Cursor & { installerId: string }>) => sql`
    select distinct w.id from webhook_messages m join webhooks w on w.installer_id = m.installer_id
      and w.status = 'enabled' and ${isSubscribed} and not w.not_told @> m.event_at
    where m.installer_id = ${$.installerId} and m.number > ${$.woken} and m.number <= ${$.newest} order by w.id`,
)

export const moveCursor = run(
  ($: Params<{ installerId: string; woken: number; watchedUntil: Date | null }>) => sql`
    update webhook_cursors set woken = ${$.woken}, watched_until = coalesce(${$.watchedUntil}, watched_until)
    where installer_id = ${$.installerId}`,
)

/** For whoever holds the tenant's lock: answers nothing where messages are there that nobody was woken for. */
export const endWatch = maybeOne(
  row<{ installerId: string }>({ installerId: text }),
  ($: Params<{ installerId: string; anyway: boolean }>) => sql`
    update webhook_cursors k set watched_until = '-infinity' from tenant_clocks c
    where k.installer_id = ${$.installerId} and c.installer_id = ${$.installerId}
      and (${$.anyway} or k.woken = c.messages)
    returning k.installer_id as "installerId"`,
)
