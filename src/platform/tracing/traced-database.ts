import type { Db, PooledDatabase } from '../db.ts'
import { traced } from './tracing.ts'

/** Each statement is a span, with its text and never its values. */
export function tracedDatabase(db: PooledDatabase): PooledDatabase {
  const query =
    (target: Db): Db['query'] =>
    (statement, values) =>
      traced(
        /\w+/.exec(statement.text)?.[0].toUpperCase() ?? 'STATEMENT',
        'CLIENT',
        () => ({ 'db.system.name': 'postgresql', 'db.query.text': statement.text }),
        () => target.query(statement, values),
      )
  const database: PooledDatabase = {
    ...db,
    query: query(db),
    reading: (_tenant, _shows, read) => read(database),
    transaction: (work, isolation) =>
      traced(
        'TRANSACTION',
        'CLIENT',
        () => ({ 'db.system.name': 'postgresql' }),
        () => db.transaction((tx) => work({ query: query(tx) }), isolation),
      ),
  }
  return database
}
