import type pg from 'pg'
import { readMigrations } from '../migrate.ts'
import { quoted, rowsOf } from './session.ts'

export interface Table {
  name: string
  /** Those that are written; generated ones are worked out again. */
  columns: string[]
  parent: string | null
  bounds: string | null
}

/** Not backed up: what is known without them, and what waits on a tenant's node, which is asked for again. */
const apart = ['migrations', 'job_requests']

/** Tables that migrations make; partitions come on top of them. */
async function ownTables(): Promise<Set<string>> {
  const names = new Set(apart)
  for (const { text } of await readMigrations()) {
    for (const [, name] of text.matchAll(/^\s*create table (?:if not exists )?(\w+)/gim)) names.add(name!)
    for (const [, name] of text.matchAll(/^\s*alter table \w+ rename to (\w+)/gim)) names.add(name!)
  }
  return names
}

interface TableRow extends Table {
  partitioned: boolean
}

const tablesText = `
  select c.relname as name, c.relkind = 'p' as partitioned, p.relname as parent,
    pg_get_expr(c.relpartbound, c.oid) as bounds,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attname) as columns
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`

/** The tables of ours that hold rows, and the names of all; what else lives in the schema is apart. */
export async function readTables(client: pg.Client) {
  const own = await ownTables()
  const rows = await rowsOf<TableRow>(client, tablesText)
  const ours = rows.filter(({ name, parent }) => own.has(parent ?? name))
  return {
    all: ours.map(({ name }) => name),
    foreign: rows.filter((row) => !ours.includes(row)).map(({ name }) => name),
    holding: ours
      .filter(({ name, partitioned }) => !partitioned && !apart.includes(name))
      .map(({ name, columns, parent, bounds }): Table => ({ name, columns, parent, bounds })),
  }
}

export async function readSequences(client: pg.Client) {
  const names = await rowsOf<{ name: string }>(
    client,
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') order by 1`,
  )
  const found = []
  for (const { name } of names) {
    const [row] = await rowsOf<{ lastValue: string; isCalled: boolean }>(
      client,
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(name)}`,
    )
    found.push({ name, ...row! })
  }
  return found
}

/** Takes away every table, sequence and function of ours; what extensions brought stays. */
export async function dropOwn(client: pg.Client, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await client.query(`drop table ${tables.map(quoted).join(', ')}`)
  const rest = await rowsOf<{ text: string }>(
    client,
    `select 'drop sequence ' || c.oid::regclass as text from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'e', 'i'))
     union all
     select 'drop function ' || p.oid::regprocedure from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
         and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { text } of rest) await client.query(text)
}

/**
 * Takes foreign keys and plain indexes away and answers how to make them again: rows then go in by any order, and
 * an index that is made of all rows at once takes a fraction of the time.
 */
export async function setAsideKeys(client: pg.Client): Promise<string[]> {
  const keys = await rowsOf<{ table: string; name: string; definition: string }>(
    client,
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  const indexes = await rowsOf<{ name: string; definition: string }>(
    client,
    `select c.oid::regclass::text as name, pg_get_indexdef(c.oid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and not c.relispartition and not i.indisunique
       and t.relkind in ('r', 'p')
       and not exists (select from pg_constraint k where k.conindid = c.oid)`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return [
    // Of a partitioned table the definition speaks of itself only; made again it is for all partitions.
    ...indexes.map(({ definition }) => definition.replace(/ ON ONLY /, ' ON ')),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ]
}

/** Makes a partition as the server does: beside, then attached. */
export async function createPartition(client: pg.Client, { name, parent, bounds }: Table): Promise<void> {
  await client.query(`create table ${quoted(name)} (like ${quoted(parent!)} including all)`)
  await client.query(`alter table ${quoted(parent!)} attach partition ${quoted(name)} ${bounds}`)
}
