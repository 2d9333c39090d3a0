import { type Config, erasedListOf } from '../config.ts'
import { openErasedList } from '../domain/operations/privacy/erased-list.ts'
import type { ErasureDeps } from '../domain/operations/privacy/finish-erasure.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'

export async function erasureDeps(config: Config): Promise<ErasureDeps> {
  const store = await openFileStore(config)
  return { store, note: openErasedList(erasedListOf(config), store).append }
}
