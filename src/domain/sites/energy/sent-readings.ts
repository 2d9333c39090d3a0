import { addReading, type Readings } from './batch.ts'
import { createReader } from './reading.ts'

export interface Rejected {
  /** The number that the caller's reading has. */
  index: number
  message: string
}

/** What a caller sent, as far as it is read. */
export interface SentReadings extends Readings {
  indexes: number[]
  rejected: Rejected[]
  /** Of all that was sent, rejected or not. */
  count: number
  add(index: number, value: unknown): void
}

export function createSentReadings(now: Date): SentReadings {
  const read = createReader(now)
  const sent: SentReadings = {
    panelIds: [],
    at: [],
    microkwh: [],
    indexes: [],
    rejected: [],
    count: 0,
    add(index, value) {
      sent.count++
      const reading = read(value)
      if (typeof reading === 'string') {
        sent.rejected.push({ index, message: reading })
        return
      }
      addReading(sent, reading)
      sent.indexes.push(index)
    },
  }
  return sent
}
