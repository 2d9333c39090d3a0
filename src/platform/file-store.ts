import { randomBytes } from 'node:crypto'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type StoredFile = { size: number; stream: Readable }

/** Where copies of files are kept. A key is written once and never changes its contents. */
export type FileStore = {
  /** A private file to write to before `put`; `discard` removes it and is harmless after `put`. */
  tempFile(): Promise<{ path: string; discard(): Promise<void> }>
  /** Takes the temp file over; when it resolves, the file outlives a power cut. */
  put(key: string, tempPath: string): Promise<void>
  /** `end` is the last byte wanted. Null when there is no such file. */
  open(key: string, range?: { start: number; end: number }): Promise<StoredFile | null>
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  list(): AsyncIterable<{ key: string; modifiedMs: number }>
  /** Removes what a killed process left behind; returns how many. */
  clearStaleTemps(olderThanMs: number): Promise<number>
  /** Writes, reads and removes a probe; rejects when the store does not work. */
  check(): Promise<void>
}

/** 160 random bits: also fit to be the unguessable part of an address. */
export function newFileKey(): string {
  return randomBytes(20).toString('hex')
}

export function createFileStore(url: string): FileStore {
  if (!url.startsWith('file:')) {
    throw new Error('STORAGE_URL must begin with file: (other stores are not supported yet)')
  }
  // "file:./data/files" is a path as the operator writes it, which a URL parser would make absolute.
  return folderStore(url.startsWith('file://') ? fileURLToPath(url) : resolve(url.slice('file:'.length)))
}

function folderStore(root: string): FileStore {
  const tempFolder = join(root, 'tmp')

  async function tempFile() {
    await makeFolder(tempFolder)
    const path = join(tempFolder, newFileKey())
    await (await open(path, 'wx', 0o600)).close()
    return { path, discard: () => rm(path, { force: true }) }
  }

  async function put(key: string, tempPath: string): Promise<void> {
    const path = pathOf(root, key)
    await makeFolder(dirname(path))
    await sync(tempPath)
    await rename(tempPath, path)
    await syncFolder(dirname(path))
  }

  async function openStored(key: string, range?: { start: number; end: number }): Promise<StoredFile | null> {
    const handle = await unlessMissing(open(pathOf(root, key)))
    if (!handle) return null
    try {
      const { size } = await handle.stat()
      return { size, stream: handle.createReadStream(range) }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async function* list() {
    if (!(await unlessMissing(stat(root)))) return
    for await (const outer of await opendir(root)) {
      if (!/^[a-z0-9]{2}$/.test(outer.name)) continue
      for (const inner of await readdir(join(root, outer.name))) {
        for (const key of await readdir(join(root, outer.name, inner))) {
          const found = await unlessMissing(stat(join(root, outer.name, inner, key)))
          if (found && keyForm.test(key)) yield { key, modifiedMs: found.mtimeMs }
        }
      }
    }
  }

  async function clearStaleTemps(olderThanMs: number): Promise<number> {
    let removed = 0
    for (const name of (await unlessMissing(readdir(tempFolder))) ?? []) {
      const path = join(tempFolder, name)
      const found = await unlessMissing(stat(path))
      if (!found || found.mtimeMs > Date.now() - olderThanMs) continue
      await rm(path, { force: true })
      removed++
    }
    return removed
  }

  async function check(): Promise<void> {
    const probe = randomBytes(64)
    const key = newFileKey()
    const temp = await tempFile()
    try {
      const file = await open(temp.path, 'r+')
      await file.writeFile(probe).finally(() => file.close())
      await put(key, temp.path)
      const stored = await openStored(key)
      if (!stored || !probe.equals(await buffer(stored.stream))) {
        throw new Error('the file store does not give back what was put into it')
      }
    } finally {
      await temp.discard()
      await rm(pathOf(root, key), { force: true })
    }
  }

  return {
    tempFile,
    put,
    open: openStored,
    size: async (key) => (await unlessMissing(stat(pathOf(root, key))))?.size ?? null,
    remove: (key) => rm(pathOf(root, key), { force: true }),
    list,
    clearStaleTemps,
    check,
  }
}

const keyForm = /^[a-z0-9]{16,64}$/

/** Two levels of 36² names at most keep every folder small with millions of files. */
function pathOf(root: string, key: string): string {
  if (!keyForm.test(key)) throw new Error('a file key must be 16 to 64 lower-case letters and digits')
  return join(root, key.slice(0, 2), key.slice(2, 4), key)
}

async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (!first) return
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
