import { withoutApostrophe } from '../../platform/tables/csv-text.ts'
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

/** The cells of a row under the fields they fill, trimmed and clean. */
export function rowValues(row: number, cells: readonly string[], mapping: Mapping): FileRow {
  const values: RowValues = {}
  const problems: RowProblem[] = []
  for (const [column, field] of mapping.entries()) {
    if (field === null) continue
    const text = withoutApostrophe(cells[column]?.trim() ?? '').trim()
    if (text === '') continue
    if (text.includes('\0') || !text.isWellFormed())
      problems.push(refusal(field, 'holds signs that are no text; type it again'))
    else values[field] = text
  }
  return { row, values, problems }
}

export function refusal(field: ImportField | null, message: string): RowProblem {
  return { field, message, refused: true }
}

/** Something to know about a row that is taken all the same. */
export function remark(field: ImportField | null, message: string): RowProblem {
  return { field, message, refused: false }
}
