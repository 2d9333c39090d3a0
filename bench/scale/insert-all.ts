import type pg from 'pg'

const batch = 1_000

/**
 * Rows of one table, the same columns in each, a thousand at a time: an INSERT … SELECT that any PostgreSQL takes, and Citus for
 * a distributed table as well, since every row brings its installer.
 */
export async function insertAll(
  client: pg.Client,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!).join(', ')
  for (let from = 0; from < rows.length; from += batch) {
    await client.query({
      name: `scale-${table}`,
      text: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
      values: [JSON.stringify(rows.slice(from, from + batch))],
    })
  }
}
