import type { Database, Db, Statement } from './db.ts'

/** Transactions inside the one transaction are part of it; its connection takes one query at a time. */
export function withinTransaction(tx: Db): Database {
  let last: Promise<unknown> = Promise.resolve()
  const query: Db['query'] = <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    const answer = last.then(() => tx.query<Row>(statement, values))
    last = answer.catch(() => {})
    return answer
  }
  const refuse = async () => {
    throw new Error('not inside a transaction')
  }
  const database: Database = {
    query,
    transaction: (work) => work({ query }),
    reading: (_tenant, _shows, read) => read(database),
    execute: refuse,
    isBusy: () => false,
    close: refuse,
  }
  return database
}
