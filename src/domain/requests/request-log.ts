import { randomInt } from 'node:crypto'
import { type Database, DatabaseUnavailable } from '../../platform/db.ts'
import { lacksPartition } from '../energy/partitions.ts'
import { addLine, newLines } from './lines.ts'
import { createNotes } from './notes.ts'
import { makeDaysAhead } from './partitions.ts'
import { type Call, failedFrom, type Owner } from './request.ts'
import { type Batch, findOwners, isWritten, writeBatches } from './write-queries.ts'

export interface RequestLog {
  /** Takes note of a call; it is written a moment later. */
  note(owner: Owner, call: Call): void
  /** The same for a call that was refused: it is the company's whose key it once was, or nobody's. */
  noteRefused(keyHash: Buffer, call: Call): void
  flush(): Promise<void>
}

export const mostWaiting = 50_000
export const batchSize = 1_000
const mostNotes = 8 * batchSize
const mostRefused = 1_000
const ordinals = 2 ** 31

/**
 * Collects calls and writes them together, so that no call waits for its line in the log. While the database is slow or
 * away the newest 50,000 are kept, some 10 MB.
 */
export function createRequestLog(db: Database, onDropped: (count: number) => void): RequestLog {
  const notes = createNotes()
  let gathered: Batch[] = []
  let refused: { keyHash: Buffer; call: Call }[] = []
  // Several processes write: each begins elsewhere.
  let ordinal = randomInt(ordinals)

  function newBatch({ installerId, companyId, keyId }: Owner, at: number): Batch {
    ordinal = (ordinal + 1) % ordinals
    const owner = { installerId, companyId, keyId }
    return { ...owner, ordinal, firstAt: at, lastAt: at, calls: 0, failures: 0, lines: newLines() }
  }

  function note(owner: Owner, call: Call): void {
    notes.add(owner, call)
    if (notes.count < mostNotes) return
    gather()
    dropOldest()
  }

  /** Puts what was noted into words, key by key. */
  function gather(): void {
    const last = new Map<string, Batch>()
    notes.take((owner, call) => {
      let batch = last.get(owner.keyId)
      if (!batch || batch.calls === batchSize) {
        batch = newBatch(owner, call.at)
        last.set(owner.keyId, batch)
        gathered.push(batch)
      }
      batch.lastAt = call.at
      batch.calls++
      if (call.status >= failedFrom) batch.failures++
      addLine(batch.lines, call)
    })
  }

  function dropOldest(): void {
    let waiting = callsOf(gathered)
    let dropped = 0
    for (; waiting > mostWaiting; waiting -= gathered.shift()!.calls) dropped += gathered[0]!.calls
    if (dropped > 0) onDropped(dropped)
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
      if (owner) note(owner, { ...call, at: Date.now() })
    }
  }

  async function write(batches: Batch[]): Promise<void> {
    await writeBatches(db, batches).catch(async (error) => {
      if (!lacksPartition(error)) throw error
      await makeDaysAhead(db, new Date())
      await writeBatches(db, batches)
    })
  }

  return {
    note,
    noteRefused(keyHash, call) {
      if (refused.length < mostRefused) refused.push({ keyHash, call })
    },
    async flush() {
      await noteOwners()
      gather()
      if (gathered.length === 0) return
      const batches = gathered
      gathered = []
      try {
        await write(batches)
      } catch (error) {
        if (error instanceof DatabaseUnavailable) {
          gathered = [...batches, ...gathered]
          dropOldest()
          throw error
        }
        if (isWritten(error)) return
        onDropped(callsOf(batches))
        throw error
      }
    },
  }
}

function callsOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { calls }) => sum + calls, 0)
}
