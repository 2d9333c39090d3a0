import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface ExportFile {
  /** `records` is how many of them these texts are: one each, unless said otherwise. */
  write(texts: readonly string[], records?: number): Promise<void>
  close(): Promise<void>
}

export interface ExportFolder {
  open(name: string): Promise<ExportFile>
  /** Puts bytes into a file of their own. */
  put(name: string, bytes: Readable): Promise<void>
  counts(): Record<string, number>
}

/**
 * Writes a folder under another name and gives it its own when all of it is there: whoever sees it sees all of it.
 * `onProgress` is told how many records there are so far.
 */
export async function writeFolder(
  path: string,
  work: (folder: ExportFolder) => Promise<object>,
  onProgress: (records: number) => void,
): Promise<void> {
  const partial = `${path}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  const counts: Record<string, number> = {}
  let records = 0
  const count = (name: string, added: number) => {
    counts[name] = (counts[name] ?? 0) + added
    records += added
    onProgress(records)
  }
  const inside = (name: string) => {
    const to = join(partial, name)
    if (!to.startsWith(partial + sep)) throw new Error(`${name} would be written outside of the export`)
    return to
  }
  const folder: ExportFolder = {
    async open(name) {
      const out = createWriteStream(inside(name), { mode: 0o600 })
      await once(out, 'open')
      count(name, 0)
      return {
        async write(texts, added = texts.length) {
          const text = texts.join('')
          // What is not on the disk yet is not read from the database either.
          if (text !== '' && !out.write(text)) await once(out, 'drain')
          count(name, added)
        },
        async close() {
          out.end()
          await once(out, 'close')
        },
      }
    },
    async put(name, bytes) {
      const to = inside(name)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await pipeline(bytes, createWriteStream(to, { mode: 0o600 }))
    },
    counts: () => counts,
  }
  try {
    const manifest = await work(folder)
    await writeFile(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
}
