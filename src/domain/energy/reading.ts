import { isId } from '../../platform/ids.ts'
import { microkwhOf } from './kwh.ts'

/** What a panel made in the time that begins at this instant, until its next reading. */
export interface Reading {
  panelId: string
  /** Milliseconds since 1970. */
  at: number
  microkwh: number
}

const fields = ['panel_id', 'timestamp', 'kwh']
const earliest = Date.UTC(2000, 0, 1)
const dayMs = 86_400_000
// A whole solar farm makes less in an hour: what is above it is in another unit.
const maxKwh = 1_000_000

/** Reads what a caller sent as a reading; a text says what is wrong with it. */
export function readReading(value: unknown, now: Date): Reading | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'A reading must be an object with panel_id, timestamp and kwh.'
  }
  const { panel_id: panelId, timestamp, kwh } = value as Record<string, unknown>
  for (const name in value) {
    if (!fields.includes(name))
      return `${name.slice(0, 100)} is not a field of a reading: there are panel_id, timestamp and kwh.`
  }
  if (typeof panelId !== 'string') return 'panel_id must be a text.'
  const id = panelId.trim()
  if (!isId(id, 'pnl')) return unknownPanel
  const at = typeof timestamp === 'string' ? instantOf(timestamp.trim()) : null
  if (at === null) return 'timestamp must be an ISO 8601 timestamp with offset, such as 2026-01-31T08:00:00Z.'
  if (at < earliest) return 'timestamp must not be before 2000.'
  if (at > now.getTime() + dayMs) return 'timestamp must not be more than a day in the future.'
  if (typeof kwh !== 'number' || !(kwh >= 0 && kwh <= maxKwh)) {
    return `kwh must be a number from 0 to ${maxKwh}.`
  }
  return { panelId: id, at, microkwh: microkwhOf(kwh) }
}

/** Unknown, foreign and deleted panels are told apart by nobody. */
export const unknownPanel = 'panel_id: there is no panel with this id among your records.'

const instantForm =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i

/** The instant of an ISO 8601 timestamp with offset, to the millisecond; null where it is none. */
export function instantOf(text: string): number | null {
  const match = instantForm.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHours, offsetMinutes] = match
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // February 30 would be taken as March 2.
  if (new Date(midnight).getUTCDate() !== Number(day)) return null
  const ms = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0)) * 1000 + ms
  if (sign === undefined) return local
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes ?? 0)) * 60_000
  return sign === '-' ? local + offset : local - offset
}
