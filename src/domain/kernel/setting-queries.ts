import type { Db, Statement } from '../../platform/db.ts'

const findStatement: Statement = { name: 'find-setting', text: 'select value from settings where name = $1' }

export async function findSetting(db: Db, name: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>(findStatement, [name])
  return row?.value ?? null
}

const insertStatement: Statement = {
  name: 'insert-setting',
  text: 'insert into settings (name, value) values ($1, $2) on conflict (name) do nothing',
}

/** Keeps what is there, where something is. */
export async function insertSetting(db: Db, name: string, value: string): Promise<void> {
  await db.query(insertStatement, [name, value])
}

const saveStatement: Statement = {
  name: 'save-setting',
  text: `insert into settings (name, value) values ($1, $2)
    on conflict (name) do update set value = excluded.value`,
}

export async function saveSetting(db: Db, name: string, value: string): Promise<void> {
  await db.query(saveStatement, [name, value])
}

const replaceStatement: Statement = {
  name: 'replace-setting',
  text: 'update settings set value = $3 where name = $1 and value = $2',
}

/** Writes only where the value still is what was read. */
export async function replaceSetting(db: Db, name: string, from: string, to: string): Promise<void> {
  await db.query(replaceStatement, [name, from, to])
}

const deleteStatement: Statement = {
  name: 'delete-settings',
  text: 'delete from settings where name = any($1)',
}

export async function deleteSettings(db: Db, names: readonly string[]): Promise<void> {
  await db.query(deleteStatement, [names])
}

const sealedStatement: Statement = {
  name: 'sealed-settings',
  text: `select name, value from settings where value like 'sealed:%'`,
}

export function listSealedSettings(db: Db): Promise<{ name: string; value: string }[]> {
  return db.query(sealedStatement, [])
}
