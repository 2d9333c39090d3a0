import { isId } from '../../../platform/ids.ts'
import { parseInstant } from '../../../platform/iso-8601.ts'
import { microkwhOf } from './energy.ts'

/** What a panel made in the time that begins at this instant, until its next reading. */
export interface Reading {
  panelId: string
  /** Milliseconds since 1970. */
  at: number
  microkwh: number
}

const fields = ['panel_id', 'timestamp', 'kwh']
const earliest = Date.UTC(2000, 0, 1)
const hourMs = 3_600_000
// A whole solar farm makes less in an hour: what is above it is in another unit.
const maxKwh = 1_000_000

/** Reads what a caller sent as a reading; a text says what is wrong with it. */
export type ReadReading = (value: unknown) => Reading | string

/**
 * For the readings of one call: where a panel or a time comes again in the next one, it is not looked at again. They
 * are not looked up in a Map, which would keep every text it was asked for until the whole heap is cleared up.
 */
export function createReader(now: Date): ReadReading {
  const latest = now.getTime() + hourMs
  const panelIdOf = withLast(readPanelId)
  const timeOf = withLast((text) => readTime(text, latest))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return 'A reading must be an object with panel_id, timestamp and kwh.'
    }
    const { panel_id: panelId, timestamp, kwh } = value as Record<string, unknown>
    for (const name in value) {
      if (!fields.includes(name))
        return `${name.slice(0, 100)} is not a field of a reading: there are panel_id, timestamp and kwh.`
    }
    if (typeof panelId !== 'string') return 'panel_id must be a text.'
    const id = panelIdOf(panelId)
    if (id === null) return unknownPanel
    const at = typeof timestamp === 'string' ? timeOf(timestamp) : noInstant
    if (typeof at === 'string') return at
    if (typeof kwh !== 'number' || !(kwh >= 0 && kwh <= maxKwh)) {
      return `kwh must be a number from 0 to ${maxKwh}.`
    }
    return { panelId: id, at, microkwh: microkwhOf(kwh) }
  }
}

function withLast<T>(read: (text: string) => T): (text: string) => T {
  let last: string | undefined
  let result: T
  return (text) => {
    if (text !== last) {
      result = read(text)
      last = text
    }
    return result
  }
}

function readPanelId(text: string): string | null {
  const id = text.trim()
  return isId(id, 'pnl') ? id : null
}

const noInstant = 'timestamp must be an ISO 8601 timestamp with offset, such as 2026-01-31T08:00:00Z.'

function readTime(text: string, latest: number): number | string {
  const at = instantOf(text.trim())
  if (at === null) return noInstant
  if (at < earliest) return 'timestamp must not be before 2000.'
  if (at > latest) return 'timestamp must not be more than an hour in the future.'
  return at
}

/** Unknown, foreign and deleted panels are told apart by nobody. */
export const unknownPanel = 'panel_id: there is no panel with this id among your records.'

// What most send. Date reads it in half the time, and leaves no garbage.
const usualForm = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3})?Z$/

/** The instant of an ISO 8601 timestamp with offset, to the millisecond; null where it is none. */
export function instantOf(text: string): number | null {
  if (usualForm.test(text)) {
    const ms = Date.parse(text)
    if (isDayOfMonth(ms, Number(text.slice(8, 10)))) return ms
  }
  return parseInstant(text)
}

/** February 30 would be taken as March 2. */
function isDayOfMonth(ms: number, day: number): boolean {
  return new Date(ms).getUTCDate() === day
}
