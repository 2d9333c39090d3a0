import { randomBytes } from 'node:crypto'
import type { Db, Statement } from './db.ts'

const insertSecret: Statement = {
  name: 'insert-secret',
  text: 'insert into settings (name, value) values ($1, $2) on conflict (name) do nothing',
}
const findSecret: Statement = { name: 'find-secret', text: 'select value from settings where name = $1' }

/** A secret that all processes on this database share, made on first use. */
export async function sharedSecret(db: Db, name: string): Promise<Buffer> {
  await db.query(insertSecret, [name, randomBytes(32).toString('base64')])
  const [row] = await db.query<{ value: string }>(findSecret, [name])
  return Buffer.from(row!.value, 'base64')
}
