import { parse } from 'libpg-query'

// biome-ignore lint/suspicious/noExplicitAny: the parser's tree has a shape for every kind of node there is
type Tree = any

/** Takes away what the version before needed, once that version is gone. */
const contract = /^-- contract: (.+)$/m

/**
 * What in a migration would break the version that still runs beside it, or keep its calls waiting: while hosts are
 * replaced one by one, both work on the new schema. So a migration adds (expand); what nobody uses any more goes in a
 * later one that says since when (contract).
 */
export async function migrationHazards(text: string): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Tree }[] }
  const isContract = contract.test(text)
  const made = new Set<string>()
  const hazards: string[] = []
  const isBeside = ({ stmt: { IndexStmt, DropStmt } }: { stmt: Tree }) =>
    Boolean(IndexStmt?.concurrent || DropStmt?.concurrent)
  if (stmts.some(isBeside) && !stmts.every(isBeside))
    hazards.push(
      'indexes are made concurrently in no transaction: let them stand in a migration of their own',
    )
  for (const { stmt } of stmts) {
    const [[kind, tree]] = Object.entries<Tree>(stmt) as [[string, Tree]]
    if (kind === 'CreateStmt') made.add(tree.relation.relname)
    const found = hazardOf(kind, tree, made)
    if (found.length > 0 && !(isContract && found.every(({ removes }) => removes)))
      hazards.push(...found.map(({ why }) => why))
  }
  return hazards
}

interface Hazard {
  why: string
  /** Allowed where the file says since when nobody uses it. */
  removes: boolean
}

const adds = (why: string): Hazard => ({ why, removes: false })
const removes = (why: string): Hazard => ({
  why: `${why}: the version before still uses it; say "-- contract: unused since …" in a later migration`,
  removes: true,
})

function hazardOf(kind: string, tree: Tree, made: ReadonlySet<string>): Hazard[] {
  const isNew = (relation: Tree) => made.has(relation.relname)
  switch (kind) {
    case 'DropStmt':
      if (tree.concurrent && !tree.missing_ok) return [adds('begun again, it is not there: say "if exists"')]
      return [removes(`drops ${tree.removeType.replace('OBJECT_', '').toLowerCase()}`)]
    case 'RenameStmt':
      return tree.relation && isNew(tree.relation)
        ? []
        : [adds(`renames ${tree.newname}: add the new name, and let the old one go later`)]
    case 'AlterTableStmt':
      return isNew(tree.relation)
        ? []
        : tree.cmds.flatMap(({ AlterTableCmd }: Tree) => alterHazard(AlterTableCmd))
    case 'IndexStmt':
      if (tree.concurrent && !tree.if_not_exists)
        return [adds(`index on ${tree.relation.relname}: begun again, it is there: say "if not exists"`)]
      return isNew(tree.relation) || tree.concurrent
        ? []
        : [adds(`index on ${tree.relation.relname}: writes wait until it is made; make it concurrently`)]
    case 'UpdateStmt':
    case 'DeleteStmt':
      return isNew(tree.relation)
        ? []
        : [
            adds(
              `changes rows of ${tree.relation.relname}: in one transaction all its writers wait; do it by a job`,
            ),
          ]
    case 'TruncateStmt':
    case 'LockStmt':
    case 'VacuumStmt':
      return [adds(`${kind.replace('Stmt', '').toLowerCase()} holds up everybody`)]
    default:
      return []
  }
}

function alterHazard({ subtype, name, def }: Tree): Hazard[] {
  switch (subtype) {
    case 'AT_AddColumn': {
      const constraints: Tree[] = (def.ColumnDef.constraints ?? []).map((one: Tree) => one.Constraint)
      const has = (type: string) => constraints.some(({ contype }) => contype === type)
      const column = def.ColumnDef.colname
      const given = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr
      if (has('CONSTR_NOTNULL') && !given)
        return [
          adds(
            `column ${column} must not be null: the version before writes rows without it; give it a default`,
          ),
        ]
      if (given && calls(given))
        return [
          adds(
            `column ${column} has a default that is computed for each row: the table would be written anew`,
          ),
        ]
      if (has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY'))
        return [adds(`column ${column} is unique: writes wait until its index is made`)]
      if (has('CONSTR_GENERATED'))
        return [adds(`column ${column} is generated: the table would be written anew`)]
      return []
    }
    case 'AT_DropColumn':
    case 'AT_DropConstraint':
      return [removes(`drops ${name}`)]
    case 'AT_AlterColumnType':
      return [adds(`changes the type of ${name}: add a column of the new type`)]
    case 'AT_SetNotNull':
      return [
        adds(
          `${name} must not be null: the version before may write it so; check it by a constraint that is not valid yet`,
        ),
      ]
    case 'AT_AddConstraint':
      return def.Constraint.skip_validation
        ? []
        : [
            adds(
              `constraint ${def.Constraint.conname ?? ''} is checked at once: add it not valid, and validate it later`,
            ),
          ]
    default:
      return []
  }
}

/** Whether an expression calls something, other than a cast of a constant. */
function calls(tree: Tree): boolean {
  if (tree === null || typeof tree !== 'object') return false
  if (tree.FuncCall || tree.SQLValueFunction) return true
  return Object.values(tree).some(calls)
}
