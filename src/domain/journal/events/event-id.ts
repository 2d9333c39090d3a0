import { type Fragment, type Param, sql } from '../../../platform/sql/sql.ts'

/** A place in a tenant's event log: events of one time are counted from 0. */
export interface Position {
  at: Date
  ordinal: number
}

const tenantCharacters = 10
const form = /^evt_([0-9a-f]{12})([0-7][0-9a-f]{3})([0-9a-z]{10})$/

/**
 * The id of an event, which is also the `webhook-id` it is sent under: its place, and the end of the tenant's id. It is made
 * of what is there anyway, so after a crash the same comes out again.
 */
export function eventId(installerId: string, { at, ordinal }: Position): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `evt_${time}${ordinal.toString(16).padStart(4, '0')}${installerId.slice(-tenantCharacters)}`
}

/** The same in a statement that knows the time first. */
export function eventIdSql(installerId: Param | Fragment, ms: Fragment, ordinal: Fragment): Fragment {
  return sql`'evt_' || lpad(to_hex(${ms}), 12, '0') || lpad(to_hex(${ordinal}::int), 4, '0') || right(${installerId}, 10)`
}

export const isEventId = (text: string): boolean => form.test(text)

/** Where in the tenant's log an id says it is; null for another tenant's. */
export function placeOfEvent(installerId: string, id: string): Position | null {
  const [, time = '', ordinal = '', tenant] = form.exec(id) ?? []
  if (tenant !== installerId.slice(-tenantCharacters)) return null
  return { at: new Date(Number.parseInt(time, 16)), ordinal: Number.parseInt(ordinal, 16) }
}
