import { backupUnderWay } from '../../../platform/backup/lock.ts'
import type { Db } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store.ts'
import { findKnownStoreKeys } from './queries.ts'

/**
 * Removes contents whose record has been taken away, where no other record has them. What a backup under way may still
 * need stays, as does what is left behind where this fails: both are swept up later.
 */
export async function releaseContents(
  db: Db,
  store: FileStore,
  installerId: string,
  storeKeys: string[],
): Promise<void> {
  const used = new Set(await findKnownStoreKeys(db, { installerId, keys: storeKeys }))
  if (await backupUnderWay(db, {})) return
  for (const key of new Set(storeKeys)) if (!used.has(key)) await store.remove(key)
}
