import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type ContentType, sniffFile } from '../platform/contents/content-type.ts'
import { type FileStore, newFileKey } from '../platform/file-store.ts'
import type { CopiedFile, Copier } from '../platform/outbound/copy-from-address.ts'
import type { DemoFile } from './step.ts'

export type StoredFiles = ReadonlyMap<string, CopiedFile>

const atOnce = 8

/** Puts the files into the store, all of them or none; by the address they are said to come from. */
export async function storeFiles(store: FileStore, files: readonly DemoFile[]): Promise<StoredFiles> {
  const stored = new Map<string, CopiedFile>()
  const left = files.values()
  const work = async () => {
    for (const file of left) stored.set(file.url, await storeFile(store, file))
  }
  const results = await Promise.allSettled(Array.from({ length: atOnce }, work))
  const failure = results.find((result) => result.status === 'rejected')
  if (!failure) return stored
  await removeFiles(store, stored)
  throw failure.reason
}

const kinds = new Map<string, Promise<ContentType>>()

/** Files of one ending are all made alike, so the first tells what the others are. */
function kindOf(path: string, name: string): Promise<ContentType> {
  const ending = extname(name)
  const kind = kinds.get(ending) ?? sniffFile(path, { name })
  kinds.set(ending, kind)
  return kind
}

async function storeFile(store: FileStore, { name, contents }: DemoFile): Promise<CopiedFile> {
  const temp = await store.tempFile()
  try {
    const bytes = contents()
    await writeFile(temp.path, bytes)
    const content = await kindOf(temp.path, name)
    const key = newFileKey()
    await store.put(key, temp.path)
    return { key, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), ...content }
  } finally {
    await temp.discard()
  }
}

export async function removeFiles(store: FileStore, stored: StoredFiles): Promise<void> {
  await Promise.all([...stored.values()].map(({ key }) => store.remove(key)))
}

/** Copies from nowhere: the addresses are invented and their files are stored already. */
export function copierOf(stored: StoredFiles): Copier {
  return {
    async copy({ url }) {
      const file = stored.get(url)
      if (!file) throw new Error(`the demo has no file ${url}`)
      return file
    },
  }
}
