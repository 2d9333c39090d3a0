import { DatabaseUnavailable, isUnavailable } from '../database-errors.ts'
import { type Db, type PooledDatabase, type Statement, writeLockTimeoutMs } from '../db.ts'
import { statementName } from '../statement-name.ts'
import { readAnswer } from './answer.ts'
import { asOfOneServer, hasMoved } from './errors.ts'
import { somebody } from './job-requests.ts'
import { createNodes, type Node } from './nodes.ts'
import { asOneAnswer, markTables } from './shard-text.ts'
import { createTables } from './tables.ts'
import { asText } from './values.ts'
import { watchNodes } from './watch-nodes.ts'

/**
 * Where tenants live on several nodes no plan may be kept for whatever values come, as the values say which node is asked.
 * A node that is lost is given up sooner than a call is.
 */
export const citusSettings = { plan_cache_mode: 'auto', 'citus.node_connection_timeout': '2000' }

const mostTries = 5

/**
 * A database whose tenants live on several nodes. What belongs to one tenant is handed to the node that holds it and done
 * there as on plain PostgreSQL: Citus would plan it anew each time, which takes ten times as long as doing it. What is of
 * all tenants is asked of each node; one that is lost is left out.
 */
export function citusDatabase(
  db: PooledDatabase,
  /** A tenant has asked for something to be done later, or somebody has. */
  onAsked: (installerId: string) => void,
  note: (message: string) => void,
): PooledDatabase {
  const nodes = createNodes(db)
  const tables = createTables()
  const watch = watchNodes(nodes.isThere, (group, isAway) => {
    // Where tenants live is looked up anew: some may have been moved away from it before.
    nodes.forget()
    note(
      isAway
        ? `the node of group ${group} does not answer: its installers are told to try again later`
        : `the node of group ${group} answers again`,
    )
  })

  async function ofTenant<Row>(
    target: Db,
    statement: Statement,
    values: readonly unknown[],
    asked: (installerId: string) => void,
  ): Promise<Row[]> {
    const installerId = values[0] as string
    const { text, name } = delegated(statement)
    const lockMs = statement.shared === 'write' ? writeLockTimeoutMs : null
    const node = await nodes.of(installerId, target)
    const [first] = await watch.asking(node.group, () =>
      target.query<{ rows: string | null }>(
        { ...howOf(statement, node), text: 'select run_here($1, $2, $3, $4, $5) as rows' },
        [installerId, name, text, values.map(asText), lockMs],
      ),
    )
    return answered<Row>(first!.rows, statement, () => asked(installerId))
  }

  function answered<Row>(answer: string | null, { columns = {} }: Statement, asked: () => void): Row[] {
    const hasAsked = answer?.startsWith('!')
    if (hasAsked) asked()
    return readAnswer((hasAsked ? answer!.slice(1) : answer) || null, columns) as Row[]
  }

  async function askNode<Row>(
    target: Db,
    { node, key }: { node: Node; key: string },
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { text, name } = delegated(statement)
    const rows = await watch.asking(node.group, () =>
      target.query<{ rows: string }>(
        { ...howOf(statement, node), text: 'select run_for_all_here($1, $2, $3, $4) as rows' },
        [key, name, text, values.map(asText)],
      ),
    )
    return answered<Row>(rows[0]!.rows, statement, () => onAsked(somebody))
  }

  async function ofAll<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const answers = await Promise.allSettled(
      (await nodes.all()).map((one) => askNode<Row>(db, one, statement, values)),
    )
    const failures = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    const broken = failures.find((error) => !isUnavailable(error) || hasMoved(error))
    if (broken) throw broken
    const rows = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    // What was not found may be on the one that is lost.
    if (failures.length > 0 && rows.length === 0) throw failures[0]
    return rows
  }

  async function ofAllWithin<Row>(tx: Db, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const rows: Row[] = []
    for (const one of await nodes.all()) rows.push(...(await askNode<Row>(tx, one, statement, values)))
    return rows
  }

  /** How a statement is run: `target` is the database, or a transaction of it. */
  async function run<Row extends object>(
    target: Db,
    statement: Statement,
    values: readonly unknown[],
    asked: (installerId: string) => void,
  ): Promise<Row[]> {
    if (!(statement.tenant || statement.across) || !(await tables.areTenants(statement, target)))
      return target.query<Row>(statement, values)
    if (statement.tenant) return ofTenant<Row>(target, statement, values, asked)
    return target === db ? ofAll<Row>(statement, values) : ofAllWithin<Row>(target, statement, values)
  }

  const database: PooledDatabase = {
    ...db,

    query: <Row extends object>(statement: Statement, values: readonly unknown[]) =>
      again(() => run<Row>(db, statement, values, onAsked)),

    async transaction(work, isolation) {
      let hasAnswered = false
      const asked = new Set<string>()
      const begin = () =>
        db.transaction((tx) => {
          const query = async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
            const rows = await run<Row>(tx, statement, values, (id) => asked.add(id)).catch((error) => {
              throw asOfOneServer(error)
            })
            hasAnswered = true
            return rows
          }
          return work({ query })
        }, isolation)
      // Until something of it was answered nobody can tell that it was begun before.
      const result = await again(begin, () => !hasAnswered)
      for (const id of asked) onAsked(id)
      return result
    },

    reading: (_tenant, _shows, read) => read(database),

    async close() {
      watch.close()
      await db.close()
    },
  }
  return database
}

/** What the statement says of how it is run, but for what is about its own text and rows. */
function howOf({ shared, mayBeLost, urgent }: Statement, { bulkhead }: Node): Omit<Statement, 'text'> {
  return { bulkhead, ...(shared && { shared }), ...(mayBeLost && { mayBeLost }), ...(urgent && { urgent }) }
}

/** A tenant that is being moved is where it was, or where it goes, within moments. */
async function again<T>(ask: () => Promise<T>, mayBe = () => true): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      const cause = error instanceof DatabaseUnavailable && error.cause ? error.cause : error
      if (tries < mostTries && hasMoved(cause) && mayBe()) continue
      throw asOfOneServer(error)
    }
  }
}

const known = new Map<string, { text: string; name: string }>()

function delegated({ text, columns = {} }: Statement): { text: string; name: string } {
  let found = known.get(text)
  if (!found) {
    found = { text: asOneAnswer(markTables(text), columns), name: statementName(text) }
    known.set(text, found)
  }
  return found
}
