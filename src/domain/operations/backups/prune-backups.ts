import { join } from 'node:path'
import { readFileList, removeUnlisted } from '../../../platform/backup/contents.ts'
import { digestOf } from '../../../platform/backup/data-file.ts'
import { fileList, listBackups, removeBackup } from '../../../platform/backup/folder.ts'
import { readManifest } from '../../../platform/backup/manifest.ts'

/** Leaves the newest backups of a folder, and the files that they list. */
export async function pruneBackups(
  folder: string,
  keep: number,
): Promise<{ backups: number; files: number }> {
  const names = await listBackups(folder)
  const old = names.slice(0, -keep)
  for (const name of old) await removeBackup(folder, name)
  const lists = []
  for (const name of names.slice(-keep)) {
    const backup = join(folder, name)
    const { files } = await readManifest(backup)
    // A list that is damaged would not name what its backup needs.
    if ((await digestOf(fileList(backup))).sha256 !== files.list.sha256)
      throw new Error(`${fileList(backup)} is damaged, so no files are removed. Delete that backup.`)
    lists.push(readFileList(backup, files.list))
  }
  return { backups: old.length, files: await removeUnlisted(folder, lists) }
}
