import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newFileKey, type TempFile } from './file-store.ts'

/** Files that are being received, on a disk of this host. */
export interface TempFolder {
  create(): Promise<TempFile>
  /** Removes those of processes that were killed; returns how many. */
  clear(olderThanMs: number): Promise<number>
}

export function tempFolder(path: string): TempFolder {
  return {
    async create() {
      await makeFolder(path)
      const file = join(path, newFileKey())
      await (await open(file, 'wx', 0o600)).close()
      return { path: file, discard: () => rm(file, { force: true }) }
    },
    async clear(olderThanMs) {
      let removed = 0
      for (const name of (await unlessMissing(readdir(path))) ?? []) {
        const file = join(path, name)
        const found = await unlessMissing(stat(file))
        if (!found || found.mtimeMs > Date.now() - olderThanMs) continue
        await rm(file, { force: true })
        removed++
      }
      return removed
    },
  }
}

export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

export async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
