import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileStore } from './file-store.ts'
import { folderStore } from './folder-store.ts'
import type { S3Settings } from './s3/settings.ts'

export interface StoreSettings {
  storageUrl: string
  /** What an `s3:` address and the environment say of the store; null for a folder. */
  s3: S3Settings | null
  dataDir: string
}

/** The store that STORAGE_URL names. */
export async function openFileStore({ storageUrl, s3, dataDir }: StoreSettings): Promise<FileStore> {
  if (s3) {
    // Loaded here, so that a server with a folder starts without it.
    const { s3Store } = await import('./s3/store.ts')
    return s3Store(s3, { tempPath: join(dataDir, 'receiving') })
  }
  // "file:./data/files" is a path as the operator writes it, which a URL parser would make absolute.
  return folderStore(
    storageUrl.startsWith('file://') ? fileURLToPath(storageUrl) : resolve(storageUrl.slice('file:'.length)),
  )
}
