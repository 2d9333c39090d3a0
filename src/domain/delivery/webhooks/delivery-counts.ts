import type { Db } from '../../../platform/db.ts'
import { empty, type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
import { deliveryStates } from './sent-queries.ts'

/** How many deliveries an endpoint has in each state, and how often that changed, kept beside it by whoever writes deliveries. */

interface To {
  installerId: string
  webhookId: string
}

const before = sql`coalesce(w.last_attempt_at, '-infinity')`
const isIt = ($: Params<To>) => sql`w.installer_id = ${$.installerId} and w.id = ${$.webhookId}`

/**
 * Holds an endpoint until the transaction ends. Whoever writes its deliveries does so first, in the statement that writes:
 * two who have the same ones to write, each in an order of its own, would else each wait for what the other has. The
 * statement must read `held`: what nobody reads is not done.
 */
export const held = ($: Params<To>, only = empty, ifFree = empty) =>
  sql`held as materialized (select w.id from webhooks w where ${isIt($)} ${only} for no key update ${ifFree})`

/** The same where nobody else holds it: connections that all companies share wait for no company's endpoint. */
export const heldIfFree = ($: Params<To>) => held($, empty, raw('skip locked'))

/** The same for endpoints of a tenant, all of them or some: those who hold several take them in one order. */
export const severalHeld = ($: Params<{ installerId: string }>, only = empty) => sql`held as materialized (
    select w.id from webhooks w where w.installer_id = ${$.installerId} ${only} order by w.id for no key update)`

const ofEach = (write: (state: string) => string, separator = ', ') =>
  raw(deliveryStates.map(write).join(separator))

/**
 * Whether what is kept of an endpoint `w` is so: the version before settles without counting, and moves the last attempt alone. What it
 * sends again does not show, until there are fewer than none.
 */
export const isCounted = sql`(w.counted_at = ${before} and ${ofEach((state) => `w.deliveries_${state} >= 0`, ' and ')})`

/** What is kept of an endpoint `w`. */
export const keptCounts = {
  any: ofEach((state) => `w.deliveries_${state}`, ' + '),
  due: raw('w.deliveries_due'),
  delivered: raw('w.deliveries_delivered'),
  failed: raw('w.deliveries_failed'),
}

/** How many more are in each state, `c`, by the rows of `changed`: what each was and what it is, null where it was not or is not. */
export const moved = (changed: string) =>
  sql`(select ${ofEach(
    (state) =>
      `count(*) filter (where state = '${state}') - count(*) filter (where previous_state = '${state}') as ${state}`,
  )} from ${raw(changed)}) c`

const oneMore = 'deliveries_changes = w.deliveries_changes + 1'

/** Adds them to an endpoint `w`. */
export const addMoved = raw(
  [
    ...deliveryStates.map((state) => `deliveries_${state} = w.deliveries_${state} + c.${state}`),
    oneMore,
  ].join(', '),
)

/** The same, for whoever writes nothing else of the endpoint. */
export const countMoved = ($: Params<To>, changed: string) => sql`update webhooks w set ${addMoved}
    from ${moved(changed)} where ${isIt($)} and (c.due, c.delivered, c.failed) <> (0, 0, 0)`

/** All, and the few that are not delivered: each can be counted from an index alone. */
export function counted(installer: Fragment, webhook: Fragment): Fragment {
  const count = (state: Fragment) => sql`(select count(*)::int from (select from webhook_deliveries d
      where d.installer_id = ${installer} and d.webhook_id = ${webhook} ${state}) d)`
  return sql`(select n.total, n.due, n.total - n.due - n.failed as delivered, n.failed from (select ${count(empty)} as total,
      ${count(sql`and d.state = 'due'`)} as due, ${count(sql`and d.state = 'failed'`)} as failed) n)`
}

const lockRow = run(($: Params<To>) => sql`with ${held($)} select id from held`)

const writeCounts = run(
  ($: Params<To>) => sql`update webhooks w set ${ofEach((state) => `deliveries_${state} = c.${state}`)},
      counted_at = ${before}, ${raw(oneMore)}
    from ${counted(sql`${$.installerId}`, sql`${$.webhookId}`)} c where ${isIt($)}`,
)

/** Counts an endpoint's deliveries again. It is held first: who has written some meanwhile adds them after this. */
export async function countDeliveries(tx: Db, to: To): Promise<void> {
  await lockRow(tx, to)
  await writeCounts(tx, to)
}
