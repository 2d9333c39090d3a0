import { ContentRefused } from '../outbound/refused.ts'
import { checkCell, checkRow, checkRowCount, maxColumns } from './table-bounds.ts'

export interface CsvReader {
  /** The rows that end in this piece of the text. A blank line is a row of one empty cell. */
  push(text: string): string[][]
  /** What stands after the last line end. */
  end(): string[][]
}

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Reads CSV as RFC 4180 has it, piece by piece: quotes hold delimiters, line ends and doubled quotes. */
export function createCsvReader(delimiter: string): CsvReader {
  const delimiterCode = delimiter.charCodeAt(0)
  let row: string[] = []
  let cell = ''
  let number = 1
  let quotedSince = 0
  let state: 'before' | 'plain' | 'quoted' | 'quote seen' = 'before'
  let afterCarriageReturn = false

  const endCell = () => {
    row.push(cell)
    if (row.length > maxColumns) checkRow(row, number)
    cell = ''
    state = 'before'
  }
  const endRow = (rows: string[][]) => {
    endCell()
    checkRow(row, number)
    rows.push(row)
    row = []
    checkRowCount(++number)
  }
  const add = (text: string) => {
    cell += text
    checkCell(cell, number)
  }

  return {
    push(text) {
      const rows: string[][] = []
      let at = 0
      while (at < text.length) {
        if (state === 'quoted') {
          const next = text.indexOf('"', at)
          add(text.slice(at, next === -1 ? text.length : next))
          if (next === -1) break
          state = 'quote seen'
          at = next + 1
          continue
        }
        const code = text.charCodeAt(at)
        const skipped = afterCarriageReturn && code === lineFeed
        afterCarriageReturn = false
        if (skipped) at++
        else if (code === quote && state !== 'plain') {
          if (state === 'quote seen') add('"')
          else quotedSince = number
          state = 'quoted'
          at++
        } else if (code === delimiterCode) {
          endCell()
          at++
        } else if (code === lineFeed || code === carriageReturn) {
          endRow(rows)
          afterCarriageReturn = code === carriageReturn
          at++
        } else {
          const from = at
          while (at < text.length && !endsPlain(text.charCodeAt(at))) at++
          add(text.slice(from, at))
          state = 'plain'
        }
      }
      return rows
    },
    end() {
      if (state === 'quoted')
        throw new ContentRefused(`has a quote that opens in row ${quotedSince} and never closes`)
      const rows: string[][] = []
      if (row.length > 0 || state !== 'before') endRow(rows)
      return rows
    },
  }

  function endsPlain(code: number): boolean {
    return code === delimiterCode || code === lineFeed || code === carriageReturn
  }
}
