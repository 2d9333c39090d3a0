import pg from 'pg'
import type { Db, Statement } from '../../src/platform/db.ts'

/** A database whose statements' plans are kept, each made once for all values, as the server has them made. */
export async function withGenericPlans(db: Db, url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set plan_cache_mode = force_generic_plan')
  const plans: string[] = []
  const explaining: Db = {
    query: async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      const { rows } = await client.query(`explain ${statement.text}`, [...values])
      plans.push(rows.map((line) => line['QUERY PLAN']).join('\n'))
      return db.query<Row>(statement, values)
    },
  }
  return { db: explaining, plans, close: () => client.end() }
}
