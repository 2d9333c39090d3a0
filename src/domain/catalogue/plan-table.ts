import { createHash } from 'node:crypto'
import type { Table } from './read-table.ts'
import type { CatalogueItem, CatalogueSection } from './section.ts'
import { changedFields } from './section.ts'
import { BadCell, type TableColumn } from './table-column.ts'

export type RowOutcome = 'made' | 'changed' | 'unchanged' | 'refused'

/** What a row would do. */
export interface PlannedRow<T> {
  row: number
  name: string
  outcome: RowOutcome
  /** By column, from what to what, as cells hold them. */
  changes: Record<string, [from: string, to: string]>
  /** Why it is refused. */
  problems: string[]
  /** The entry before and after; null where it is refused, and before one that is made. */
  before: T | null
  after: T | null
}

export interface TablePlan<T> {
  rows: PlannedRow<T>[]
  /** Columns of the table that stand for nothing. */
  unknownColumns: string[]
  /** The same for the same plan: it is applied only as it was seen. */
  stamp: string
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
const idColumn = 'id'

/** Says of each row what it would do to the entries there are. A column that is absent leaves its field as it is. */
export function planTable<T extends CatalogueItem>(
  section: CatalogueSection<T>,
  all: readonly T[],
  { header, rows }: Table,
): TablePlan<T> {
  const places = header.map((name) => ({
    name,
    isId: plain(name) === idColumn,
    column: section.columns.find((column) => plain(column.name) === plain(name)) ?? null,
  }))
  const taken = new Map<string, number>()
  const defaults = new Map<string, number>()
  const planned = rows.map(({ row, cells }) => {
    const problems: string[] = []
    const values: Record<string, unknown> = {}
    for (const [i, { column }] of places.entries()) {
      if (!column) continue
      try {
        values[column.field] = column.read(cells[i] ?? '')
      } catch (error) {
        if (!(error instanceof BadCell)) throw error
        problems.push(`${column.name} ${error.message}`)
      }
    }
    const idAt = places.findIndex(({ isId }) => isId)
    const id = idAt === -1 ? '' : (cells[idAt] ?? '')
    const known = { ...section.blank, ...values } as unknown as T
    const before = problems.length > 0 ? null : match(section, all, known, id, problems)
    const after = problems.length > 0 ? null : next(section, before, values, problems)
    if (after) refuseTwins(section, after, before, row, taken, defaults, problems)
    return outcomeOf(section, row, values, problems, before, after)
  })
  const shown = planned.map(({ before, after, ...rest }) => rest)
  return {
    rows: planned,
    unknownColumns: places
      .filter(({ column, isId, name }) => !column && !isId && name)
      .map(({ name }) => name),
    stamp: createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22),
  }
}

/** The entry that a row is about: by its id, else by what it is called. */
function match<T extends CatalogueItem>(
  section: CatalogueSection<T>,
  all: readonly T[],
  known: T,
  id: string,
  problems: string[],
): T | null {
  if (id !== '') {
    const found = all.find((item) => item.id === id)
    if (!found) problems.push('Id: there is no such entry. Leave it empty to make a new one')
    return found ?? null
  }
  if (!section.nameOf(known)) return null
  const found = all.filter((item) => section.matchOf(item) === section.matchOf(known))
  if (found.length > 1) problems.push('Id: several entries are called so. Say which one is meant')
  return found[0] ?? null
}

function next<T extends CatalogueItem>(
  section: CatalogueSection<T>,
  before: T | null,
  values: Record<string, unknown>,
  problems: string[],
): T | null {
  const item = { ...(before ?? section.blank), ...values } as unknown as T
  if (before && 'kind' in before && values['kind'] !== undefined && values['kind'] !== before.kind)
    problems.push('Kind: it cannot be changed. Make a new entry')
  const missing = section.columns.filter(({ field, read }) => !(field in item) && isRequired(read))
  for (const { name } of missing) problems.push(`${name} is missing`)
  if (problems.length > 0) return null
  const settled = section.settled(item, before)
  const changed = !before || Object.keys(changedFields(section, before, settled)).length > 0
  if (changed) problems.push(...section.problemsOf(settled).map((problem) => inWords(section, problem)))
  return settled
}

/** What cannot be read from an empty cell must be there. */
function isRequired(read: TableColumn<never>['read']): boolean {
  try {
    read('')
    return false
  } catch {
    return true
  }
}

/** A rule's words name the field; a table's rows know it by its column. */
function inWords<T extends CatalogueItem>({ columns }: CatalogueSection<T>, problem: string): string {
  const column = columns.find(({ field }) => problem.startsWith(`${field}:`))
  return column ? `${column.name}${problem.slice(column.field.length)}` : problem
}

/** Two rows about the same entry, or two defaults of a kind, contradict each other. */
function refuseTwins<T extends CatalogueItem>(
  section: CatalogueSection<T>,
  after: T,
  before: T | null,
  row: number,
  taken: Map<string, number>,
  defaults: Map<string, number>,
  problems: string[],
): void {
  const key = before?.id ?? section.matchOf(after)
  const twin = taken.get(key)
  if (twin !== undefined) problems.push(`Row ${twin} is about the same entry. Keep one of them`)
  else taken.set(key, row)
  if (!('default' in after && 'kind' in after) || !after.default || problems.length > 0) return
  const other = defaults.get(String(after.kind))
  if (other !== undefined) problems.push(`Default: row ${other} is the default ${after.kind} already`)
  else defaults.set(String(after.kind), row)
}

function outcomeOf<T extends CatalogueItem>(
  section: CatalogueSection<T>,
  row: number,
  values: Record<string, unknown>,
  problems: string[],
  before: T | null,
  after: T | null,
): PlannedRow<T> {
  const named = after ?? before ?? (values as unknown as T)
  const name = section.nameOf(named) ?? ''
  if (problems.length > 0 || !after)
    return { row, name, outcome: 'refused', changes: {}, problems, before: null, after: null }
  const changes: Record<string, [string, string]> = {}
  for (const column of section.columns) {
    const from = before ? column.write(before) : ''
    const to = column.write(after)
    if (from !== to) changes[column.name] = [from, to]
  }
  const same = before && Object.keys(changes).length === 0
  return {
    row,
    name,
    outcome: same ? 'unchanged' : before ? 'changed' : 'made',
    changes,
    problems,
    before,
    after,
  }
}
