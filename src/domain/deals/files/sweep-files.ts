import { backupUnderWay } from '../../../platform/backup/lock.ts'
import type { Db } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { listCompanies } from '../../kernel/tenant/queries.ts'
import { findKnownStoreKeys } from './queries.ts'

// A copy belongs to a call that is still under way for a minute or so; an hour leaves no doubt.
export const orphanAfterMs = 3_600_000
const batch = 500

/** Copies in the store that no record names: what a killed process left behind. */
export async function findOrphans(db: Db, store: FileStore, now: Date): Promise<string[]> {
  const orphans: string[] = []
  let keys: string[] = []
  const check = async () => {
    const unknown = new Set(keys)
    keys = []
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
    orphans.push(...unknown)
  }
  for await (const { key, modifiedMs } of store.list()) {
    if (modifiedMs > now.getTime() - orphanAfterMs) continue
    keys.push(key)
    if (keys.length === batch) await check()
  }
  if (keys.length > 0) await check()
  return orphans
}

export async function sweepFiles(db: Db, store: FileStore, now: Date): Promise<number> {
  await store.clearStaleTemps(orphanAfterMs)
  const orphans = await findOrphans(db, store, now)
  // A backup that began before these were looked for may still need them.
  if (await backupUnderWay(db, {})) return 0
  for (const key of orphans) await store.remove(key)
  return orphans.length
}
