import { randomInt } from 'node:crypto'
import { type Database, DatabaseUnavailable } from '../../platform/db.ts'
import { lacksPartition } from '../energy/partitions.ts'
import { addLine, newLines } from './lines.ts'
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
const mostRefused = 1_000
const ordinals = 2 ** 31

/**
 * Collects calls and writes them together, so that no call waits for its line in the log. While the database is slow or
 * away the newest 50,000 are kept, some 10 MB.
 */
export function createRequestLog(db: Database, onDropped: (count: number) => void): RequestLog {
  let open = new Map<string, Batch>()
  let full: Batch[] = []
  let refused: { keyHash: Buffer; call: Call }[] = []
  let waiting = 0
  // Several processes write: each begins elsewhere.
  let ordinal = randomInt(ordinals)

  function newBatch({ installerId, companyId, keyId }: Owner, at: number): Batch {
    ordinal = (ordinal + 1) % ordinals
    return {
      installerId,
      companyId,
      keyId,
      ordinal,
      firstAt: at,
      lastAt: at,
      calls: 0,
      failures: 0,
      lines: newLines(),
    }
  }

  function note(owner: Owner, call: Call): void {
    let batch = open.get(owner.keyId)
    if (!batch) {
      batch = newBatch(owner, call.at)
      open.set(owner.keyId, batch)
    }
    addLine(batch.lines, call)
    batch.lastAt = call.at
    batch.calls++
    if (call.status >= failedFrom) batch.failures++
    waiting++
    if (batch.calls === batchSize) {
      open.delete(owner.keyId)
      full.push(batch)
      dropOldest()
    }
  }

  function dropOldest(): void {
    let dropped = 0
    while (waiting - dropped > mostWaiting && full.length > 0) dropped += full.shift()!.calls
    if (dropped === 0) return
    waiting -= dropped
    onDropped(dropped)
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
      const batches = [...full, ...open.values()]
      if (batches.length === 0) return
      const calls = waiting
      full = []
      open = new Map()
      try {
        await write(batches)
        waiting -= calls
      } catch (error) {
        if (error instanceof DatabaseUnavailable) {
          full = [...batches, ...full]
          dropOldest()
          throw error
        }
        waiting -= calls
        if (isWritten(error)) return
        onDropped(calls)
        throw error
      }
    },
  }
}
