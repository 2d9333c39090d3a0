import type { TextEncodingName } from '../contents/text-encoding.ts'
import { createCsvReader } from './csv-reader.ts'

/** How a CSV file is written. */
export interface CsvForm {
  encoding: TextEncodingName
  delimiter: string
}

/** The rows of a CSV file, as many at a time as a piece of it holds. */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, delimiter }: CsvForm,
): AsyncGenerator<string[][]> {
  const decoder = new TextDecoder(encoding)
  const reader = createCsvReader(delimiter)
  for await (const piece of bytes) yield reader.push(decoder.decode(piece, { stream: true }))
  yield reader.push(decoder.decode())
  yield reader.end()
}

const delimiters = [',', ';', '\t', '|']
const looked = 20

/** The delimiter that parts the first rows into the most columns, all of them alike. */
export function guessDelimiter(start: string): string {
  const scored = delimiters.map((delimiter) => ({ delimiter, score: evenness(start, delimiter) }))
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}

function evenness(start: string, delimiter: string): number {
  const rows = rowsOf(start, delimiter).slice(0, looked)
  const columns = rows[0]?.length ?? 1
  const alike = rows.filter((row) => row.length === columns).length
  return columns === 1 ? 0 : (columns * alike) / rows.length
}

function rowsOf(start: string, delimiter: string): string[][] {
  try {
    return createCsvReader(delimiter)
      .push(start)
      .filter((row) => row.length > 1 || row[0] !== '')
  } catch {
    // Too many columns for a table: it is not this one.
    return []
  }
}
