import type { FileHandle } from 'node:fs/promises'
import { ContentRefused } from '../outbound/refused.ts'
import { checkCell, checkColumn, checkRow, checkRowCount, maxColumns } from './table-bounds.ts'
import { createTextPages, type TextPages } from './text-pages.ts'
import { cellText } from './xlsx-cell.ts'
import { openWorkbook, type Workbook } from './xlsx-parts.ts'
import { dateStyles } from './xlsx-styles.ts'
import { xmlTokens } from './xml-tokens.ts'

/**
 * The rows of a workbook's first sheet as texts. Where the sheet leaves rows out, they come as empty ones. What its
 * cells refer to is written to an empty file, `scratch`, and counted by `spend`.
 */
export async function* xlsxRows(
  file: FileHandle,
  size: number,
  scratch: FileHandle,
  spend: (text: string) => void,
): AsyncGenerator<string[][]> {
  const workbook = await openWorkbook(file, size)
  const { sheet, from1904 } = await firstSheet(workbook)
  const texts = await sharedTexts(workbook, scratch, spend)
  const dates = await dateStyles(workbook)
  let number = 1
  let cells: string[] = []
  let cell = { column: 0, type: '', style: 0, text: '', inside: false }

  for await (const tokens of xmlTokens(workbook.part(sheet))) {
    const rows: string[][] = []
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (!cell.inside) continue
        cell.text += token.text
        checkCell(cell.text, number)
      } else if (token.kind === 'open' && token.name === 'row') {
        const given = Number(token.attributes.r ?? number)
        checkRowCount(given)
        while (number < given) {
          rows.push([''])
          number++
        }
      } else if (token.kind === 'open' && token.name === 'c') {
        const { attributes } = token
        const column = columnOf(attributes.r) ?? cell.column + 1
        checkColumn(column, number)
        const style = Number(attributes.s ?? 0)
        cell = { column, type: attributes.t ?? 'n', style, text: '', inside: false }
      } else if (token.name === 'v' || token.name === 't') {
        cell.inside = token.kind === 'open' && !token.empty
      } else if (token.kind === 'close' && token.name === 'c') {
        const text =
          cell.type === 's'
            ? await texts.text(Number(cell.text))
            : cellText(cell.text, cell.type, { isDate: dates.has(cell.style), from1904 })
        if (text === '') continue
        if (cell.column > maxColumns) checkRow(Array(cell.column).fill(''), number)
        while (cells.length < cell.column - 1) cells.push('')
        cells[cell.column - 1] = text
      } else if (token.kind === 'close' && token.name === 'row') {
        checkRow(cells, number)
        rows.push(cells.length > 0 ? cells : [''])
        cells = []
        cell.column = 0
        checkRowCount(++number)
      }
    }
    yield rows
  }
}

/** A1 is the first column, B1 the second, AA1 the 27th. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  if (!letters) return null
  if (letters.length > 3) return Number.POSITIVE_INFINITY
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

async function firstSheet(workbook: Workbook): Promise<{ sheet: string; from1904: boolean }> {
  let relation: string | undefined
  let from1904 = false
  for await (const tokens of xmlTokens(workbook.part('xl/workbook.xml'))) {
    for (const token of tokens) {
      if (token.kind !== 'open') continue
      if (token.name === 'workbookPr') from1904 = ['1', 'true'].includes(token.attributes.date1904 ?? '')
      if (token.name === 'sheet') relation ??= token.attributes['r:id']
    }
  }
  let target = 'worksheets/sheet1.xml'
  for await (const tokens of xmlTokens(workbook.part('xl/_rels/workbook.xml.rels'))) {
    for (const token of tokens) {
      if (token.kind === 'open' && relation && token.attributes.Id === relation)
        target = token.attributes.Target ?? target
    }
  }
  const sheet = target.startsWith('/') ? target.slice(1) : `xl/${target}`
  if (!workbook.has(sheet)) throw new ContentRefused('is a workbook without a sheet')
  return { sheet, from1904 }
}

/** Texts that cells refer to by their number. */
async function sharedTexts(
  workbook: Workbook,
  scratch: FileHandle,
  spend: (text: string) => void,
): Promise<TextPages> {
  const texts = createTextPages(scratch)
  let text = ''
  let inside = false
  let phonetic = false
  for await (const tokens of xmlTokens(workbook.part('xl/sharedStrings.xml'))) {
    for (const token of tokens) {
      if (token.kind === 'text') {
        if (inside && !phonetic) text += token.text
        checkCell(text, 1)
      } else if (token.name === 't') inside = token.kind === 'open' && !token.empty
      else if (token.name === 'rPh') phonetic = token.kind === 'open' && !token.empty
      else if (token.name === 'si' && (token.kind === 'close' || token.empty)) {
        spend(text)
        // What an empty one takes too.
        spend('"",')
        await texts.add(text)
        text = ''
      }
    }
  }
  await texts.end()
  return texts
}
