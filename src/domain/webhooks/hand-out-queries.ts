import type { Db, Statement } from '../../platform/db.ts'
import type { LoggedEvent } from './payload.ts'
import type { Position } from './position.ts'

const lockCursorStatement: Statement = {
  name: 'lock-webhook-cursor',
  text: `select k.at, k.ordinal, k.number, c.number as "installerNumber"
    from webhook_cursors k join companies c on c.id = k.installer_id where k.installer_id = $1 for update of k`,
}

export interface Cursor extends Position {
  /** The newest message's. */
  number: number
  installerNumber: number
}

/** How far the events were handed out; held until the transaction ends. */
export async function lockCursor(tx: Db, installerId: string): Promise<Cursor | null> {
  const [row] = await tx.query<Cursor>(lockCursorStatement, [installerId])
  return row ?? null
}

/** How many events are handed out at once. */
export const eventBatch = 500

/** What is told of the events of a `batch b`, with the records as they are now. */
export const eventColumns = `b.at, b.ordinal, b.type, b.company_id as "companyId", b.project_id as "projectId", b.data::text as data,
      coalesce(l.rendering, p.rendering) as rendering, p.dealer_rendering as "dealerRendering",
      coalesce(l.updated_at, p.updated_at) as "updatedAt", f.entry as file, l.erased_at is not null or p.erased as erased`
// Each record is looked up by itself (limit 1): a join planned while tables are small would read all of the tenant's.
export const eventSources = `left join lateral (select * from leads r
        where b.type like 'lead.%' and r.installer_id = $1 and r.id = b.subject_id limit 1) l on true
      left join lateral (select r.*, (select o.erased_at is not null from leads o
          where o.installer_id = $1 and o.id = r.lead_id) as erased from projects r
        where b.type like 'project.%' and r.installer_id = $1 and r.id = b.subject_id limit 1) p on true
      left join lateral (select json_build_object('id', r.id, 'name', r.name, 'folder', r.folder, 'token', r.token) as entry
        from files r where b.type = 'file.added' and r.installer_id = $1 and r.id = b.subject_id limit 1) f on true`
const newEventsStatement: Statement = {
  name: 'new-webhook-events',
  text: `with batch as materialized (
      select * from events where installer_id = $1 and (at, ordinal) > ($2::timestamptz, $3::smallint)
      order by at, ordinal limit ${eventBatch}
    )
    select ${eventColumns} from batch b ${eventSources}
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
  /** It is told of events after this. */
  since: Date
}

const subscribersStatement: Statement = {
  name: 'webhook-subscribers',
  text: `select id, company_id as "companyId", events, upper(not_told) as since from webhooks
    where installer_id = $1 and status = 'enabled' order by id`,
}

export function listSubscribers(tx: Db, installerId: string): Promise<Subscriber[]> {
  return tx.query<Subscriber>(subscribersStatement, [installerId])
}

export interface NewMessage extends Position {
  number: number
  forDealer: boolean
  toDealers: boolean
  type: string
  companyId: string
  body: string
}

const insertStatement: Statement = {
  name: 'insert-webhook-messages',
  text: `with cursor as (
      update webhook_cursors set at = $2, ordinal = $3, number = number + json_array_length($4),
        watched_until = coalesce($5, watched_until) where installer_id = $1
    )
    insert into webhook_messages (installer_id, number, event_at, event_ordinal, for_dealer, to_dealers, type, company_id, body)
    select $1, m.* from json_to_recordset($4) as m(number bigint, at timestamptz, ordinal smallint, "forDealer" boolean,
      "toDealers" boolean, type text, "companyId" text, body text)`,
}

/** Adds messages to the log, and says up to where the events are in it. */
export async function insertMessages(
  tx: Db,
  installerId: string,
  upTo: Position,
  messages: readonly NewMessage[],
  watchedUntil: Date | null,
): Promise<void> {
  await tx.query(insertStatement, [
    installerId,
    upTo.at.toISOString(),
    upTo.ordinal,
    JSON.stringify(messages),
    watchedUntil?.toISOString() ?? null,
  ])
}

const endWatchStatement: Statement = {
  name: 'end-webhook-watch',
  text: `update webhook_cursors k set watched_until = '-infinity' where k.installer_id = $1 and ($2 or (
      select e.ordinal from events e where e.installer_id = $1 and (e.at, e.ordinal) > (k.at, k.ordinal) limit 1) is null)
    returning k.installer_id`,
}

/** For whoever holds the tenant's lock: answers false where events are there that were not handed out. */
export async function endWatch(tx: Db, installerId: string, anyway: boolean): Promise<boolean> {
  return (await tx.query(endWatchStatement, [installerId, anyway])).length > 0
}
