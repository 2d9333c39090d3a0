import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

/** Where a text stands in the database: every column of every table is looked through, whatever it holds. */
export async function tracesInDatabase({ rows }: TestDatabase, word: string): Promise<string[]> {
  const columns = await rows<{ schema: string; table: string; column: string; type: string }>(
    `select c.table_schema as schema, c.table_name as table, c.column_name as column, c.udt_name as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const tables = Map.groupBy(columns, ({ schema, table }) => `"${schema}"."${table}"`)
  const found: string[] = []
  for (const [table, inside] of tables) {
    const looks = inside.map(({ column, type }) => {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
      return `count(*) filter (where strpos(lower(${text}), lower($1)) > 0)::int as "${column}"`
    })
    const [counts] = await rows<Record<string, number>>(`select ${looks.join(', ')} from ${table}`, [word])
    for (const [column, count] of Object.entries(counts!))
      if (count > 0) found.push(`${table}.${column}: ${count}`)
  }
  return found
}

/** Which files below a folder hold a text, in their names or in what is in them. */
export async function tracesInFiles(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = `${path} ${(await readFile(path)).toString('latin1')}`
    if (text.toLowerCase().includes(word.toLowerCase())) found.push(path)
  }
  return found
}
