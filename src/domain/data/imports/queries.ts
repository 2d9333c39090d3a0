import type { Db } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import { boolean, instant, integer, json, row, select, text, texts } from '../../../platform/sql/row.ts'
import { type Params, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../../platform/sql/statements.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Mapping } from './guess-mapping.ts'
import { type Import, type ImportState, maxProblems, type Problem } from './import.ts'

type ImportRow = Omit<Import, 'mapping'> & { mapping: string[] }

const importRow = row<ImportRow>({
  installerId: text,
  id: text,
  companyId: text,
  companyKind: text,
  name: text,
  bytes: integer,
  storeKey: text,
  encoding: text,
  delimiter: text,
  header: texts,
  samples: json,
  mapping: texts,
  columnForms: texts,
  contentHash: text,
  state: text,
  failure: text,
  rowsTotal: integer,
  rowReached: integer,
  rowsDone: integer,
  made: integer,
  updated: integer,
  unchanged: integer,
  refused: integer,
  problems: integer,
  preview: json,
  undone: integer,
  undoneChanged: integer,
  actorKind: text,
  actorId: text,
  actorName: text,
  createdAt: instant,
  endedAt: instant,
})

const mappingFrom = (fields: readonly string[]) => fields.map((field) => field || null) as Mapping
const mappingText = (mapping: Mapping) => mapping.map((field) => field ?? '')
const importFrom = (found: ImportRow): Import => ({ ...found, mapping: mappingFrom(found.mapping) })

/** Whose imports they are: a company sees its own alone. */
type Of = Pick<Actor, 'installerId' | 'companyId'>
type ImportId = Pick<Import, 'installerId' | 'id'>

const importsOf = ($: Params<Of>) =>
  sql`select ${select(importRow, 'i', { companyKind: sql`c.kind` })}
    from imports i join companies c on c.installer_id = i.installer_id and c.id = i.company_id
    where i.installer_id = ${$.installerId} and i.company_id = ${$.companyId}`
const isIt = ($: Params<ImportId>) => sql`installer_id = ${$.installerId} and id = ${$.id}`

export type NewImport = Pick<
  Import,
  | 'id'
  | 'name'
  | 'bytes'
  | 'encoding'
  | 'delimiter'
  | 'header'
  | 'samples'
  | 'mapping'
  | 'rowsTotal'
  | 'contentHash'
  | 'columnForms'
> & { storeKey: string; storedBytes: number; headerHash: string }

type Written = Omit<NewImport, 'samples' | 'mapping'> &
  Of & {
    samples: string
    mapping: string[]
    actorKind: string
    actorId: string | null
    actorName: string
    now: Date
  }

const insertRow = run(
  ($: Params<Written>) => sql`
    insert into imports (installer_id, id, company_id, name, bytes, store_key, encoding, delimiter, header, header_hash,
      samples, mapping, state, rows_total, actor_kind, actor_id, actor_name, created_at, stored_bytes,
      content_hash, column_forms)
    values (${$.installerId}, ${$.id}, ${$.companyId}, ${$.name}, ${$.bytes}, ${$.storeKey}, ${$.encoding},
      ${$.delimiter}, ${$.header}, ${$.headerHash}, ${$.samples}, ${$.mapping}, 'mapping', ${$.rowsTotal},
      ${$.actorKind}, ${$.actorId}, ${$.actorName}, ${$.now}, ${$.storedBytes}, ${$.contentHash},
      ${$.columnForms})`,
)

const actorOf = ({ kind, id, name }: Actor) => ({
  actorKind: kind === 'member' ? 'member' : 'job',
  actorId: id,
  actorName: name,
})

export async function insertImport(db: Db, actor: Actor, now: Date, made: NewImport): Promise<void> {
  const { installerId, companyId } = actor
  await insertRow(db, {
    ...made,
    ...actorOf(actor),
    installerId,
    companyId,
    samples: JSON.stringify(made.samples),
    mapping: mappingText(made.mapping),
    now,
  })
}

const importById = maybeOne(
  importRow,
  ($: Params<Of & { id: string; lock: boolean }>) => sql`
    ${importsOf($)} and i.id = ${$.id} ${when($.lock, sql`for update of i`)}`,
)

async function find(
  db: Db,
  { installerId, companyId }: Of,
  id: string,
  lock: boolean,
): Promise<Import | null> {
  if (!isId(id, 'imp')) return null
  const found = await importById(db, { installerId, companyId, id, lock })
  return found && importFrom(found)
}

export const findImport = (db: Db, of: Of, id: string) => find(db, of, id, false)
/** Whoever changes it holds it until their transaction ends. */
export const lockImport = (tx: Db, of: Of, id: string) => find(tx, of, id, true)

const importsBefore = many(
  importRow,
  ($: Params<Of & { before: string; limit: number }>) => sql`
    ${importsOf($)} and i.id < ${$.before} order by i.id desc limit ${$.limit}`,
)

/** Newest first. */
export async function listImports(db: Db, of: Of, before: string, limit: number): Promise<Import[]> {
  const { installerId, companyId } = of
  return (await importsBefore(db, { installerId, companyId, before, limit })).map(importFrom)
}

const lastMapping = maybeOne(
  row<{ mapping: string[] }>({ mapping: texts }),
  ($: Params<Of & { headerHash: string }>) => sql`
    select mapping from imports
    where installer_id = ${$.installerId} and company_id = ${$.companyId} and header_hash = ${$.headerHash}
      and state <> 'mapping'
    order by id desc limit 1`,
)

/** How the company last read a file of this header. */
export async function findLastMapping(db: Db, of: Of, headerHash: string): Promise<Mapping | null> {
  const { installerId, companyId } = of
  const last = await lastMapping(db, { installerId, companyId, headerHash })
  return last && mappingFrom(last.mapping)
}

const lastOfSame = maybeOne(
  importRow,
  ($: Params<Pick<Import, 'installerId' | 'companyId' | 'id' | 'contentHash'>>) => sql`
    ${importsOf($)} and i.content_hash = ${$.contentHash} and i.id <> ${$.id}
      and (i.state = 'running' or (i.state in ('stopped', 'done') and i.made + i.updated > 0))
    order by i.id desc limit 1`,
)

/** The last import of the same table that does or did something and was not undone. */
export async function findSame(db: Db, one: Import): Promise<Import | null> {
  if (one.contentHash === null) return null
  const same = await lastOfSame(db, one)
  return same && importFrom(same)
}

interface Move {
  failure?: string
  endedAt?: Date
  /** The file is needed no more. */
  letGo?: boolean
}

const updateState = run(
  ($: Params<ImportId & Move & { state: ImportState }>) => sql`${when(
    $.letGo,
    sql`with let_go as (
      select company_id, stored_bytes from imports where ${isIt($)} and store_key is not null
    ), freed as (
      update storage_usage s set bytes = greatest(0, s.bytes - g.stored_bytes) from let_go g
      where s.installer_id = ${$.installerId} and s.company_id = g.company_id
    )`,
  )}
    update imports set state = ${$.state}, failure = ${$.failure},
      ended_at = ${$.endedAt} ${when($.letGo, sql`, store_key = null`)}
    where ${isIt($)}`,
)

export function moveImport(
  tx: Db,
  { installerId, id }: ImportId,
  state: ImportState,
  move: Move = {},
): Promise<void> {
  return updateState(tx, { ...move, installerId, id, state })
}

/** Puts it back to the file's first row. */
export const forgetProgress = run(
  ($: Params<ImportId>) => sql`with problems_removed as (
      delete from import_problems where installer_id = ${$.installerId} and import_id = ${$.id}
    )
    update imports set row_reached = 1, rows_done = 0, made = 0, updated = 0, unchanged = 0, refused = 0, problems = 0
    where ${isIt($)}`,
)

const updateMapping = run(
  (
    $: Params<ImportId & { mapping: string[]; actorKind: string; actorId: string | null; actorName: string }>,
  ) => sql`
    update imports set mapping = ${$.mapping}, preview = '[]', actor_kind = ${$.actorKind}, actor_id = ${$.actorId},
      actor_name = ${$.actorName}
    where ${isIt($)}`,
)

/** From now on it is read so, and done in the actor's name. */
export async function saveMapping(tx: Db, actor: Actor, id: string, mapping: Mapping): Promise<void> {
  const { installerId } = actor
  await updateMapping(tx, { ...actorOf(actor), installerId, id, mapping: mappingText(mapping) })
}

export interface Advance {
  rowReached: number
  rows: number
  counts: Pick<Import, 'made' | 'updated' | 'unchanged' | 'refused'>
  problems: readonly Problem[]
  /** How many problems were known before. */
  problemsBefore: number
  preview: Import['preview'] | null
}

type Progress = Omit<Advance, 'counts' | 'problems' | 'problemsBefore' | 'preview'> &
  Advance['counts'] & { problems: number; preview: string | null }

const updateProgress = run(
  ($: Params<ImportId & Progress>) => sql`
    update imports set row_reached = ${$.rowReached}, rows_done = rows_done + ${$.rows}, made = made + ${$.made},
      updated = updated + ${$.updated}, unchanged = unchanged + ${$.unchanged}, refused = refused + ${$.refused},
      problems = problems + ${$.problems}
      ${when($.preview, sql`, preview = ${$.preview}`)}
    where ${isIt($)}`,
)

const insertProblems = run(
  ($: Params<ImportId & { problems: string }>) => sql`
    insert into import_problems (installer_id, import_id, row, ordinal, column_name, message, refused)
    select ${$.installerId}, ${$.id}, p.row, p.ordinal, p.column_name, p.message, p.refused
    from json_to_recordset(${$.problems})
      as p(row integer, ordinal smallint, column_name text, message text, refused boolean)`,
)

/** How far it is, with what was wrong on the way; in the transaction that did it. */
export async function advanceImport(tx: Db, { installerId, id }: ImportId, advance: Advance): Promise<void> {
  const { rowReached, rows, counts, problems, problemsBefore, preview } = advance
  await updateProgress(tx, {
    ...counts,
    installerId,
    id,
    rowReached,
    rows,
    problems: problems.length,
    preview: preview && JSON.stringify(preview),
  })
  const kept = problems.slice(0, Math.max(0, maxProblems - problemsBefore))
  if (kept.length === 0) return
  const written = kept.map(({ row, column, message, refused }, i) => ({
    row,
    ordinal: i - kept.findIndex((other) => other.row === row),
    column_name: column,
    message,
    refused,
  }))
  await insertProblems(tx, { installerId, id, problems: JSON.stringify(written) })
}

export type StoredProblem = Problem & { ordinal: number }

const storedProblem = row<StoredProblem>({
  row: integer,
  ordinal: integer,
  column: text,
  message: text,
  refused: boolean,
})

/** Those after a place, as the file has them. */
export const listProblems = many(
  storedProblem,
  ($: Params<ImportId & { row: number; ordinal: number; limit: number }>) => sql`
    select ${select(storedProblem, '', { column: sql`column_name` })} from import_problems
    where installer_id = ${$.installerId} and import_id = ${$.id} and (row, ordinal) > (${$.row}, ${$.ordinal})
    order by row, ordinal limit ${$.limit}`,
)
