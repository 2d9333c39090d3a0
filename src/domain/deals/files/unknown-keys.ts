import type { Db } from '../../../platform/db.ts'
import { listCompanies } from '../../kernel/tenant/queries.ts'
import { findKnownStoreKeys } from './queries.ts'

/** Those of the keys that no record of any company names. */
export async function findUnknownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(keys)
  for (let after = 0; unknown.size > 0; ) {
    const companies = await listCompanies(db, { afterNumber: after, limit: 100 })
    for (const { id, kind } of companies) {
      if (kind !== 'installer') continue
      for (const key of await findKnownStoreKeys(db, { installerId: id, keys: [...unknown] }))
        unknown.delete(key)
    }
    if (companies.length < 100) break
    after = companies.at(-1)!.number
  }
  return unknown
}
