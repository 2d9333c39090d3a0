import { ContentRefused } from '../outbound/refused.ts'

const maxUnpackedBytes = 512 * 1024 * 1024
/** Any workbook may unpack to this much. */
const freeUnpackedBytes = 4 * 1024 * 1024
/** Beyond it, by so many times what was sent: what companies export unpacks to 3 to 12 times. */
const maxExpansion = 64

/**
 * Counts what a workbook unpacks to on the disk while it does, and refuses the rest: its cells may refer to one long
 * text again and again, so that 2 kB say hundreds of megabytes.
 */
export function unpackingAllowance(sentBytes: number): (text: string) => void {
  let left = Math.min(maxUnpackedBytes, freeUnpackedBytes + sentBytes * maxExpansion)
  return (text) => {
    left -= Buffer.byteLength(text)
    if (left < 0)
      throw new ContentRefused(
        'is a workbook that unpacks to far more than was sent; save the sheet as CSV and send that',
      )
  }
}

/** What a table may hold at most, so that none fills the memory. */
export const maxColumns = 500
export const maxRows = 500_000
/** As many as spreadsheets themselves have. */
const maxSheetColumns = 16_384
const maxCellChars = 100_000
const maxRowChars = 1_000_000

export function checkCell(cell: string, row: number): void {
  if (cell.length > maxCellChars)
    throw new ContentRefused(
      `has a cell of more than ${maxCellChars.toLocaleString('en')} characters in row ${row}; check the quotes there`,
    )
}

export function checkRow(cells: readonly string[], row: number): void {
  if (cells.length > maxColumns) throw tooWide(row)
  let chars = 0
  for (const cell of cells) chars += cell.length
  if (chars > maxRowChars)
    throw new ContentRefused(
      `has more than ${maxRowChars.toLocaleString('en')} characters in row ${row}; check the line ends`,
    )
}

export function checkRowCount(row: number): void {
  if (row > maxRows + 1)
    throw new ContentRefused(
      `has more than ${maxRows.toLocaleString('en')} rows; split it into several files`,
    )
}

/** Of a place in a sheet, whether it holds something or not. */
export function checkColumn(column: number, row: number): void {
  if (column > maxSheetColumns) throw tooWide(row)
}

const tooWide = (row: number) =>
  new ContentRefused(`has more than ${maxColumns} columns in row ${row}; leave out those not needed`)
