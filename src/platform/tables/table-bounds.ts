import { ContentRefused } from '../outbound/refused.ts'

const mostUnpackedBytes = 512 * 1024 * 1024
/** Any workbook may unpack to this much. */
const freeUnpackedBytes = 4 * 1024 * 1024
/** Beyond it, by so many times what was sent: what companies export unpacks to 3 to 12 times. */
const mostExpansion = 64

/**
 * Counts what a workbook unpacks to on the disk while it does, and refuses the rest: its cells may refer to one long
 * text again and again, so that 2 kB say hundreds of megabytes.
 */
export function unpackingAllowance(sentBytes: number): (text: string) => void {
  let left = Math.min(mostUnpackedBytes, freeUnpackedBytes + sentBytes * mostExpansion)
  return (text) => {
    left -= Buffer.byteLength(text)
    if (left < 0)
      throw new ContentRefused(
        'is a workbook that unpacks to far more than was sent; save the sheet as CSV and send that',
      )
  }
}

/** What a table may hold at most, so that none fills the memory. */
export const mostColumns = 500
export const mostRows = 500_000
/** As many as spreadsheets themselves have. */
const mostSheetColumns = 16_384
const mostCellChars = 100_000
const mostRowChars = 1_000_000

export function checkCell(cell: string, row: number): void {
  if (cell.length > mostCellChars)
    throw new ContentRefused(
      `has a cell of more than ${mostCellChars.toLocaleString('en')} characters in row ${row}; check the quotes there`,
    )
}

export function checkRow(cells: readonly string[], row: number): void {
  if (cells.length > mostColumns) throw tooWide(row)
  let chars = 0
  for (const cell of cells) chars += cell.length
  if (chars > mostRowChars)
    throw new ContentRefused(
      `has more than ${mostRowChars.toLocaleString('en')} characters in row ${row}; check the line ends`,
    )
}

export function checkRowCount(row: number): void {
  if (row > mostRows + 1)
    throw new ContentRefused(
      `has more than ${mostRows.toLocaleString('en')} rows; split it into several files`,
    )
}

/** Of a place in a sheet, whether it holds something or not. */
export function checkColumn(column: number, row: number): void {
  if (column > mostSheetColumns) throw tooWide(row)
}

const tooWide = (row: number) =>
  new ContentRefused(`has more than ${mostColumns} columns in row ${row}; leave out those not needed`)
