import { randomInt } from 'node:crypto'
import { addLine, createLines } from './lines.ts'
import { type Call, failedFrom, longestBatchMs, type Owner } from './request.ts'

/** Calls of one key within a moment. */
export interface Batch extends Owner {
  /** Tells it from others that ended in the same millisecond. */
  ordinal: number
  firstAt: number
  lastAt: number
  calls: number
  failures: number
  /** How many lines they are written down in, and how long these are. */
  lines: number
  bytes: number
}

/** Batches that are written together, and their lines one batch behind the other. */
export interface Bundle {
  batches: readonly Batch[]
  calls: number
  lines: Buffer
}

export interface Notes {
  readonly count: number
  add(owner: Owner, call: Call): void
  /** All that was noted, which it forgets. */
  take(): Bundle
}

const maxInBatch = 1_000
const ordinals = 2 ** 31

/**
 * Up to `most` calls until they are written. Each is put down as bytes in the order in which they come: texts that wait
 * would be carried from one collection of garbage to the next, and a place for each key would have to grow.
 */
export function createNotes(maxNotes: number): Notes {
  const lines = createLines()
  const ends = new Int32Array(maxNotes)
  const places = new Int32Array(maxNotes)
  const newest = new Map<string, number>()
  let count = 0
  let batches: Batch[] = []
  // Several processes write: each begins elsewhere.
  let ordinal = randomInt(ordinals)

  function placeOf(owner: Owner, at: number): number {
    const { installerId, companyId, keyId } = owner
    const place = newest.get(keyId)
    if (place !== undefined && takesMore(batches[place]!, at)) return place
    ordinal = (ordinal + 1) % ordinals
    const nothing = { firstAt: at, lastAt: at, calls: 0, failures: 0, lines: 0, bytes: 0 }
    newest.set(keyId, batches.length)
    return batches.push({ installerId, companyId, keyId, ordinal, ...nothing }) - 1
  }

  return {
    get count() {
      return count
    },
    add(owner, call) {
      const place = placeOf(owner, call.at)
      const begin = lines.length
      addLine(lines, call)
      const batch = batches[place]!
      batch.lastAt = call.at
      const { times = 1 } = call
      batch.calls += times
      if (call.status >= failedFrom) batch.failures += times
      batch.lines++
      batch.bytes += lines.length - begin
      ends[count] = lines.length
      places[count] = place
      count++
    },
    take() {
      const bundle = { batches, calls: count, lines: Buffer.allocUnsafe(lines.length) }
      const next = beginsOf(batches)
      for (let i = 0, begin = 0; i < count; i++) {
        const end = ends[i]!
        const place = places[i]!
        lines.bytes.copy(bundle.lines, next[place]!, begin, end)
        next[place]! += end - begin
        begin = end
      }
      batches = []
      newest.clear()
      lines.length = 0
      count = 0
      return bundle
    },
  }
}

function takesMore({ lines, firstAt }: Batch, at: number): boolean {
  return lines < maxInBatch && at < firstAt + longestBatchMs
}

/** Where the lines of each batch begin in their bundle. */
export function beginsOf(batches: readonly Batch[]): number[] {
  let end = 0
  return batches.map(({ bytes }) => {
    end += bytes
    return end - bytes
  })
}
