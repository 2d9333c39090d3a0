import type { Workbook } from './xlsx-parts.ts'
import { xmlTokens } from './xml-tokens.ts'

/** The number formats that every workbook has and that show a day or a time. */
const builtIn = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** The styles of cells whose numbers are days. */
export async function dateStyles(workbook: Workbook): Promise<Set<number>> {
  const formats = new Set<number>()
  const styles = new Set<number>()
  let count = 0
  let inCells = false
  for await (const tokens of xmlTokens(workbook.part('xl/styles.xml'))) {
    for (const token of tokens) {
      if (token.kind === 'text') continue
      if (token.name === 'cellXfs') inCells = token.kind === 'open'
      if (token.kind !== 'open') continue
      const id = Number(token.attributes.numFmtId ?? 0)
      if (token.name === 'numFmt' && isDate(token.attributes.formatCode ?? '')) formats.add(id)
      if (token.name === 'xf' && inCells) {
        if (builtIn(id) || formats.has(id)) styles.add(count)
        count++
      }
    }
  }
  return styles
}

/** A format of days has a letter for one, outside of quoted texts and bracketed words. */
function isDate(code: string): boolean {
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}
