import type { Db, Statement } from '../../../platform/db.ts'
import type { Position } from './position.ts'
import type { Attempt } from './webhook.ts'

export const deliveryStates = ['due', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** What was sent to an endpoint, or is to be sent again. */
export interface Delivery extends Position {
  id: string
  type: string
  state: DeliveryState
  nextAttemptAt: Date | null
  attempts: Attempt[]
}

const columns = `d.id, d.type, d.state, d.event_at as at, d.event_ordinal as ordinal,
  case when d.state = 'due' then d.next_attempt_at end as "nextAttemptAt", d.attempts`

// The state stands in the text: by a parameter the index of what is not delivered would not be used.
function listStatement(state: DeliveryState | null): Statement {
  return {
    name: `deliveries-before-${state ?? 'any'}`,
    text: `select ${columns} from webhook_deliveries d
      where d.installer_id = $1 and d.webhook_id = $2 and (d.event_at, d.event_ordinal) < ($3, $4::smallint)
        ${state === null ? '' : `and d.state = '${state}'`}
      order by d.event_at desc, d.event_ordinal desc limit $5`,
  }
}
const ofAny = listStatement(null)
const ofState = {
  due: listStatement('due'),
  delivered: listStatement('delivered'),
  failed: listStatement('failed'),
}

const end: Position = { at: new Date('9999-01-01T00:00:00Z'), ordinal: 0 }

/** The newest event first; those before a place where it is given. */
export function listSent(
  db: Db,
  installerId: string,
  webhookId: string,
  state: DeliveryState | null,
  before: Position | null,
  limit: number,
): Promise<Delivery[]> {
  const { at, ordinal } = before ?? end
  const statement = state === null ? ofAny : ofState[state]
  return db.query<Delivery>(statement, [installerId, webhookId, at, ordinal, limit])
}

const findStatement: Statement = {
  name: 'find-delivery',
  text: `select ${columns}, m.body from webhook_deliveries d left join webhook_messages m
      on m.installer_id = d.installer_id and m.event_at = d.event_at and m.event_ordinal = d.event_ordinal
        and m.for_dealer = d.for_dealer
    where d.installer_id = $1 and d.webhook_id = $2 and d.id = $3`,
}

/** With the bytes that are sent. */
export async function findSent(
  db: Db,
  installerId: string,
  webhookId: string,
  id: string,
): Promise<(Delivery & { body: string | null }) | null> {
  const [row] = await db.query<Delivery & { body: string | null }>(findStatement, [
    installerId,
    webhookId,
    id,
  ])
  return row ?? null
}
