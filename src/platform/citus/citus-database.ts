import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseUnavailable, isUnavailable } from '../database-errors.ts'
import { type Db, type PooledDatabase, type Statement, writeLockTimeoutMs } from '../db.ts'
import { statementName } from '../statement-name.ts'
import { readAnswer } from './answer.ts'
import { asOfOneServer } from './errors.ts'
import { somebody } from './job-requests.ts'
import { BeingMoved, createMoves } from './moves.ts'
import { createNodes, type Node, type Part } from './nodes.ts'
import { asOneAnswer, markTables, onlyReads } from './shard-text.ts'
import { createTables } from './tables.ts'
import { asText } from './values.ts'
import { watchNodes } from './watch-nodes.ts'

/**
 * Where tenants live on several nodes no plan may be kept for whatever values come, as the values say which node is asked.
 * A node that is lost is given up sooner than a call is.
 */
export const citusSettings = { plan_cache_mode: 'auto', 'citus.node_connection_timeout': '2000' }

/** What is being moved is written again after some seconds, by the number of tables that a shard has (docs/scale.md). */
const movePatienceMs = 20_000
const lookAgainMs = 200
/** Transactions that have been answered before they met a move can only wait where they are, on a connection of the pool. */
const mostInPlace = 2

/** A node's answer where it has run nothing. */
const nothingDone = '~'
const runHere = 'select run_here($1, $2, $3, $4, $5, $6) as rows'
const runForAllHere = 'select run_for_all_here($1, $2, $3, $4, $5, $6) as rows'

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

  const moves = createMoves(async (installerId) => {
    const { group } = await nodes.of(installerId, db)
    const rows = await watch.asking(group, () =>
      db.query<{ rows: string | null }>({ text: runHere, urgent: true }, [
        installerId,
        'nothing',
        'select null::text',
        '{}',
        null,
        false,
      ]),
    )
    const isOver = rows[0]!.rows !== nothingDone
    if (isOver) nodes.forget()
    return isOver
  }, movePatienceMs)
  let inPlace = 0

  async function ofTenant<Row>(
    target: Db,
    statement: Statement,
    values: readonly unknown[],
    asked: (installerId: string) => void,
  ): Promise<Row[]> {
    const installerId = values[0] as string
    const { text, name, onlyReads: isRead } = delegated(statement)
    const lockMs = statement.shared === 'write' ? writeLockTimeoutMs : null
    const staysFree = isRead && target === db
    const place = await nodes.of(installerId, target)
    if (!staysFree && moves.isUnderWay(place.shard)) throw new BeingMoved(place.shard, installerId)
    const [first] = await watch.asking(place.group, () =>
      target.query<{ rows: string | null }>({ ...howOf(statement, place), text: runHere }, [
        installerId,
        name,
        text,
        values.map(asText),
        lockMs,
        staysFree,
      ]),
    )
    if (first!.rows === nothingDone) throw new BeingMoved(place.shard, installerId)
    return answered<Row>(first!.rows, statement, () => asked(installerId))
  }

  function answered<Row>(answer: string | null, { columns = {} }: Statement, asked: () => void): Row[] {
    const hasAsked = answer?.startsWith('!')
    if (hasAsked) asked()
    return readAnswer((hasAsked ? answer!.slice(1) : answer) || null, columns) as Row[]
  }

  /** Null where nothing was done: a shard is being moved. */
  async function askNode<Row>(
    target: Db,
    { node, shards, key }: Part,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[] | null> {
    const { text, name, onlyReads: isRead } = delegated(statement)
    const rows = await watch.asking(node.group, () =>
      target.query<{ rows: string }>({ ...howOf(statement, node), text: runForAllHere }, [
        key,
        name,
        text,
        values.map(asText),
        shards,
        isRead && target === db,
      ]),
    )
    if (rows[0]!.rows === nothingDone) return null
    return answered<Row>(rows[0]!.rows, statement, () => onAsked(somebody))
  }

  /** Asks each node for its shards, and again for those that were being moved. */
  async function ofAll<Row>(
    ask: (parts: Part[]) => Promise<PromiseSettledResult<Row[] | null>[]>,
  ): Promise<Row[]> {
    const rows: Row[] = []
    const failures: unknown[] = []
    const done = new Set<string>()
    for (const until = performance.now() + movePatienceMs; ; await sleep(lookAgainMs)) {
      const parts = await nodes.all(done)
      let isMoving = false
      for (const [i, answer] of (await ask(parts)).entries()) {
        if (answer.status === 'fulfilled' && answer.value === null) {
          isMoving = true
          continue
        }
        for (const shard of parts[i]!.shards) done.add(shard)
        if (answer.status === 'fulfilled') rows.push(...answer.value!)
        else if (isUnavailable(answer.reason)) failures.push(answer.reason)
        else throw answer.reason
      }
      if (!isMoving) break
      if (performance.now() > until) throw new DatabaseUnavailable('tenants are being moved to another node')
    }
    // What was not found may be on the one that is lost.
    if (failures.length > 0 && rows.length === 0) throw failures[0]
    return rows
  }

  const ofAllAtOnce = <Row>(statement: Statement, values: readonly unknown[]) =>
    ofAll<Row>((parts) => Promise.allSettled(parts.map((one) => askNode<Row>(db, one, statement, values))))

  const ofAllWithin = <Row>(tx: Db, statement: Statement, values: readonly unknown[]) =>
    ofAll<Row>(async (parts) => {
      const answers: PromiseSettledResult<Row[] | null>[] = []
      for (const one of parts)
        answers.push({ status: 'fulfilled', value: await askNode<Row>(tx, one, statement, values) })
      return answers
    })

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
    return target === db ? ofAllAtOnce<Row>(statement, values) : ofAllWithin<Row>(target, statement, values)
  }

  /** Asks again once a move is over that it met; what was done before `mayBe` says no. */
  async function again<T>(ask: () => Promise<T>, mayBe = () => true): Promise<T> {
    for (const until = performance.now() + movePatienceMs; ; ) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof BeingMoved && mayBe() && (await moves.over(error, until))) continue
        throw asOfOneServer(error)
      }
    }
  }

  async function againInPlace<T>(ask: () => Promise<T>): Promise<T> {
    let isWaiting = false
    try {
      return await again(ask, () => {
        if (!isWaiting && inPlace >= mostInPlace) return false
        if (!isWaiting) inPlace++
        isWaiting = true
        return true
      })
    } finally {
      if (isWaiting) inPlace--
    }
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
            const ask = () => run<Row>(tx, statement, values, (id) => asked.add(id))
            const rows = await (hasAnswered
              ? againInPlace(ask)
              : ask().catch((error) => {
                  throw asOfOneServer(error)
                }))
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

interface Delegated {
  text: string
  name: string
  onlyReads: boolean
}

const known = new Map<string, Delegated>()

function delegated({ text, columns = {} }: Statement): Delegated {
  let found = known.get(text)
  if (!found) {
    found = {
      text: asOneAnswer(markTables(text), columns),
      name: statementName(text),
      onlyReads: onlyReads(text),
    }
    known.set(text, found)
  }
  return found
}
