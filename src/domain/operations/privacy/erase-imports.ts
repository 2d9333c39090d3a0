import type { Database } from '../../../platform/db.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { csvRows } from '../../../platform/tables/csv-rows.ts'
import { releaseContents } from '../../deals/files/release-contents.ts'
import { erasedName } from '../../kernel/name.ts'
import { eraseLog } from './erase-log.ts'
import { type Erasure, isAbout, mentions } from './erasure.ts'
import { clearImport, listKeptImports, type StoredImport } from './import-queries.ts'

const batch = 50
const failure =
  'A customer in this file was erased, so the file was let go. Upload it again without them to go on.'

/**
 * Lets go of the rows that imports keep, where the customer is among them. A file that waits to be imported is read
 * through: it would bring them back. For retention only what made the lead is looked at, as nobody asks to be forgotten.
 */
export async function eraseImports(
  db: Database,
  store: FileStore,
  erasure: Erasure,
  now: Date,
): Promise<void> {
  const { installerId, leadId, person, reason } = erasure
  for (let after = ''; ; ) {
    const page = await listKeptImports(db, { ...erasure, after, limit: batch })
    for (const found of page) {
      const inside =
        found.madeIt ||
        mentions(`${found.name} ${found.texts}`, person) ||
        (reason === 'request' && (await isInFile(store, found, erasure)))
      if (!inside) continue
      const named = mentions(found.name, person)
      await clearImport(db, {
        installerId,
        id: found.id,
        failure,
        now,
        name: named ? erasedName : null,
        leadId,
      })
      if (named) await eraseLog(db, erasure, [found.id])
      if (found.storeKey) await releaseContents(db, store, installerId, [found.storeKey])
    }
    if (page.length < batch) return
    after = page.at(-1)!.id
  }
}

async function isInFile(
  store: FileStore,
  { storeKey, encoding, delimiter }: StoredImport,
  { person }: Erasure,
): Promise<boolean> {
  const file = storeKey === null ? null : await store.open(storeKey)
  if (!file) return false
  // Left before its end, the file is closed with it.
  for await (const rows of csvRows(file.stream, { encoding, delimiter }))
    if (rows.some((cells) => isAbout(cells.join(' '), person))) return true
  return false
}
