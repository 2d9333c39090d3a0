import { parse } from 'libpg-query'
import type pg from 'pg'
import { everywhere, type Kind } from '../../src/platform/citus/distribute.ts'
import { asOneAnswer, markTables } from '../../src/platform/citus/shard-text.ts'
import type { Column } from '../../src/platform/sql/row.ts'

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a shape for every kind of node there is
type Tree = any

/** How each table is kept where tenants live on several nodes. */
export async function findKinds(client: pg.Client): Promise<Map<string, Kind>> {
  const { rows } = await client.query<{ name: string; inKey: boolean }>(`
    select c.relname as name, exists (
      select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid and i.indisprimary and a.attname = 'installer_id') as "inKey"
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`)
  const kindOf = ({ name, inKey }: { name: string; inKey: boolean }): Kind =>
    everywhere.includes(name) ? 'reference' : inKey ? 'distributed' : 'local'
  return new Map(rows.map((row) => [row.name, kindOf(row)]))
}

/** Why a statement could not be run by the node that holds its tenants; nothing where it is of no tenant's own tables. */
export async function placementFaults(
  text: string,
  columns: Readonly<Record<string, Column>>,
  kinds: ReadonlyMap<string, Kind>,
): Promise<string[]> {
  const tree: Tree = await parse(text)
  // Citus has each node gather its own.
  if (tree.stmts[0].stmt.VacuumStmt) return []
  const { all, written } = tablesIn(tree, kinds)
  const is = (name: string, kind: Kind) => kinds.get(name) === kind
  if (!all.some((name) => is(name, 'distributed'))) return []
  const faults = [
    ...all
      .filter((name) => is(name, 'local'))
      .map((name) => `reads ${name}, which is on the coordinator alone`),
    ...written
      .filter((name) => is(name, 'reference'))
      .map((name) => `writes ${name}, which is on every node`),
  ]
  const marked = markTables(text)
  const found = [...marked.matchAll(/@(\w+)@/g)].map((match) => match[1]!)
  if (found.toSorted().join() !== all.toSorted().join()) faults.push(`marks ${found} of ${all}`)
  await parse(asOneAnswer(marked.replace(/@(\w+)@/g, '$1_102008'), columns)).catch((error: Error) =>
    faults.push(`is not understood as one answer: ${error.message}`),
  )
  return faults
}

/** Each table as often as it stands there, but for names of the statement's own. */
function tablesIn(tree: Tree, kinds: ReadonlyMap<string, Kind>): { all: string[]; written: string[] } {
  const [names, queries, written]: [string[], Set<string>, string[]] = [[], new Set(), []]
  const walk = (node: Tree, key = ''): void => {
    if (!node || typeof node !== 'object') return
    if (node.relname !== undefined && (key === 'RangeVar' || key === 'relation')) names.push(node.relname)
    if (node.ctename !== undefined) queries.add(node.ctename)
    if (['InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(key)) written.push(node.relation.relname)
    for (const [name, value] of Object.entries(node)) walk(value, name)
  }
  walk(tree)
  return { all: names.filter((name) => kinds.has(name) && !queries.has(name)), written }
}
