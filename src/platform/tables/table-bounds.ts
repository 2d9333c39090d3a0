import { ContentRefused } from '../outbound/refused.ts'

/** What a table may hold at most, so that none fills the memory. */
export const mostColumns = 500
export const mostRows = 500_000
const mostCellChars = 100_000
const mostRowChars = 1_000_000

export function checkCell(cell: string, row: number): void {
  if (cell.length > mostCellChars)
    throw new ContentRefused(
      `has a cell of more than ${mostCellChars.toLocaleString('en')} characters in row ${row}; check the quotes there`,
    )
}

export function checkRow(cells: readonly string[], row: number): void {
  if (cells.length > mostColumns)
    throw new ContentRefused(`has more than ${mostColumns} columns in row ${row}; leave out those not needed`)
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
