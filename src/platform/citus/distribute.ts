import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { root } from '../root.ts'

/** How Citus keeps a table: each tenant's rows on one node, all of it on every node, or on the coordinator alone. */
export type Kind = 'distributed' | 'reference' | 'local'

interface Table {
  name: string
  kind: Kind
  /** Whether Citus keeps it so already. */
  done: boolean
}

/** Looked up before it is known whose they are, and part of what every tenant's statements read. */
export const everywhere: readonly string[] = ['companies', 'api_keys', 'members', 'storage_default']

export async function hasCitus(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
}

// A tenant's rows are those that the installer is part of the key of. What names no installer is about people and the
// server, and stays on the coordinator.
const listTables = `
  select c.relname as name,
    case when c.relname = any($1) then 'reference' when in_key then 'distributed' else 'local' end as kind,
    exists (select from pg_dist_partition p where p.logicalrelid = c.oid) as done
  from pg_class c
  cross join lateral (select
    exists (select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary and a.attname = 'installer_id') as in_key) as key
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

const listForeignKeys = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
    and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))
  order by 1, 2`

/** Whether tenants are spread over the nodes already. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<Table>(listTables, [everywhere])
  return rows.some(({ done }) => done)
}

/** Spreads the tables that a migration has just made, as part of its transaction. */
export async function distributeNew(client: pg.ClientBase, note = (_message: string) => {}): Promise<void> {
  const { rows: tables } = await client.query<Table>(listTables, [everywhere])
  const waiting = tables.filter(({ kind, done }) => !done && kind !== 'local')
  if (waiting.length === 0) return
  note(`spreading ${waiting.length} tables over the nodes`)
  await distributeTables(client, tables, waiting)
}

/** Until the transaction ends: what changes tables and rows of several shards does so one by one. */
export async function beSequential(client: pg.ClientBase): Promise<void> {
  await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
  await client.query('set local citus.enable_unsafe_triggers to on')
}

/** Makes what the migrations made as Citus keeps it, as far as it is not. */
export async function distribute(
  client: pg.ClientBase,
  note: (message: string) => void = () => {},
): Promise<void> {
  await client.query('begin')
  try {
    await beSequential(client)
    const functions = await readFunctions()
    for (const one of functions.filter(({ name }) => name === null)) await client.query(one.text)
    await distributeNew(client, note)
    for (const one of functions) await makeFunction(client, one)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function distributeTables(client: pg.ClientBase, tables: Table[], waiting: Table[]): Promise<void> {
  // They are taken away and put back: a table cannot be distributed while one that it points to is not.
  const { rows: keys } = await client.query(listForeignKeys, [waiting.map(({ name }) => name)])
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint "${name}"`)
  let beside = tables.find(({ kind, done }) => kind === 'distributed' && done)?.name ?? 'none'
  for (const { name } of waiting.filter(({ kind }) => kind === 'reference'))
    await client.query('select create_reference_table($1::text::regclass)', [name])
  for (const { name } of waiting.filter(({ kind }) => kind === 'distributed')) {
    await client.query(
      `select create_distributed_table($1::text::regclass, 'installer_id', colocate_with => $2)`,
      [name, beside],
    )
    if (beside === 'none') beside = name
  }
  await emptyCopies(client, waiting)
  const kindOf = new Map(tables.map(({ name, kind }) => [name, kind]))
  for (const { table, name, definition } of keys) {
    const to = /REFERENCES "?(\w+)/.exec(definition)![1]!
    // To an account on the coordinator nothing on another node can point.
    if (kindOf.get(to) === 'local' && kindOf.get(table) !== 'local') continue
    await client.query(`alter table ${table} add constraint "${name}" ${definition}`)
  }
}

// Citus has one of its own, which stays.
const listTruncateTriggers = `
  select tgrelid::regclass::text as table, tgname as name from pg_trigger
  where tgrelid = any($1::regclass[]) and not tgisinternal and tgtype::int & 32 <> 0`

/**
 * What was copied to the nodes goes from where it was: the disk would be full of it, and what is erased later would stay there.
 * Some tables are not to be emptied; their triggers are put off here alone, not on the nodes. No key points anywhere meanwhile.
 */
async function emptyCopies(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => name)
  const { rows: triggers } = await client.query(listTruncateTriggers, [names])
  const set = async (how: 'disable' | 'enable') => {
    await client.query('set local citus.enable_ddl_propagation to off')
    for (const { table, name } of triggers)
      await client.query(`alter table ${table} ${how} trigger "${name}"`)
    await client.query('set local citus.enable_ddl_propagation to on')
  }
  await set('disable')
  for (const name of names)
    await client.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [name])
  await set('enable')
}

interface Part {
  text: string
  /** Null where it is no function. */
  name: string | null
}

/** What stands in functions.sql, one by one. */
async function readFunctions(): Promise<Part[]> {
  const all = await readFile(join(root, 'src/platform/citus/functions.sql'), 'utf8')
  return all
    .split(/^(?=create )/m)
    .slice(1)
    .map((text) => ({ text, name: /^create or replace function (\w+)/.exec(text)?.[1] ?? null }))
}

/** Done by the node that holds the tenant who is its first argument. */
const delegated: Readonly<Record<string, string>> = {
  run_here: 'installer',
  run_for_all_here: 'tenant',
}

async function makeFunction(client: pg.ClientBase, { text, name }: Part): Promise<void> {
  if (name === null) return
  const body = /\$\$([\s\S]*)\$\$/.exec(text)![1]
  const find = `select p.prosrc = $2 as same, p.oid::regprocedure::text as signature,
      exists (select from pg_dist_object o where o.objid = p.oid and o.classid = 'pg_proc'::regclass) as known,
      exists (select from pg_dist_object o where o.objid = p.oid and o.classid = 'pg_proc'::regclass
        and o.distribution_argument_index is not null) as delegated
    from pg_proc p where p.proname = $1 and p.pronamespace = current_schema()::regnamespace`
  const { rows: before } = await client.query(find, [name, body])
  if (!before[0]?.same) await client.query(text)
  const { rows } = await client.query(find, [name, body])
  const { signature, known, delegated: isDelegated } = rows[0]!
  const argument = delegated[name]
  if (argument && !isDelegated)
    await client.query(
      `select create_distributed_function($1, $2, colocate_with => 'tenant_clocks', force_delegation => true)`,
      [signature, argument],
    )
  else if (!argument && !known) await client.query('select create_distributed_function($1)', [signature])
}
