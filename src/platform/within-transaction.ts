import type { Database, Db, Statement } from './db.ts'

/** Transactions inside the one transaction are part of it; its connection takes one query at a time. */
export function withinTransaction(tx: Db): Database {
  const { query } = oneByOne(tx)
  return databaseOf(query, (work) => work({ query }))
}

/**
 * The same, where what fails inside may be gone on from: a transaction that fails takes back what it did itself, and so
 * does a statement that may be tried again.
 */
export function withSavepoints(tx: Db): Database {
  const { query: plain } = oneByOne(tx)
  let depth = 0

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    const name = `within_${++depth}`
    await plain({ text: `savepoint ${name}` }, [])
    try {
      const result = await work()
      await plain({ text: `release savepoint ${name}` }, [])
      return result
    } catch (error) {
      // Where the connection is lost the whole transaction is.
      await plain({ text: `rollback to savepoint ${name}` }, []).catch(() => {})
      throw error
    } finally {
      depth--
    }
  }

  const query: Db['query'] = (statement, values) =>
    statement.shared === 'write' ? attempt(() => plain(statement, values)) : plain(statement, values)
  return databaseOf(query, (work) => attempt(() => work({ query: plain })))
}

function oneByOne(tx: Db): Db {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const answer = last.then(() => tx.query<Row>(statement, values))
      last = answer.catch(() => {})
      return answer
    },
  }
}

function databaseOf(query: Db['query'], transaction: Database['transaction']): Database {
  const refuse = async () => {
    throw new Error('not inside a transaction')
  }
  const database: Database = {
    query,
    transaction,
    reading: (_tenant, _shows, read) => read(database),
    execute: refuse,
    isBusy: () => false,
    close: refuse,
  }
  return database
}
