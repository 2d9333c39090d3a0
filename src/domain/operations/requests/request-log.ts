import { currentMs, currentTime } from '../../../platform/clock.ts'
import { DatabaseUnavailable } from '../../../platform/database-errors.ts'
import type { Database } from '../../../platform/db.ts'
import { lacksPartition } from '../../sites/energy/partitions.ts'
import { type Bundle, createNotes } from './notes.ts'
import { createDayPartitions } from './partitions.ts'
import type { Call, Owner } from './request.ts'
import { findOwners, isWritten, writeBundle } from './write-queries.ts'

export interface RequestLog {
  /** Takes note of a call; it is written a moment later. */
  note(owner: Owner, call: Call): void
  /** The same for a call that was refused: it is the company's whose key it once was, or nobody's. */
  noteRefused(keyHash: Buffer, call: Call): void
  /** Writes what was noted so far, after what is being written. */
  flush(): Promise<void>
}

/** Calls that are written by one statement, at most. */
export const bundleSize = 8_000
export const maxBundles = 6
const maxRefused = 1_000

/**
 * Collects calls and writes them together, so that no call waits for its line in the log. While the database is slow or
 * away the newest bundles are kept, some 10 MB.
 */
export function createRequestLog(db: Database, onDropped: (count: number) => void): RequestLog {
  const notes = createNotes(bundleSize)
  const waiting: Bundle[] = []
  let refused: { keyHash: Buffer; call: Call }[] = []
  let last = Promise.resolve()

  function note(owner: Owner, call: Call): void {
    notes.add(owner, call)
    if (notes.count === bundleSize) bundle()
  }

  function bundle(): void {
    if (notes.count === 0) return
    waiting.push(notes.take())
    if (waiting.length > maxBundles) onDropped(waiting.shift()!.calls)
  }

  async function noteOwners(): Promise<void> {
    if (refused.length === 0) return
    const settled = refused
    refused = []
    const owners = await findOwners(
      db,
      settled.map(({ keyHash }) => keyHash),
    )
    for (const { keyHash, call } of settled) {
      const owner = owners.get(keyHash.toString('hex'))
      if (owner) note(owner, { ...call, at: currentMs() })
    }
  }

  async function writeWaiting(): Promise<void> {
    for (let bundle = waiting.shift(); bundle; bundle = waiting.shift()) {
      try {
        await write(bundle)
      } catch (error) {
        if (error instanceof DatabaseUnavailable) waiting.unshift(bundle)
        else onDropped(bundle.calls)
        throw error
      }
    }
  }

  async function write(bundle: Bundle): Promise<void> {
    await writeBundle(db, bundle)
      .catch(async (error) => {
        if (!lacksPartition(error)) throw error
        await createDayPartitions(db, currentTime())
        await writeBundle(db, bundle)
      })
      .catch((error) => {
        if (!isWritten(error)) throw error
      })
  }

  async function writeAll(): Promise<void> {
    await noteOwners()
    await writeWaiting()
    bundle()
    await writeWaiting()
  }

  return {
    note,
    noteRefused(keyHash, call) {
      if (refused.length < maxRefused) refused.push({ keyHash, call })
    },
    flush() {
      last = last.catch(() => {}).then(writeAll)
      return last
    },
  }
}
