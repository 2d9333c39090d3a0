import type { Db } from '../../../platform/db.ts'
import { listCompanies } from '../../kernel/tenant/queries.ts'
import { findAnyStoreKey, findKnownStoreKeys } from './queries.ts'

/** Those of the keys that no record of any company names. */
export async function findUnknownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(keys)
  for await (const installerId of installers(db)) {
    if (unknown.size === 0) break
    for (const key of await findKnownStoreKeys(db, { installerId, keys: [...unknown] })) unknown.delete(key)
  }
  return unknown
}

/** Whether any company has a file. */
export async function namesFiles(db: Db): Promise<boolean> {
  for await (const installerId of installers(db))
    if ((await findAnyStoreKey(db, { installerId })).length > 0) return true
  return false
}

async function* installers(db: Db): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const companies = await listCompanies(db, { afterNumber: after, limit: 100 })
    for (const { id, kind } of companies) if (kind === 'installer') yield id
    if (companies.length < 100) return
    after = companies.at(-1)!.number
  }
}
