import { backupUnderWay } from '../../../platform/backup/lock.ts'
import type { Db } from '../../../platform/db.ts'
import { type FileStore, StoreUnavailable } from '../../../platform/file-store/file-store.ts'
import { within } from '../../../platform/within.ts'
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
  await removeContents(store, new Set(storeKeys).difference(used))
}

/** Longer than a store that works takes. */
const removeWithinMs = 3_000

/** What a store that is away or hangs does not remove is swept up later: nobody's change fails or waits for it. */
export async function removeContents(store: FileStore, storeKeys: Iterable<string>): Promise<void> {
  try {
    for (const key of storeKeys) if (!(await within(removeWithinMs, store.remove(key)))) return
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
  }
}
