import type { Db, Statement } from '../../platform/db.ts'
import type { LoggedEvent } from './payload.ts'

export interface Position {
  at: Date
  ordinal: number
}

const lockCursorStatement: Statement = {
  name: 'lock-webhook-cursor',
  text: `select k.at, k.ordinal, c.number from webhook_cursors k join companies c on c.id = k.installer_id
    where k.installer_id = $1 for update of k`,
}

/** How far the log was handed out, and the installer's number; held until the transaction ends. */
export async function lockCursor(
  tx: Db,
  installerId: string,
): Promise<(Position & { number: number }) | null> {
  const [row] = await tx.query<Position & { number: number }>(lockCursorStatement, [installerId])
  return row ?? null
}

/** How many events are handed out at once. */
export const eventBatch = 500

const newEventsStatement: Statement = {
  name: 'new-webhook-events',
  text: `with batch as materialized (
      select * from events where installer_id = $1 and (at, ordinal) > ($2::timestamptz, $3::smallint)
      order by at, ordinal limit ${eventBatch}
    )
    select b.at, b.ordinal, b.type, b.company_id as "companyId", b.project_id as "projectId", b.data::text as data,
      coalesce(l.rendering, p.rendering) as rendering, p.dealer_rendering as "dealerRendering",
      coalesce(l.updated_at, p.updated_at) as "updatedAt",
      case when f.id is not null then
        json_build_object('id', f.id, 'name', f.name, 'folder', f.folder, 'token', f.token) end as file
    from batch b
      left join leads l on l.installer_id = $1 and l.id = b.subject_id and b.type like 'lead.%'
      left join projects p on p.installer_id = $1 and p.id = b.subject_id and b.type like 'project.%'
      left join files f on f.installer_id = $1 and f.id = b.subject_id and b.type = 'file.added'
    order by b.at, b.ordinal`,
}

/** The events that come next, from the oldest. They are committed in this order, so none can come before them. */
export function listNewEvents(tx: Db, installerId: string, after: Position): Promise<LoggedEvent[]> {
  return tx.query<LoggedEvent>(newEventsStatement, [installerId, after.at.toISOString(), after.ordinal])
}

export interface Subscriber {
  id: string
  companyId: string
  events: string[]
  since: Date
}

const subscribersStatement: Statement = {
  name: 'webhook-subscribers',
  text: `select id, company_id as "companyId", events, since from webhooks
    where installer_id = $1 and status = 'enabled' order by id`,
}

export function listSubscribers(tx: Db, installerId: string): Promise<Subscriber[]> {
  return tx.query<Subscriber>(subscribersStatement, [installerId])
}

export interface NewMessage extends Position {
  forDealer: boolean
  body: string
}

export interface NewDelivery extends Position {
  webhookId: string
  id: string
  forDealer: boolean
  type: string
}

const insertStatement: Statement = {
  name: 'insert-webhook-deliveries',
  text: `with messages as (
      insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, body)
      select $1, m.at, m.ordinal, m.for_dealer, m.body
      from unnest($3::timestamptz[], $4::smallint[], $5::boolean[], $6::text[]) as m(at, ordinal, for_dealer, body)
    )
    insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, next_attempt_at, created_at)
    select $1, d.webhook_id, d.id, d.at, d.ordinal, d.for_dealer, d.type, 'due', $2::timestamptz, $2::timestamptz
    from unnest($7::text[], $8::text[], $9::timestamptz[], $10::smallint[], $11::boolean[], $12::text[])
      as d(webhook_id, id, at, ordinal, for_dealer, type)`,
}

export async function insertDeliveries(
  tx: Db,
  installerId: string,
  now: Date,
  messages: readonly NewMessage[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx.query(insertStatement, [
    installerId,
    now.toISOString(),
    messages.map((m) => m.at.toISOString()),
    messages.map((m) => m.ordinal),
    messages.map((m) => m.forDealer),
    messages.map((m) => m.body),
    deliveries.map((d) => d.webhookId),
    deliveries.map((d) => d.id),
    deliveries.map((d) => d.at.toISOString()),
    deliveries.map((d) => d.ordinal),
    deliveries.map((d) => d.forDealer),
    deliveries.map((d) => d.type),
  ])
}

const advanceStatement: Statement = {
  name: 'advance-webhook-cursor',
  text: 'update webhook_cursors set at = $2, ordinal = $3 where installer_id = $1',
}

export async function advanceCursor(tx: Db, installerId: string, to: Position): Promise<void> {
  await tx.query(advanceStatement, [installerId, to.at.toISOString(), to.ordinal])
}
