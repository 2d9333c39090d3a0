import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { type ContentType, sniffFile } from '../platform/contents/content-type.ts'
import { type FileStore, newFileKey } from '../platform/file-store/file-store.ts'
import type { CopiedFile, Copier } from '../platform/outbound/copy-from-address.ts'
import { createWaitQueue } from '../platform/wait-queue.ts'
import type { DemoFile } from './step.ts'

export interface StoredFiles {
  /** Copies from nowhere: the addresses are invented, and a file is handed out once it is stored. */
  copier: Copier
  /** Takes all of them out of the store again. */
  remove(): Promise<void>
}

const atOnce = 8

/** Begins to put the files into the store, in their order, and does not wait for the end of it. */
export function storeFiles(store: FileStore, files: readonly DemoFile[]): StoredFiles {
  const inLine = createWaitQueue({ concurrency: atOnce, maxWaiting: files.length })
  const copies = new Map(files.map((file) => [file.url, inLine(() => storeFile(store, file))]))
  // A failure shows where the file is asked for.
  for (const copy of copies.values()) copy.catch(() => {})
  return {
    copier: {
      async copy({ url }) {
        const copy = copies.get(url)
        if (!copy) throw new Error(`the demo has no file ${url}`)
        return copy
      },
    },
    async remove() {
      const ended = await Promise.allSettled(copies.values())
      await Promise.all(
        ended.map((copy) => (copy.status === 'fulfilled' ? store.remove(copy.value.key) : null)),
      )
    },
  }
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

const kinds = new Map<string, Promise<ContentType>>()

/** Files of one ending are all made alike, so the first tells what the others are. */
function kindOf(path: string, name: string): Promise<ContentType> {
  const ending = extname(name)
  const kind = kinds.get(ending) ?? sniffFile(path, { name })
  kinds.set(ending, kind)
  return kind
}
