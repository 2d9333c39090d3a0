import { open, opendir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileStore, idFile, isFileKey, namesOf, probe, type StoredFile } from './file-store.ts'
import { makeFolder, syncFolder, tempFolder, unlessMissing } from './temp-folder.ts'

/** Keeps files in a folder of this host, or of a disk that several share. */
export function folderStore(root: string): FileStore {
  // On the same disk: a file is taken over by giving it another name.
  const temps = tempFolder(join(root, 'tmp'))
  const pathOf = (key: string) => join(root, ...namesOf(key))

  async function put(key: string, tempPath: string): Promise<void> {
    const path = pathOf(key)
    await makeFolder(dirname(path))
    await sync(tempPath)
    await rename(tempPath, path)
    await syncFolder(dirname(path))
  }

  async function openStored(key: string, range?: { start: number; end: number }): Promise<StoredFile | null> {
    const handle = await unlessMissing(open(pathOf(key)))
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
          if (found && isFileKey(key)) yield { key, modifiedMs: found.mtimeMs }
        }
      }
    }
  }

  const store: FileStore = {
    tempFile: temps.create,
    put,
    open: openStored,
    size: async (key) => (await unlessMissing(stat(pathOf(key))))?.size ?? null,
    remove: (key) => rm(pathOf(key), { force: true }),
    list,
    deliveryAddress: async () => null,
    sharedLines: null,
    async readId() {
      return (await unlessMissing(readFile(join(root, idFile), 'utf8')))?.trim() || null
    },
    async writeId(id) {
      const temp = await temps.create()
      await writeFile(temp.path, id)
      await sync(temp.path)
      await rename(temp.path, join(root, idFile))
      await syncFolder(root)
    },
    clearStaleTemps: temps.clear,
    check: () => probe(store),
    close: async () => {},
  }
  return store
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}
