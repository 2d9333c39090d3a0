import { randomBytes } from 'node:crypto'
import { chown, link, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What DATA_DIR/postgres.json says: enough to find the cluster and to connect to it. */
export interface ClusterRecord {
  /** Folder of the cluster; relative to DATA_DIR when inside it, so that DATA_DIR can be moved. */
  cluster: string
  /** False until initdb has finished: only then does a missing cluster mean a lost one. */
  made: boolean
  /** Of the role that owns the cluster, a superuser: to make and to mend the application's. */
  password: string
  /** Of the role that the application has; not there where an earlier version made the cluster. */
  applicationPassword?: string
  /** Null when PostgreSQL runs as the user who starts us. */
  serviceUser: string | null
  /** Of the last start; the running server's own postmaster.pid is what counts. */
  binaries: string | null
  socketDir: string | null
}

const recordFile = (dataDir: string) => join(dataDir, 'postgres.json')

export async function readRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  const file = recordFile(dataDir)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code !== 'EACCES') throw error
    throw new Error(
      `${file} belongs to another user. Start Sunstead as the user who made DATA_DIR, or as root.`,
    )
  }
  try {
    const record = JSON.parse(text) as ClusterRecord
    if (typeof record.cluster === 'string' && typeof record.password === 'string') return record
  } catch {}
  throw new Error(`${file} is damaged. Restore it from a backup, or delete DATA_DIR to start again.`)
}

async function writeBeside(dataDir: string, record: ClusterRecord): Promise<string> {
  const file = `${recordFile(dataDir)}.${randomBytes(6).toString('hex')}`
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await giveToFolderOwner(file, dataDir)
  return file
}

/** So that a command run once with sudo does not lock out the ordinary user who owns DATA_DIR. */
export async function giveToFolderOwner(file: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(folder)
  await chown(file, uid, gid)
}

/** Writes the first record. Of several at once one wins, and all get the winner's. */
export async function createRecord(dataDir: string, record: ClusterRecord): Promise<ClusterRecord> {
  const file = await writeBeside(dataDir, record)
  try {
    await link(file, recordFile(dataDir))
    return record
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readRecord(dataDir)) ?? record
  } finally {
    await rm(file)
  }
}

export async function updateRecord(dataDir: string, change: Partial<ClusterRecord>): Promise<void> {
  const before = await readRecord(dataDir)
  if (before === undefined) return
  const after = { ...before, ...change }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  await rename(await writeBeside(dataDir, after), recordFile(dataDir))
}
