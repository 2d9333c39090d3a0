import type { Db, Statement } from '../db.ts'
import { tablesOf } from './shard-text.ts'

export interface Tables {
  /** Whether the statement is of tables that tenants have their own part of; all others are on the coordinator. */
  areTenants(statement: Statement, asker: Db): boolean | Promise<boolean>
}

const listTables = `
  select c.relname as name, coalesce(p.partmethod = 'h', false) as "isTenants"
  from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v')`

/** Knows the tables of the database, and looks again for one that it has not met: migrations add some. */
export function createTables(): Tables {
  const tables = new Map<string, boolean>()
  const known = new Map<string, boolean>()

  async function look(statement: Statement, names: readonly string[], asker: Db): Promise<boolean> {
    const found = await asker.query<{ name: string; isTenants: boolean }>(
      { text: listTables, urgent: true },
      [],
    )
    for (const { name, isTenants } of found) tables.set(name, isTenants)
    return decide(statement, names)
  }

  function decide({ text }: Statement, names: readonly string[]): boolean {
    const areTenants = names.some((name) => tables.get(name))
    // What is not there yet may be of either kind once it is.
    if (names.every((name) => tables.has(name))) known.set(text, areTenants)
    return areTenants
  }

  return {
    areTenants(statement, asker) {
      const before = known.get(statement.text)
      if (before !== undefined) return before
      const names = tablesOf(statement.text)
      return names.every((name) => tables.has(name))
        ? decide(statement, names)
        : look(statement, names, asker)
    },
  }
}
