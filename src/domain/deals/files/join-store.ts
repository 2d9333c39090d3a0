import { randomBytes } from 'node:crypto'
import type { Db } from '../../../platform/db.ts'
import { type FileStore, idFile } from '../../../platform/file-store/file-store.ts'
import { findSetting, insertSetting } from '../../kernel/setting-queries.ts'
import { findUnknownKeys, namesFiles } from './named-keys.ts'

/** The name of the store that the files of this database are in. */
export const storeSetting = 'file-store'
const looked = 500

/**
 * Sees to it that the database and its store know each other: what no record names is swept from a store, so a database
 * that was led to another's would remove its files. Answers what is doubtful, in a sentence; refuses what is certainly
 * wrong. `anyway` takes a store without a name for ours.
 */
export async function joinStore(db: Db, store: FileStore, { anyway = false } = {}): Promise<string | null> {
  const known = await findSetting(db, storeSetting)
  const found = await store.readId()
  if (found !== null && found === known) return null
  if (found !== null)
    throw new Error(
      'The store that STORAGE_URL names holds the files of another database. Name another bucket, prefix or folder, or ' +
        `correct DATABASE_URL. Where that other database is gone for good, remove "${idFile}" from the store first.`,
    )
  const doubt = anyway ? null : await doubtAbout(db, store, known)
  if (doubt) return doubt
  await insertSetting(db, { name: storeSetting, value: newStoreId() })
  await store.writeId((await findSetting(db, storeSetting))!)
  return null
}

export const newStoreId = () => randomBytes(16).toString('hex')

export async function isOurs(db: Db, store: FileStore): Promise<boolean> {
  const known = await findSetting(db, storeSetting)
  return known !== null && known === (await store.readId())
}

/** Of a store without a name: a fresh one, one of a version that gave none, or one that was not meant. */
async function doubtAbout(db: Db, store: FileStore, known: string | null): Promise<string | null> {
  const keys: string[] = []
  for await (const { key } of store.list()) if (keys.push(key) === looked) break
  if (keys.length === 0)
    return known === null || !(await namesFiles(db))
      ? null
      : `the store that STORAGE_URL names is empty, and this database's files are in another: hosts that share a database share one store. ${otherwise}`
  if ((await findUnknownKeys(db, keys)).size < keys.length) return null
  return `the store that STORAGE_URL names holds files, and none of them is this database's: nothing is swept there. ${otherwise}`
}

const otherwise = 'Correct STORAGE_URL; where it is right, run "sunstead doctor --mend"'
