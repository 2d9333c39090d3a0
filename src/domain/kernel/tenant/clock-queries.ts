import type { Db } from '../../../platform/db.ts'
import { placeText, timelineText } from '../../../platform/replica/examine.ts'
import type { Seen } from '../../../platform/replica/replica.ts'
import { boolean, float, instant, integer, row, text } from '../../../platform/sql/row.ts'
import { type Fragment, type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, one, run, scalar } from '../../../platform/sql/statements.ts'

interface OfTenant {
  installerId: string
}

export const insertClock = run(
  ($: Params<OfTenant & { now: Date }>) =>
    sql`insert into tenant_clocks (installer_id, now, counted_at) values (${$.installerId}, ${$.now}, ${$.now})`,
)

/** Moves the clock, and with it the time up to which all is counted: once a version before has moved the clock alone, no more. */
export const moveClock = (to: Fragment): Fragment =>
  sql`now = ${to}, counted_at = case when counted_at = now then ${to} end`

/** Whether what is kept of the tenant is of all that there is. */
export const isCounted = ($: Params<OfTenant>): Fragment =>
  sql`coalesce((select t.counted_at = t.now from tenant_clocks t where t.installer_id = ${$.installerId}), false)`

/** Says that all was counted, for whoever holds the tenant's lock. */
export const setCounted = run(
  ($: Params<OfTenant>) =>
    sql`update tenant_clocks set counted_at = now where installer_id = ${$.installerId}`,
)

export const listUncounted = many(
  row<OfTenant>({ installerId: text }),
  () => sql`select installer_id as "installerId" from tenant_clocks where counted_at is distinct from now`,
  { across: 'of whom a version before has written' },
)

const lockClock = scalar(
  { now: instant },
  ($: Params<OfTenant>) =>
    sql`select now from tenant_clocks where installer_id = ${$.installerId} for update`,
)

/** Takes the tenant's lock until the transaction ends; answers the tenant's time. */
export const lockTenant = (tx: Db, installerId: string): Promise<Date> => lockClock(tx, { installerId })

/** The tenant's time: whatever is seen to have changed by now changed no later, and what changes from now on will be later. */
export const tenantTime = scalar(
  { now: instant },
  ($: Params<OfTenant>) => sql`select now from tenant_clocks where installer_id = ${$.installerId}`,
  { shared: 'read' },
)

const countChange = run(
  ($: Params<OfTenant>) => sql`
    update tenant_clocks set directory_version = directory_version + 1 where installer_id = ${$.installerId}`,
)

/** Says that companies, members or ladders of the tenant changed; takes the tenant's lock. */
export const bumpDirectory = (tx: Db, installerId: string): Promise<void> => countChange(tx, { installerId })

export const directoryVersion = scalar(
  { version: integer },
  ($: Params<OfTenant>) => sql`
    select directory_version as version from tenant_clocks where installer_id = ${$.installerId}`,
  { shared: 'read' },
)

const seen = one(
  row<Seen>({ mark: text, isStandby: boolean, place: float, timeline: text }),
  ($: Params<OfTenant>) => sql`
    select (select c::text from tenant_clocks c where c.installer_id = ${$.installerId}) as mark,
      pg_is_in_recovery() as "isStandby", ${raw(placeText)} as place, ${raw(timelineText)} as timeline`,
  { shared: 'read' },
)

/** What a server has of a tenant, to compare a primary with its replica. */
export const lookAtTenant = (db: Db, installerId: string): Promise<Seen> => seen(db, { installerId })

const advanceClock = scalar(
  { at: instant },
  ($: Params<OfTenant & { now: Date; count: number }>) => sql`
    update tenant_clocks set ${moveClock(
      sql`greatest(${$.now}::timestamptz(3), now + interval '1 ms') + (${$.count} - 1) * interval '1 ms'`,
    )} where installer_id = ${$.installerId} returning now - (${$.count} - 1) * interval '1 ms' as at`,
)

/** Takes `count` times of the tenant's clock and answers the first; they are a millisecond apart. */
export const takeTimes = (tx: Db, installerId: string, now: Date, count: number): Promise<Date> =>
  advanceClock(tx, { installerId, now, count })
