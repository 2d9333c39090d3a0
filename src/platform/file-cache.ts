import { readFile, stat } from 'node:fs/promises'

export interface FileCache {
  /** Its bytes, the same ones for everybody who asks: they must not be changed. Null where there is no such file. */
  read(path: string): Promise<Buffer | null>
}

/**
 * Files that are the same for everybody, read once. However many take them slowly, they share the bytes; a file that was
 * replaced is read again.
 */
export function createFileCache(maxFiles: number): FileCache {
  const kept = new Map<string, { mark: string; bytes: Promise<Buffer> }>()
  return {
    async read(path) {
      const found = await stat(path).catch(() => null)
      if (!found?.isFile()) return null
      const mark = `${found.ino} ${found.size} ${found.mtimeMs}`
      const known = kept.get(path)
      if (known?.mark === mark) return known.bytes
      const bytes = readFile(path)
      bytes.catch(() => kept.delete(path))
      if (kept.size >= maxFiles) kept.delete(kept.keys().next().value!)
      kept.set(path, { mark, bytes })
      return bytes
    },
  }
}
