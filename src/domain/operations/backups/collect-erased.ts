import { join } from 'node:path'
import { readLines } from '../../../platform/backup/data-file.ts'
import { erasedFile, listBackups } from '../../../platform/backup/folder.ts'
import { readManifest } from '../../../platform/backup/manifest.ts'
import type { LineList } from '../../../platform/line-file.ts'
import { readErasedList } from '../privacy/erased-list.ts'

/**
 * Who was erased by what any backup of the folder knows, newer ones than the one to be restored included, and is not on
 * the given list yet. One that cannot be read is named: it must not keep the others from being restored.
 */
export async function collectErased(
  folder: string,
  backup: string,
  erasedList: LineList,
): Promise<{ lines: string[]; unread: string[] }> {
  const known = new Set(readErasedList(await erasedList.read()).keys())
  const paths = new Set([...(await listBackups(folder)).map((name) => join(folder, name)), backup])
  const lines: string[] = []
  const unread: string[] = []
  for (const path of paths) {
    try {
      const { erased } = await readManifest(path)
      if (!erased) continue
      for await (const line of readLines(erasedFile(path), erased))
        for (const key of readErasedList(line).keys()) {
          if (!known.has(key)) lines.push(line)
          known.add(key)
        }
    } catch (error) {
      if (path === backup) throw error
      unread.push(path)
    }
  }
  return { lines, unread }
}
