import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/db.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { findSetting, insertSetting, replaceSetting } from './setting-queries.ts'

const isSealed = (value: string) => value.startsWith('sealed:')

/** What a setting is sealed for. */
export const sealedForSetting = (name: string) => `settings:${name}`

/** A secret that all processes on this database share, made on first use. */
export async function sharedSecret(db: Db, box: SecretBox, name: string): Promise<Buffer> {
  const seal = (value: string) => box.seal(value, sealedForSetting(name))
  await insertSetting(db, { name, value: seal(randomBytes(32).toString('base64')) })
  const value = (await findSetting(db, name))!
  if (isSealed(value)) return Buffer.from(box.open(value, sealedForSetting(name)), 'base64')
  // Earlier versions kept it as it is.
  await replaceSetting(db, { name, from: value, to: seal(value) })
  return Buffer.from(value, 'base64')
}
