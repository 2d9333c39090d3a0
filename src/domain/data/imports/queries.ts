import type { Db, Statement } from '../../../platform/db.ts'
import { isId } from '../../../platform/ids.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Mapping } from './guess-mapping.ts'
import { type Import, type ImportState, mostProblems, type Problem } from './import.ts'

const columns = `i.installer_id as "installerId", i.id, i.company_id as "companyId", c.kind as "companyKind", i.name, i.bytes,
  i.store_key as "storeKey", i.encoding, i.delimiter, i.header, i.samples, i.mapping,
  i.column_forms as "columnForms", i.content_hash as "contentHash", i.state, i.failure,
  i.rows_total as "rowsTotal", i.row_reached as "rowReached", i.rows_done as "rowsDone", i.made, i.updated, i.unchanged,
  i.refused, i.problems, i.preview, i.undone, i.undone_changed as "undoneChanged", i.actor_kind as "actorKind",
  i.actor_id as "actorId", i.actor_name as "actorName", i.created_at as "createdAt", i.ended_at as "endedAt"`
const source = 'imports i join companies c on c.id = i.company_id'

type ImportRow = Omit<Import, 'mapping'> & { mapping: string[] }
const importFrom = (row: ImportRow): Import => ({
  ...row,
  mapping: row.mapping.map((field) => field || null) as Mapping,
})
const mappingText = (mapping: Mapping) => mapping.map((field) => field ?? '')

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

const insertStatement: Statement = {
  name: 'insert-import',
  text: `insert into imports (installer_id, id, company_id, name, bytes, store_key, encoding, delimiter, header, header_hash,
      samples, mapping, state, rows_total, actor_kind, actor_id, actor_name, claimed_until, created_at, stored_bytes, content_hash,
      column_forms)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'mapping', $13, $14, $15, $16, $17, $17, $18, $19, $20)`,
}

export async function insertImport(db: Db, actor: Actor, now: Date, made: NewImport): Promise<void> {
  await db.query(insertStatement, [
    actor.installerId,
    made.id,
    actor.companyId,
    made.name,
    made.bytes,
    made.storeKey,
    made.encoding,
    made.delimiter,
    made.header,
    made.headerHash,
    JSON.stringify(made.samples),
    mappingText(made.mapping),
    made.rowsTotal,
    actor.kind === 'member' ? 'member' : 'job',
    actor.id,
    actor.name,
    now.toISOString(),
    made.storedBytes,
    made.contentHash,
    made.columnForms,
  ])
}

const findStatement: Statement = {
  name: 'find-import',
  text: `select ${columns} from ${source} where i.installer_id = $1 and i.company_id = $2 and i.id = $3`,
}
const lockStatement: Statement = {
  name: 'lock-import',
  text: `select ${columns} from ${source} where i.installer_id = $1 and i.company_id = $2 and i.id = $3 for update of i`,
}

async function find(db: Db, statement: Statement, of: Of, id: string): Promise<Import | null> {
  if (!isId(id, 'imp')) return null
  const [row] = await db.query<ImportRow>(statement, [of.installerId, of.companyId, id])
  return row ? importFrom(row) : null
}

/** Whose imports they are: a company sees its own alone. */
type Of = Pick<Actor, 'installerId' | 'companyId'>

export const findImport = (db: Db, of: Of, id: string) => find(db, findStatement, of, id)
/** Whoever changes it holds it until their transaction ends. */
export const lockImport = (tx: Db, of: Of, id: string) => find(tx, lockStatement, of, id)

const listStatement: Statement = {
  name: 'list-imports',
  text: `select ${columns} from ${source}
    where i.installer_id = $1 and i.company_id = $2 and i.id < $3 order by i.id desc limit $4`,
}

/** Newest first. */
export async function listImports(db: Db, of: Of, before: string, limit: number): Promise<Import[]> {
  const rows = await db.query<ImportRow>(listStatement, [of.installerId, of.companyId, before, limit])
  return rows.map(importFrom)
}

const lastMappingStatement: Statement = {
  name: 'last-import-mapping',
  text: `select mapping from imports where installer_id = $1 and company_id = $2 and header_hash = $3 and state <> 'mapping'
    order by id desc limit 1`,
}

/** How the company last read a file of this header. */
export async function findLastMapping(db: Db, of: Of, headerHash: string): Promise<Mapping | null> {
  const [row] = await db.query<{ mapping: string[] }>(lastMappingStatement, [
    of.installerId,
    of.companyId,
    headerHash,
  ])
  return row ? (row.mapping.map((field) => field || null) as Mapping) : null
}

const sameStatement: Statement = {
  name: 'imports-of-same-table',
  text: `select ${columns} from ${source}
    where i.installer_id = $1 and i.company_id = $2 and i.content_hash = $3 and i.id <> $4
      and (i.state = 'running' or (i.state in ('stopped', 'done') and i.made + i.updated > 0))
    order by i.id desc limit 1`,
}

/** The last import of the same table that does or did something and was not undone. */
export async function findSame(
  db: Db,
  { installerId, companyId, contentHash, id }: Import,
): Promise<Import | null> {
  if (contentHash === null) return null
  const [row] = await db.query<ImportRow>(sameStatement, [installerId, companyId, contentHash, id])
  return row ? importFrom(row) : null
}

const moveStatement: Statement = {
  name: 'move-import',
  text: `with let_go as (
      select company_id, stored_bytes from imports where installer_id = $1 and id = $2 and store_key is not null and $7
    ), freed as (
      update storage_usage s set bytes = greatest(0, s.bytes - g.stored_bytes) from let_go g
      where s.installer_id = $1 and s.company_id = g.company_id
    )
    update imports set state = $3, claimed_until = $4, failure = $5, ended_at = $6,
      store_key = case when $7 then null else store_key end
    where installer_id = $1 and id = $2`,
}

export interface Move {
  claimedUntil: Date
  failure?: string
  endedAt?: Date
  /** The file is needed no more. */
  letGo?: boolean
}

export async function moveImport(
  tx: Db,
  { installerId, id }: Pick<Import, 'installerId' | 'id'>,
  state: ImportState,
  { claimedUntil, failure, endedAt, letGo }: Move,
): Promise<void> {
  await tx.query(moveStatement, [
    installerId,
    id,
    state,
    claimedUntil.toISOString(),
    failure ?? null,
    endedAt?.toISOString() ?? null,
    letGo ?? false,
  ])
}

const forgetStatement: Statement = {
  name: 'forget-import-progress',
  text: `with problems_removed as (delete from import_problems where installer_id = $1 and import_id = $2)
    update imports set row_reached = 1, rows_done = 0, made = 0, updated = 0, unchanged = 0, refused = 0, problems = 0
    where installer_id = $1 and id = $2`,
}

/** Puts it back to the file's first row. */
export async function forgetProgress(
  tx: Db,
  { installerId, id }: Pick<Import, 'installerId' | 'id'>,
): Promise<void> {
  await tx.query(forgetStatement, [installerId, id])
}

const mapStatement: Statement = {
  name: 'map-import',
  text: `update imports set mapping = $3, preview = '[]', actor_kind = $4, actor_id = $5, actor_name = $6
    where installer_id = $1 and id = $2`,
}

/** From now on it is read so, and done in the actor's name. */
export async function saveMapping(tx: Db, actor: Actor, id: string, mapping: Mapping): Promise<void> {
  const kind = actor.kind === 'member' ? 'member' : 'job'
  await tx.query(mapStatement, [actor.installerId, id, mappingText(mapping), kind, actor.id, actor.name])
}

const progressStatement: Statement = {
  name: 'advance-import',
  text: `update imports set row_reached = $3, rows_done = rows_done + $4, made = made + $5, updated = updated + $6,
      unchanged = unchanged + $7, refused = refused + $8, problems = problems + $9, claimed_until = $10,
      preview = case when $11::jsonb is null then preview else $11::jsonb end
    where installer_id = $1 and id = $2`,
}

export interface Advance {
  rowReached: number
  rows: number
  counts: Pick<Import, 'made' | 'updated' | 'unchanged' | 'refused'>
  problems: readonly Problem[]
  /** How many problems were known before. */
  problemsBefore: number
  claimedUntil: Date
  preview: Import['preview'] | null
}

const insertProblemsStatement: Statement = {
  name: 'insert-import-problems',
  text: `insert into import_problems (installer_id, import_id, row, ordinal, column_name, message, refused)
    select $1, $2, p.row, p.ordinal, p.column_name, p.message, p.refused
    from json_to_recordset($3) as p(row integer, ordinal smallint, column_name text, message text, refused boolean)`,
}

/** How far it is, with what was wrong on the way; in the transaction that did it. */
export async function advanceImport(
  tx: Db,
  { installerId, id }: Pick<Import, 'installerId' | 'id'>,
  { rowReached, rows, counts, problems, problemsBefore, claimedUntil, preview }: Advance,
): Promise<void> {
  await tx.query(progressStatement, [
    installerId,
    id,
    rowReached,
    rows,
    counts.made,
    counts.updated,
    counts.unchanged,
    counts.refused,
    problems.length,
    claimedUntil.toISOString(),
    preview && JSON.stringify(preview),
  ])
  const kept = problems.slice(0, Math.max(0, mostProblems - problemsBefore))
  if (kept.length === 0) return
  const rowsOf = kept.map(({ row, column, message, refused }, i) => ({
    row,
    ordinal: i - kept.findIndex((other) => other.row === row),
    column_name: column,
    message,
    refused,
  }))
  await tx.query(insertProblemsStatement, [installerId, id, JSON.stringify(rowsOf)])
}

const problemsStatement: Statement = {
  name: 'list-import-problems',
  text: `select row, ordinal, column_name as "column", message, refused from import_problems
    where installer_id = $1 and import_id = $2 and (row, ordinal) > ($3, $4) order by row, ordinal limit $5`,
}

export type StoredProblem = Problem & { ordinal: number }

export function listProblems(
  db: Db,
  { installerId, id }: Pick<Import, 'installerId' | 'id'>,
  after: { row: number; ordinal: number },
  limit: number,
): Promise<StoredProblem[]> {
  return db.query<StoredProblem>(problemsStatement, [installerId, id, after.row, after.ordinal, limit])
}
