import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export const columns = ['panel_id', 'timestamp', 'kwh'] as const

export interface CsvLine {
  /** As editors count them: the first line is 1. */
  number: number
  reading: unknown
}

const numberForm = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The readings of a CSV file, whose first line names the columns in any order. */
export async function* readingsOfCsv(input: Readable): AsyncGenerator<CsvLine> {
  let order: number[] | null = null
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
    if (order === null) {
      order = orderOf(cells)
      continue
    }
    const [panelId, timestamp, kwh] = order.map((place) => cells[place])
    // What is no number stays a text, which is refused with the line's number.
    const value = kwh !== undefined && numberForm.test(kwh) ? Number(kwh) : kwh
    const reading = cells.length === columns.length ? { panel_id: panelId, timestamp, kwh: value } : line
    yield { number, reading }
  }
  if (order === null) throw new Error(`The file is empty. Its first line must be ${columns.join(',')}`)
}

function orderOf(head: string[]): number[] {
  const names = head.map((name) => name.replace(/^\uFEFF/, '').toLowerCase())
  const order = columns.map((column) => names.indexOf(column))
  if (order.includes(-1) || names.length !== columns.length) {
    throw new Error(`The first line must name the columns: ${columns.join(',')}`)
  }
  return order
}
