import { parse } from 'libpg-query'
import { everywhere, type Kind } from '../../src/platform/citus/distribute.ts'

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a shape for every kind of node there is
type Tree = any

const key = 'installer_id'

/** What a table or column is held to: `{ contype: 'CONSTR_PRIMARY', keys: ['installer_id', 'id'] }`. */
interface Held {
  contype: string
  columns: string[]
  to?: { table: string; columns: string[] }
}

/** How Citus keeps the tables that these migrations make. */
export async function tableKinds(migrations: readonly string[]): Promise<Map<string, Kind>> {
  const kinds = new Map<string, Kind>()
  for (const text of migrations)
    for (const [kind, tree] of await statementsOf(text))
      if (kind === 'CreateStmt' && !tree.partbound) kinds.set(tree.relation.relname, kindOf(tree))
  return kinds
}

function kindOf(table: Tree): Kind {
  if (everywhere.includes(table.relation.relname)) return 'reference'
  const isOfTenant = heldOf(table).some(
    ({ contype, columns }) => contype === 'CONSTR_PRIMARY' && columns.includes(key),
  )
  return isOfTenant ? 'distributed' : 'local'
}

/**
 * What in a migration Citus would refuse where tenants are spread already, or would keep where nobody finds it. `before` is how
 * it keeps the tables that are there.
 */
export async function citusHazards(text: string, before: ReadonlyMap<string, Kind>): Promise<string[]> {
  const kinds = new Map([...before, ...(await tableKinds([text]))])
  return (await statementsOf(text)).flatMap(([kind, tree]) => hazardsOf(kind, tree, kinds))
}

async function statementsOf(text: string): Promise<[string, Tree][]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Tree }[] }
  return stmts.map(({ stmt }) => Object.entries<Tree>(stmt)[0]!)
}

function hazardsOf(kind: string, tree: Tree, kinds: ReadonlyMap<string, Kind>): string[] {
  const table: string = tree.relation?.relname
  switch (kind) {
    case 'CreateStmt':
      return newTable(table, tree, kinds)
    case 'IndexStmt':
      return tree.unique
        ? unique(
            table,
            tree.indexParams.map((one: Tree) => one.IndexElem.name),
            kinds,
          )
        : []
    case 'AlterTableStmt':
      return tree.cmds.flatMap(({ AlterTableCmd: { subtype, def } }: Tree) => {
        if (subtype === 'AT_AddConstraint') return constraint(table, heldBy(def.Constraint), kinds)
        if (subtype === 'AT_AddColumn' && isHeld(def.ColumnDef) && kinds.get(table) !== 'local')
          return [`column ${def.ColumnDef.colname} comes with a constraint: add that by itself, with a name`]
        return []
      })
    case 'CreateTrigStmt':
      return kinds.get(table) === 'reference' ? [`trigger on ${table}, which is on every node`] : []
    case 'DoStmt':
      return ['do: what it does is not looked into, here or by Citus; say it in statements']
    default:
      return []
  }
}

function newTable(table: string, tree: Tree, kinds: ReadonlyMap<string, Kind>): string[] {
  if (tree.partbound) return []
  const columns = (tree.tableElts as Tree[]).map((one) => one.ColumnDef?.colname)
  if (columns.includes(key) && kinds.get(table) === 'local')
    return [`${table} has ${key}, but not in its primary key: it would stay on the coordinator`]
  return heldOf(tree).flatMap((held) =>
    held.contype === 'CONSTR_FOREIGN' && kinds.get(table) !== 'local'
      ? [`${table} points to ${held.to!.table} before it is spread: add the key by alter table`]
      : constraint(table, held, kinds),
  )
}

function constraint(
  table: string,
  { contype, columns, to }: Held,
  kinds: ReadonlyMap<string, Kind>,
): string[] {
  switch (contype) {
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
    case 'CONSTR_EXCLUSION':
      return unique(table, columns, kinds)
    case 'CONSTR_FOREIGN':
      return pointing(table, columns, to!, kinds)
    default:
      return []
  }
}

function unique(table: string, columns: readonly string[], kinds: ReadonlyMap<string, Kind>): string[] {
  return kinds.get(table) === 'distributed' && !columns.includes(key)
    ? [`${table} is to be unique by ${columns}: no node knows the others' rows; ${key} must be part of it`]
    : []
}

function pointing(
  table: string,
  columns: readonly string[],
  to: { table: string; columns: readonly string[] },
  kinds: ReadonlyMap<string, Kind>,
): string[] {
  const way = `${kinds.get(table)} to ${kinds.get(to.table)}`
  switch (way) {
    case 'local to local':
    case 'reference to reference':
    case 'local to reference':
    case 'distributed to reference':
      return []
    case 'distributed to distributed':
      return columns.includes(key) && to.columns[columns.indexOf(key)] === key
        ? []
        : [`${table} points to ${to.table} without ${key}: that may be on another node`]
    default:
      return [`${table} points to ${to.table}, ${way}: that is on another node`]
  }
}

const held = ['CONSTR_PRIMARY', 'CONSTR_UNIQUE', 'CONSTR_FOREIGN', 'CONSTR_CHECK', 'CONSTR_EXCLUSION']

const isHeld = ({ constraints = [] }: Tree): boolean =>
  constraints.some(({ Constraint }: Tree) => held.includes(Constraint.contype))

/** Of the table itself and of its columns. */
function heldOf(table: Tree): Held[] {
  return ((table.tableElts ?? []) as Tree[]).flatMap(({ ColumnDef, Constraint }) => {
    if (Constraint) return [heldBy(Constraint)]
    return (ColumnDef?.constraints ?? []).map((one: Tree) => heldBy(one.Constraint, ColumnDef.colname))
  })
}

function heldBy(constraint: Tree, column?: string): Held {
  const names = (list: Tree[] = []): string[] => list.map((one) => one.String.sval)
  const own = [...names(constraint.keys), ...names(constraint.fk_attrs)]
  return {
    contype: constraint.contype,
    columns: own.length > 0 || column === undefined ? own : [column],
    ...(constraint.pktable && {
      to: { table: constraint.pktable.relname, columns: names(constraint.pk_attrs) },
    }),
  }
}
