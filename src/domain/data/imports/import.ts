import type { TextEncodingName } from '../../../platform/contents/text-encoding.ts'
import type { CompanyKind } from '../../kernel/tenant/company.ts'
import type { ColumnForm } from './column-forms.ts'
import type { Mapping } from './guess-mapping.ts'

/** Of the long work that is done with one. */
export const importKind = 'import'

export const importStates = [
  'mapping',
  'checking',
  'checked',
  'running',
  'stopped',
  'done',
  'undoing',
  'undone',
  'failed',
] as const
export type ImportState = (typeof importStates)[number]

/** What became of the rows so far. */
export interface Counts {
  made: number
  updated: number
  unchanged: number
  refused: number
}

export type Outcome = keyof Counts

/** One of the first rows, as it would be. */
export interface PreviewRow {
  row: number
  outcome: Outcome
  /** The values by field, as they were understood. */
  values: Record<string, string>
}

export interface Import extends Counts {
  installerId: string
  id: string
  companyId: string
  companyKind: CompanyKind
  name: string
  bytes: number
  storeKey: string | null
  encoding: TextEncodingName
  delimiter: string
  header: string[]
  samples: string[][]
  mapping: Mapping
  columnForms: ColumnForm[]
  contentHash: string | null
  state: ImportState
  failure: string | null
  rowsTotal: number
  /** The last row of the file that was dealt with; the header is row 1. */
  rowReached: number
  rowsDone: number
  /** How many are known; the first of them are kept. */
  problems: number
  preview: PreviewRow[]
  undone: number
  /** Of those undone, how many had been changed since they were made. */
  undoneChanged: number
  actorKind: 'member' | 'job'
  actorId: string | null
  actorName: string
  createdAt: Date
  endedAt: Date | null
}

/** What is to be changed in a row. */
export interface Problem {
  row: number
  /** As the file calls it. */
  column: string | null
  message: string
  /** False: the row is taken all the same. */
  refused: boolean
}

/** Problems beyond these are counted and not kept. */
export const maxProblems = 10_000
export const batchRows = 250
export const previewRows = 10
