import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { type Manifest, manifestName, readManifest } from './manifest.ts'

const unfinishedPrefix = '.unfinished-'
const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/
const ownerName = 'sunstead-backups.json'

/** The folder with the contents of files that all backups of a folder share. */
export const contentsOf = (folder: string) => join(folder, 'files')
export const tableFile = (backup: string, table: string) => join(backup, 'tables', `${table}.zst`)
export const jobsFile = (backup: string) => join(backup, 'jobs.zst')
export const erasedFile = (backup: string) => join(backup, 'erased-leads.zst')
export const fileList = (backup: string) => join(backup, 'files.zst')

/** The names of the backups that are whole, the oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`There is no folder ${folder}.`)
    if (error.code === 'ENOTDIR') throw new Error(`${folder} is no folder. Name the folder of the backups.`)
    if (error.code === 'EACCES')
      throw new Error(`${folder} cannot be read (EACCES). Run this as its owner.`, { cause: error })
    throw error
  })
  return names.filter((name) => backupName.test(name) && existsSync(join(folder, name, manifestName))).sort()
}

/** The backup that a path means: itself, or the newest that is in it. */
export async function findBackup(path: string): Promise<{ folder: string; backup: string }> {
  if (existsSync(join(path, manifestName))) return { folder: dirname(path), backup: path }
  const newest = (await listBackups(path)).at(-1)
  if (!newest) throw new Error(`There is no whole backup in ${path}.`)
  return { folder: path, backup: join(path, newest) }
}

export interface BackupFolder {
  /** Where the backup is written until it is whole. */
  unfinished: string
  /** Gives it its name, which says that it is whole. */
  finish(at: Date): Promise<string>
  /** Lets go; what is unfinished is removed. */
  release(): Promise<void>
}

/** Takes a folder for one backup; another one at the same time is refused. */
export async function openBackupFolder(folder: string, installation: string): Promise<BackupFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = join(folder, '.lock')
  await takeLock(lock, folder)
  try {
    await checkOwner(folder, installation)
    for (const name of await readdir(folder)) {
      if (name.startsWith(unfinishedPrefix)) await rm(join(folder, name), { recursive: true, force: true })
    }
    const unfinished = join(folder, `${unfinishedPrefix}${process.pid}`)
    await mkdir(join(unfinished, 'tables'), { recursive: true, mode: 0o700 })
    await mkdir(contentsOf(folder), { recursive: true, mode: 0o700 })
    return {
      unfinished,
      async finish(at) {
        const name = at.toISOString().replaceAll(':', '-')
        for (const made of [join(unfinished, 'tables'), unfinished]) await syncFolder(made)
        await rename(unfinished, join(folder, name))
        await syncFolder(folder)
        return join(folder, name)
      },
      async release() {
        await rm(unfinished, { recursive: true, force: true })
        await rm(lock, { force: true })
      },
    }
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
}

/** Two databases in one folder would prune each other's backups. */
async function checkOwner(folder: string, installation: string): Promise<void> {
  const path = join(folder, ownerName)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return writeFile(path, `${JSON.stringify({ installation })}\n`, { mode: 0o600 })
  const owner = (JSON.parse(text) as { installation?: string }).installation
  if (owner === installation) return
  throw new Error(`${folder} holds the backups of another database. Name another folder.`)
}

async function takeLock(path: string, folder: string): Promise<void> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() })
  for (let tries = 0; tries < 2; tries++) {
    try {
      const file = await open(path, 'wx', 0o600)
      await file.writeFile(mine).finally(() => file.close())
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readFile(path, 'utf8').catch(() => '')
    if (isHeld(holder)) break
    await rm(path, { force: true })
  }
  throw new Error(
    `Another backup into ${folder} is under way. Wait for it to end; where none is, delete ${path}.`,
  )
}

/** A killed one leaves its lock behind: on this host it shows. */
function isHeld(holder: string): boolean {
  try {
    const { pid, host } = JSON.parse(holder) as { pid: number; host: string }
    if (host !== hostname()) return true
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Takes a backup away; first what says that it is whole. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  await rm(join(folder, name, manifestName))
  await rm(join(folder, name), { recursive: true, force: true })
}

/** A line for each backup, the newest first; one that is damaged hides no other. */
export async function describeBackups(folder: string) {
  const found = []
  for (const name of (await listBackups(folder)).reverse()) {
    const manifest = await readManifest(join(folder, name)).catch(() => null)
    const { tables = [], files, kept = [] } = manifest ?? ({} as Partial<Manifest>)
    found.push({
      backup: name,
      version: manifest?.version ?? 'damaged',
      rows: tables.reduce((sum, { data }) => sum + data.rows, 0),
      bytes: tables.reduce((sum, { data }) => sum + data.storedBytes, 0),
      files: files?.list.rows ?? 0,
      secretKey: kept.includes('secret.key'),
    })
  }
  return found
}

export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
