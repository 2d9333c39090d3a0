import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../file-store/file-store.ts'
import { digestOf, readLines } from './data-file.ts'
import { contentsOf, fileList, syncFolder } from './folder.ts'
import type { Data } from './manifest.ts'

/** A file of the store: its key, and what it holds where that is known. */
export interface ListedContents {
  key: string
  sha256: string | null
}

const keyForm = /^[a-z0-9]{16,64}$/

export function contentsPath(folder: string, key: string): string {
  if (!keyForm.test(key)) throw new Error(`"${key}" is no key of a file. Use another backup.`)
  return join(contentsOf(folder), key.slice(0, 2), key)
}

/**
 * Copies a file into the backup folder, unless an earlier backup has. What it holds never changes, so a name that is
 * there is a copy that is whole. Null where the store does not have it.
 */
export async function keepContents(
  folder: string,
  store: FileStore,
  { key, sha256 }: ListedContents,
): Promise<{ sha256: string; bytes: number; copied: boolean } | null> {
  const path = contentsPath(folder, key)
  const there = await stat(path).catch(() => null)
  if (there?.isFile()) {
    const known = sha256 ?? (await digestOf(path)).sha256
    return { sha256: known, bytes: there.size, copied: false }
  }
  const stored = await store.open(key)
  if (!stored) return null
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = join(contentsOf(folder), `.${randomBytes(8).toString('hex')}`)
  try {
    const written = await writeHashed(stored.stream, temporary)
    await rename(temporary, path)
    await syncFolder(dirname(path))
    return { ...written, copied: true }
  } finally {
    await rm(temporary, { force: true })
  }
}

async function writeHashed(from: Readable, path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  from.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    bytes += chunk.length
  })
  await pipeline(from, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  return { sha256: hash.digest('hex'), bytes }
}

/** Puts a file back into the store, unless it is there as it was. */
export async function putBackContents(
  folder: string,
  store: FileStore,
  key: string,
  sha256: string,
): Promise<number> {
  const there = await store.open(key)
  if (there && (await hashOf(there.stream)) === sha256) return there.size
  const path = contentsPath(folder, key)
  const temporary = await store.tempFile()
  try {
    await rm(temporary.path)
    const written = await writeHashed(createReadStream(path), temporary.path)
    if (written.sha256 !== sha256) throw new Error(`${path} is damaged: it does not hold what was backed up.`)
    // A key is written once; what is there is not what was backed up.
    if (there) await store.remove(key)
    await store.put(key, temporary.path)
    return written.bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`${path} is missing from the backup folder. Use another backup, or put it back.`)
    throw error
  } finally {
    await temporary.discard()
  }
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** The files of a backup, in the order of their keys. */
export async function* readFileList(
  backup: string,
  list: Data,
): AsyncGenerator<{ key: string; sha256: string; bytes: number }> {
  for await (const line of readLines(fileList(backup), list)) {
    const [key = '', sha256 = '', bytes = ''] = line.split('\t')
    yield { key, sha256, bytes: Number(bytes) }
  }
}

/** Removes contents that no backup lists any more, and what a killed backup left; answers how many. */
export async function removeUnlisted(
  folder: string,
  lists: AsyncGenerator<{ key: string }>[],
): Promise<number> {
  const heads = await Promise.all(lists.map((list) => list.next()))
  let removed = 0
  /** Whether a list has the key; each is read along, as keys come in order. */
  const isListed = async (key: string) => {
    let listed = false
    for (const [i, list] of lists.entries()) {
      while (!heads[i]!.done && (heads[i]!.value as { key: string }).key < key) heads[i] = await list.next()
      if (!heads[i]!.done && (heads[i]!.value as { key: string }).key === key) listed = true
    }
    return listed
  }
  const root = contentsOf(folder)
  for (const outer of (await readdir(root)).sort()) {
    if (outer.startsWith('.')) {
      await rm(join(root, outer), { force: true })
      continue
    }
    for (const key of (await readdir(join(root, outer))).sort()) {
      if (await isListed(key)) continue
      await rm(join(root, outer, key), { force: true })
      removed++
    }
  }
  return removed
}
