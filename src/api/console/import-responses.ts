import type { ImportField } from '../../domain/data/imports/fields.ts'
import type { Counts, Import, ImportState, PreviewRow, Problem } from '../../domain/data/imports/import.ts'

import type { LongJob } from '../../domain/journal/long-jobs/long-job.ts'
import { type LongJobResponse, longJobResponse } from './long-jobs.ts'

/** An import in the list of all of them. */
export interface ImportRowResponse extends Counts {
  id: string
  name: string
  state: ImportState
  rowsTotal: number
  rowsDone: number
  undone: number
  by: string
  createdAt: Date
}

/** An import with all that is to be decided about it. */
export interface ImportResponse extends ImportRowResponse {
  bytes: number
  failure: string | null
  /** What is or was last being done with it. */
  job: LongJobResponse | null
  columns: { name: string; field: ImportField | null; samples: string[] }[]
  preview: PreviewRow[]
  /** How many problems there are, and the first of them. */
  problems: number
  firstProblems: Problem[]
  undoneChanged: number
  /** An earlier import of the same rows, whatever its file was called. */
  same: Pick<ImportRowResponse, 'id' | 'name' | 'by' | 'createdAt'> | null
}

export interface ImportsResponse {
  imports: ImportRowResponse[]
  /** The import after which the next page begins; null on the last one. */
  next: string | null
}

/** What undoing an import would archive, and how much of that was changed since. */
export interface UndoResponse {
  made: number
  changed: number
}

export function importRowResponse(found: Import): ImportRowResponse {
  const { id, name, state, rowsTotal, rowsDone, made, updated, unchanged, refused, undone } = found
  const { actorName: by, createdAt } = found
  return { id, name, state, rowsTotal, rowsDone, made, updated, unchanged, refused, undone, by, createdAt }
}

export function importResponse(
  found: Import,
  firstProblems: readonly Problem[],
  same: Import | null,
  job: LongJob | null,
): ImportResponse {
  const { bytes, failure, header, mapping, samples, preview, problems, undoneChanged } = found
  return {
    ...importRowResponse(found),
    bytes,
    failure,
    job: job && longJobResponse(job),
    columns: header.map((name, column) => ({
      name,
      field: mapping[column] ?? null,
      samples: samples
        .map((row) => row[column]?.trim() ?? '')
        .filter((text) => text !== '')
        .slice(0, 3),
    })),
    preview,
    problems,
    firstProblems: firstProblems.map(({ row, column, message, refused }) => ({
      row,
      column,
      message,
      refused,
    })),
    undoneChanged,
    same: same && { id: same.id, name: same.name, by: same.actorName, createdAt: same.createdAt },
  }
}
