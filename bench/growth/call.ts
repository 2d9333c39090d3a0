import type { GrowthApp } from './app.ts'
import type { GrowthTenant, Reader } from './tenant.ts'

export type Kind = 'list' | 'search' | 'sync' | 'roll-up' | 'job'

/** One call whose cost is held against the number of rows. */
export interface Call {
  kind: Kind
  name: string
  /** Why it grows with what there is, and what bounds it; without this, it may not. */
  grows?: string
  /** It goes through everything by one statement a part: what a part costs is held against the number of rows. */
  byParts?: boolean
  /** What it asks for is not there where there are fewer rows: it is held against this many. */
  from?: number
  /** The first page of the same list: of what that costs at the last size this may cost so many times as much. */
  beside?: { call: string; most: number }
  /** What is asked before, as whoever goes through a list page by page does. */
  before?(app: GrowthApp, place: Place): Promise<unknown>
  run(app: GrowthApp, place: Place): Promise<unknown>
}

/** Where in lists of so many rows one is. */
export interface Place {
  tenant: GrowthTenant
  /** Rows of each table; half as many projects. */
  size: number
}

/** So many records before the end, there is a whole page still. */
const lastOnes = 300

/** How far down a list a page begins besides its top: as the part of it that is still to come. */
export const depths: Record<'middle' | 'end', (place: Place) => number> = {
  middle: () => 0.5,
  end: ({ size }) => lastOnes / size,
}

/** When the record of this number was made. */
export const timeOf = ({ tenant }: Place, number: number): Date =>
  new Date(tenant.beganAt.getTime() + Math.round(number) * 1_000)

export const idOf = (prefix: string, number: number): string =>
  `${prefix}_${String(Math.max(1, Math.round(number))).padStart(20, '0')}`

/** A call of the console by one of its readers. */
export const console =
  (path: string | ((place: Place) => string), reader: Reader = 'owner'): Call['run'] =>
  (app, place) =>
    app.get(`/console/api${typeof path === 'string' ? path : path(place)}`, { reader })

/** A call of an interface for programs. */
export const byKey =
  (
    path: string | ((place: Place, app: GrowthApp) => string),
    whose: keyof GrowthTenant['keys'] = 'installer',
  ): Call['run'] =>
  (app, place) =>
    app.get(typeof path === 'string' ? path : path(place, app), { key: place.tenant.keys[whose] })

/** A list from its top, from its middle and from near its end. */
export const paged = (
  kind: Kind,
  name: string,
  run: (path: (place: Place, app: GrowthApp) => string) => Call['run'],
  first: string,
  after: (place: Place, depth: number, app: GrowthApp) => string,
): Call[] => [
  { kind, name, run: run(() => first) },
  ...Object.entries(depths).map(([where, depth]) => ({
    kind,
    name: `${name}, ${where}`,
    run: run((place, app) => `${first}${first.includes('?') ? '&' : '?'}${after(place, depth(place), app)}`),
  })),
]
