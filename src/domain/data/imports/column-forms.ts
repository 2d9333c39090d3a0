import type { ImportField } from './fields.ts'

/** How a column writes its days and numbers, as all of its cells together show: `day` first, `comma` for decimals. */
export type ColumnForm = '' | 'day' | 'comma' | 'day comma'

const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?!\d)/
// 182,50 and 1.234,5: no thousand is written so.
const commaDecimal = /^\D{0,5}(\d{1,3}(\.\d{3})+|\d+),(\d{1,2}|\d{4,})\D{0,5}$/
const pointDecimal = /^\D{0,5}\d[\d,]*\.(\d{1,2}|\d{4,})\D{0,5}$/

/** Looks at the cells of a table as they come by. */
export function createColumnForms() {
  const columns: { dayFirst: boolean; monthFirst: boolean; comma: boolean; point: boolean }[] = []
  return {
    meet(row: readonly string[]): void {
      for (const [i, cell] of row.entries()) {
        // Most cells hold neither.
        const first = cell.trim()
        if (!/\d/.test(first) || first.length > 40) continue
        columns[i] ??= { dayFirst: false, monthFirst: false, comma: false, point: false }
        const column = columns[i]
        const day = slashed.exec(first)
        if (day && Number(day[1]) > 12) column.dayFirst = true
        if (day && Number(day[2]) > 12) column.monthFirst = true
        if (commaDecimal.test(first)) column.comma = true
        if (pointDecimal.test(first)) column.point = true
      }
    },
    /** Where a column writes both ways, each cell is read by itself. */
    forms(count: number): ColumnForm[] {
      return Array.from({ length: count }, (_, i) => {
        const column = columns[i]
        const day = column?.dayFirst && !column.monthFirst ? 'day' : ''
        const comma = column?.comma && !column.point ? 'comma' : ''
        return [day, comma].filter(Boolean).join(' ') as ColumnForm
      })
    },
  }
}

const days: readonly ImportField[] = ['createdOn', 'stageSince', 'soldOn', 'installDate']
const numbers: readonly ImportField[] = [
  'monthlyBill',
  'contractPrice',
  'sizeKw',
  'annualProductionKwh',
  'annualConsumptionKwh',
  'aprPercent',
  'monthlyPayment',
]

/** A cell as it would be written with the month first and a decimal point. */
export function plainCell(field: ImportField, text: string, form: ColumnForm): string {
  if (form.includes('day') && days.includes(field))
    return text.replace(/^(\d{1,2})([/-])(\d{1,2})\2/, '$3$2$1$2')
  if (form.includes('comma') && numbers.includes(field))
    return text.replace(/[\d.,]*\d/, (number) => number.replaceAll('.', '').replace(',', '.'))
  return text
}
