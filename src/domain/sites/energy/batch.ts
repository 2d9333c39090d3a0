import type { Reading } from './reading.ts'

/**
 * Readings in lists beside each other: an object for each would outlive the wait for the database, and the server's
 * memory would be full of them.
 */
export interface Readings {
  panelIds: string[]
  at: number[]
  microkwh: number[]
}

export function addReading({ panelIds, at, microkwh }: Readings, reading: Reading): void {
  panelIds.push(reading.panelId)
  at.push(reading.at)
  microkwh.push(reading.microkwh)
}

/** The places of some readings, by panel and time as the index has them, and then as they were sent. */
export function inOrder({ panelIds, at }: Readings, from: number, until: number): number[] {
  const places = Array.from({ length: until - from }, (_, i) => from + i)
  return places.sort((a, b) => compare(panelIds[a]!, panelIds[b]!) || at[a]! - at[b]! || a - b)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** Each panel once, where the places are in order. */
export function panelsOf({ panelIds }: Readings, places: readonly number[]): string[] {
  const panels: string[] = []
  for (const place of places) if (panels.at(-1) !== panelIds[place]) panels.push(panelIds[place]!)
  return panels
}

/** Readings by panel and time, each panel and time once: the last value stands. */
export interface Batch extends Readings {
  /** Whose each reading is, as a place in `panels`. */
  panel: number[]
  /** In order, each once. */
  panels: Panel[]
  /** Where a time was sent several times: the values before the last one, in order. */
  earlier: Map<number, number[]>
}

export interface Panel {
  id: string
  installationId: string
  /** As it is stated; 0 where it is not known. */
  capacityKw: number
}

/** Puts the readings of known panels together, where the places are in order; says which are of no known one. */
export function batchOf(
  { panelIds, at, microkwh }: Readings,
  places: readonly number[],
  panels: Panel[],
): { batch: Batch; unknown: number[] } {
  const batch: Batch = { panelIds: [], at: [], microkwh: [], panel: [], panels, earlier: new Map() }
  const unknown: number[] = []
  let panel = 0
  for (const place of places) {
    const id = panelIds[place]!
    while (panel < panels.length && panels[panel]!.id < id) panel++
    if (panels[panel]?.id !== id) {
      unknown.push(place)
      continue
    }
    const last = batch.at.length - 1
    const value = microkwh[place]!
    if (batch.panel[last] === panel && batch.at[last] === at[place]) {
      const earlier = batch.earlier.get(last)
      if (earlier) earlier.push(batch.microkwh[last]!)
      else batch.earlier.set(last, [batch.microkwh[last]!])
      batch.microkwh[last] = value
      continue
    }
    addReading(batch, { panelId: id, at: at[place]!, microkwh: value })
    batch.panel.push(panel)
  }
  return { batch, unknown }
}

/** A batch of these readings only, with the value that each is to have. */
export function choose(batch: Batch, values: ReadonlyMap<number, number>): Batch {
  const places = [...values.keys()]
  return {
    panelIds: places.map((place) => batch.panelIds[place]!),
    at: places.map((place) => batch.at[place]!),
    microkwh: [...values.values()],
    panel: places.map((place) => batch.panel[place]!),
    panels: batch.panels,
    earlier: new Map(),
  }
}

/** Some of the readings, by their places. */
export function pick({ panelIds, at, microkwh }: Readings, places: readonly number[]): Readings {
  return {
    panelIds: places.map((place) => panelIds[place]!),
    at: places.map((place) => at[place]!),
    microkwh: places.map((place) => microkwh[place]!),
  }
}
