import { backupUnderWay } from '../../../platform/backup/lock.ts'
import type { Db } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { isOurs } from './join-store.ts'
import { findUnknownKeys } from './named-keys.ts'

// A copy belongs to a call that is still under way for a minute or so; an hour leaves no doubt.
export const orphanAfterMs = 3_600_000
const batch = 500

/** Copies in the store that no record names: what a killed process left behind. */
export async function findOrphans(db: Db, store: FileStore, now: Date): Promise<string[]> {
  const orphans: string[] = []
  let keys: string[] = []
  const check = async () => {
    orphans.push(...(await findUnknownKeys(db, keys)))
    keys = []
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
  // Of another database's store nothing is ours to remove.
  if (!(await isOurs(db, store))) return 0
  const orphans = await findOrphans(db, store, now)
  // A backup that began before these were looked for may still need them.
  if (await backupUnderWay(db, {})) return 0
  for (const key of orphans) await store.remove(key)
  return orphans.length
}
