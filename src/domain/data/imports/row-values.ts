import { withoutApostrophe } from '../../../platform/tables/csv-text.ts'
import { type ColumnForm, plainCell } from './column-forms.ts'
import type { ImportField } from './fields.ts'
import type { Mapping } from './guess-mapping.ts'

/** What a row says, by field; what it leaves empty is not there. */
export type RowValues = Partial<Record<ImportField, string>>

export interface RowProblem {
  /** Null where it is about the row as a whole. */
  field: ImportField | null
  message: string
  refused: boolean
}

export interface FileRow {
  /** As the file counts them: the header is 1. */
  row: number
  values: RowValues
  problems: RowProblem[]
}

/** The cells of a row under the fields they fill, trimmed and clean, in the form that is read. */
export function rowValues(
  row: number,
  cells: readonly string[],
  { mapping, columnForms }: { mapping: Mapping; columnForms: readonly ColumnForm[] },
): FileRow {
  const values: RowValues = {}
  const problems: RowProblem[] = []
  for (const [column, field] of mapping.entries()) {
    if (field === null) continue
    const text = withoutApostrophe(cells[column]?.trim() ?? '').trim()
    if (text === '') continue
    if (text.includes('\0') || !text.isWellFormed())
      problems.push(leftOut(field, 'it holds signs that are no text'))
    else values[field] = plainCell(field, text, columnForms[column] ?? '')
  }
  return { row, values, problems }
}

export function refusal(field: ImportField | null, message: string): RowProblem {
  return { field, message, refused: true }
}

/** A cell that the row is taken without, or that what is there is kept for. */
export function leftOut(field: ImportField, reason: string): RowProblem {
  return remark(field, `left out: ${reason}`)
}

/** What stands in a cell, as a message quotes it. */
export function quoted(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`
}

/** Something to know about a row that is taken all the same. */
export function remark(field: ImportField | null, message: string): RowProblem {
  return { field, message, refused: false }
}
