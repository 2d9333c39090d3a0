import { rm, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { currentMs } from '../../clock.ts'
import { type FileStore, idFile, isFileKey, namesOf, probe } from '../file-store.ts'
import { tempFolder } from '../temp-folder.ts'
import { createS3Client, type S3Limits, usualLimits } from './client.ts'
import { textContent } from './content.ts'
import { linesInBucket } from './lines.ts'
import { listNames, listUploads } from './listing.ts'
import { missing, openObject } from './read.ts'
import type { S3Settings } from './settings.ts'
import { createUpload, type Sizes, usualSizes } from './upload.ts'

/** How long an address works to which a browser is sent: it is opened at once. */
const deliverySeconds = 60

export interface S3StoreOptions {
  /** Where files are received before they are sent on, on a disk of this host. */
  tempPath: string
  limits?: Partial<S3Limits>
  sizes?: Sizes
}

/** Keeps files in an S3-compatible store, which all hosts share. */
export function s3Store(
  settings: S3Settings,
  { tempPath, limits, sizes = usualSizes }: S3StoreOptions,
): FileStore {
  const bounds = { ...usualLimits, ...limits }
  const { prefix } = settings
  const client = createS3Client(settings, bounds)
  const temps = tempFolder(tempPath)
  const nameOf = (key: string) => namesOf(key).join('/')

  async function sizeOf(name: string): Promise<number | null> {
    const answer = await client.call({ method: 'HEAD', name, also: [404] })
    if (answer.status === 404) return missing(answer)
    return Number(answer.headers['content-length'] ?? 0)
  }

  const upload = createUpload(client, settings, sizeOf, sizes)

  async function remove(name: string): Promise<void> {
    await client.call({ method: 'DELETE', name, also: [404] })
  }

  async function clearStaleTemps(olderThanMs: number): Promise<number> {
    let removed = await temps.clear(olderThanMs)
    for await (const { name, uploadId, begunMs } of listUploads(client, prefix)) {
      if (!keyOf(name) || !(begunMs <= currentMs() - olderThanMs)) continue
      await client.call({ method: 'DELETE', name, query: { uploadId }, also: [404] })
      removed++
    }
    return removed
  }

  const store: FileStore = {
    tempFile: temps.create,
    async put(key, tempPath) {
      const name = nameOf(key)
      const { size } = await stat(tempPath)
      await upload.put(name, tempPath, size)
      await rm(tempPath, { force: true })
    },
    open: async (key, range) => openObject(client, nameOf(key), range, bounds.firstPauseMs),
    size: async (key) => sizeOf(nameOf(key)),
    remove: async (key) => remove(nameOf(key)),
    async *list() {
      for await (const { name, modifiedMs } of listNames(client, prefix, '')) {
        const key = keyOf(name)
        if (key) yield { key, modifiedMs }
      }
    },
    async deliveryAddress(key, { type, disposition }) {
      if (settings.delivery === 'serve') return null
      return client.presign(nameOf(key), deliverySeconds, {
        'response-content-type': type,
        'response-content-disposition': disposition,
        'response-cache-control': 'private, no-store',
      })
    },
    async readId() {
      const found = await openObject(client, idFile, undefined, bounds.firstPauseMs)
      return found ? (await text(found.stream)).trim() || null : null
    },
    async writeId(id) {
      await client.call({ method: 'PUT', name: idFile, content: textContent(id) })
    },
    sharedLines: (name) => linesInBucket(client, prefix, name, bounds.firstPauseMs),
    clearStaleTemps,
    check: () => probe(store),
    close: client.close,
  }
  return store
}

/** The key of a name that we gave; null for what else is in the bucket. */
function keyOf(name: string): string | null {
  const key = name.slice(name.lastIndexOf('/') + 1)
  return isFileKey(key) && namesOf(key).join('/') === name ? key : null
}
