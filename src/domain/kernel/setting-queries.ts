import type { Db } from '../../platform/db.ts'
import { row, select, text } from '../../platform/sql/row.ts'
import { type Params, sql } from '../../platform/sql/sql.ts'
import { many, maybeOne, run } from '../../platform/sql/statements.ts'

interface Setting {
  name: string
  value: string
}

const setting = row<Setting>({ name: text, value: text })

const settingByName = maybeOne(
  setting,
  ($: Params<{ name: string }>) => sql`select ${select(setting)} from settings where name = ${$.name}`,
)

export async function findSetting(db: Db, name: string): Promise<string | null> {
  return (await settingByName(db, { name }))?.value ?? null
}

/** Keeps what is there, where something is. */
export const insertSetting = run(
  ($: Params<Setting>) => sql`
    insert into settings (name, value) values (${$.name}, ${$.value}) on conflict (name) do nothing`,
)

export const saveSetting = run(
  ($: Params<Setting>) => sql`
    insert into settings (name, value) values (${$.name}, ${$.value})
    on conflict (name) do update set value = excluded.value`,
)

/** Writes only where the value still is what was read. */
export const replaceSetting = run(
  ($: Params<{ name: string; from: string; to: string }>) => sql`
    update settings set value = ${$.to} where name = ${$.name} and value = ${$.from}`,
)

export const deleteSettings = run(
  ($: Params<{ names: readonly string[] }>) => sql`delete from settings where name = any(${$.names}::text[])`,
)

export const listSealedSettings = many(
  setting,
  (_: Params<object>) => sql`select ${select(setting)} from settings where value like 'sealed:%'`,
)
