import { Refused } from '../../platform/outbound/refused.ts'
import { createCsvReader } from '../../platform/tables/csv-reader.ts'
import { guessDelimiter } from '../../platform/tables/csv-rows.ts'
import { withoutApostrophe } from '../../platform/tables/csv-text.ts'
import { DomainError } from '../kernel/domain-error.ts'

export interface Table {
  header: string[]
  /** Numbered as a spreadsheet does: the header is row 1. */
  rows: { row: number; cells: string[] }[]
}

const maxRows = 2_000

/** A table of CSV with its header; blank lines are left out. */
export function readTable(csv: string): Table {
  const [header, ...rows] = rowsOf(csv)
  if (!header || header.every((cell) => cell === ''))
    throw new DomainError('invalid', 'The file is empty. Its first row names the columns.')
  const filled = rows
    .map((cells, i) => ({ row: i + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (filled.length > maxRows)
    throw new DomainError('invalid', `The file has ${filled.length} rows. At most ${maxRows} go at once.`)
  return { header, rows: filled }
}

function rowsOf(csv: string): string[][] {
  const reader = createCsvReader(guessDelimiter(csv.slice(0, 20_000)))
  try {
    const rows = [...reader.push(csv), ...reader.end()]
    return rows.map((cells) => cells.map((cell) => withoutApostrophe(cell.trim())))
  } catch (error) {
    if (error instanceof Refused) throw new DomainError('invalid', `The file ${error.message}.`)
    throw error
  }
}
