import pg from 'pg'
import { type Db, type Statement, sessionSettings } from '../../src/platform/db.ts'

/** A database whose statements' plans are kept, each made once for all values, as the server has them made. */
export async function withGenericPlans(db: Db, url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [name, value] of Object.entries(sessionSettings)) await client.query(`set ${name} = '${value}'`)
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
