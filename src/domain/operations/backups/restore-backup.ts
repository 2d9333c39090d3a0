import { chmod, copyFile, mkdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { putBackContents, readFileList } from '../../../platform/backup/contents.ts'
import { erasedFile, fileList, findBackup, jobsFile, tableFile } from '../../../platform/backup/folder.ts'
import { checkMigrations, loadDatabase } from '../../../platform/backup/load-database.ts'
import { type Manifest, readManifest } from '../../../platform/backup/manifest.ts'
import { readTables } from '../../../platform/backup/schema.ts'
import { asDatabase, openSession, rowsOf } from '../../../platform/backup/session.ts'
import { distribute, hasCitus } from '../../../platform/citus/distribute.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import type { LineList } from '../../../platform/line-file.ts'
import type { Log } from '../../../platform/log.ts'
import { migrateQueue } from '../../../platform/queue.ts'
import { joinStore, newStoreId, storeSetting } from '../../deals/files/join-store.ts'
import { findSetting, saveSetting } from '../../kernel/setting-queries.ts'
import { collectErased } from './collect-erased.ts'
import { holdsRecords } from './queries.ts'

export interface RestoreOptions {
  databaseUrl: string
  store: FileStore
  dataDir: string
  /** Where it is written down which leads were erased: who stands there is to be erased again. */
  erasedList: LineList
  /** A backup, or a folder of backups, of which the newest is taken. */
  from: string
  /** Replaces what is there. */
  force: boolean
  /** Of the environment, where the key is not a file. */
  hasSecretKey: boolean
  log: Log
  /** Ends it at the next step, with nothing replaced. */
  signal?: AbortSignal
  onProgress: (text: string) => void
}

export interface Restored {
  backup: string
  manifest: Manifest
  bytes: number
  /** Backups of the folder whose list of who was erased cannot be read. */
  unreadLists: string[]
  ms: number
}

/**
 * Brings a database and its files back as a backup has them: all of it, or nothing. Who was erased since is put on the
 * list first, so that the next start erases them again where nobody does before.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { databaseUrl, dataDir, store, log, signal } = options
  const onProgress = (text: string) => {
    signal?.throwIfAborted()
    options.onProgress(text)
  }
  const began = performance.now()
  const { folder, backup } = await findBackup(options.from)
  const manifest = await readManifest(backup)
  await checkMigrations(manifest)
  await checkSizes(backup, manifest)
  await checkKeyFile(backup, manifest, options)
  const erased = await collectErased(folder, backup, options.erasedList)
  const client = await openSession(databaseUrl, 'sunstead-restore')
  try {
    await checkTarget(client, options)
    const storeId = await checkStore(client, options)
    await migrateQueue(databaseUrl, log)
    // Files come first: until a record names them they are nothing, and what is not wanted is swept up.
    const bytes = await restoreFiles(folder, backup, manifest, store, onProgress)
    await client.query('begin')
    await client.query(`set local lock_timeout = '30s'`)
    await loadDatabase(client, backup, manifest, onProgress)
    await saveSetting(asDatabase(client), { name: storeSetting, value: storeId ?? newStoreId() })
    const openers = await layOpeners(backup, manifest, options)
    signal?.throwIfAborted()
    if (erased.lines.length > 0) await options.erasedList.append(erased.lines)
    await client.query('commit')
    for (const { from, to } of openers) await rename(from, to)
    await joinStore(asDatabase(client), store, { anyway: true })
    if (await hasCitus(client)) await distribute(client, onProgress)
    options.onProgress('looking at what is there')
    await client.query('analyze')
    const ms = Math.round(performance.now() - began)
    return { backup, manifest, bytes, unreadLists: erased.unread, ms }
  } catch (error) {
    throw explained(error, dataDir)
  } finally {
    // A transaction that was not committed is gone with its connection.
    await client.end()
  }
}

/** What is cut off shows before anything is begun. */
async function checkSizes(backup: string, { tables, jobs, files, erased }: Manifest): Promise<void> {
  const expected = [
    ...tables.map(({ name, data }) => ({ path: tableFile(backup, name), data })),
    ...(jobs ? [{ path: jobsFile(backup), data: jobs }] : []),
    { path: fileList(backup), data: files.list },
    ...(erased ? [{ path: erasedFile(backup), data: erased }] : []),
  ]
  for (const { path, data } of expected) {
    const found = await stat(path).catch(() => null)
    if (found?.size !== data.storedBytes)
      throw new Error(`${path} is ${found ? 'cut off or damaged' : 'missing'}. Use another backup.`)
  }
}

/** Refuses a database that is used, or is somebody else's. The embedded one's server is ourselves. */
async function checkTarget(client: pg.Client, { force }: RestoreOptions): Promise<void> {
  const others = await rowsOf<{ name: string }>(
    client,
    `select application_name as name from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name like 'sunstead%' and application_name not like 'sunstead server %'`,
  )
  if (others.length > 0) {
    throw new Error('A Sunstead server or command uses this database. Stop it first, then restore.')
  }
  const { all, foreign } = await readTables(client)
  if (foreign.length > 0) {
    throw new Error(
      `The database holds tables that are not Sunstead's (${foreign.slice(0, 3).join(', ')}). Name an empty database.`,
    )
  }
  if (force || !all.includes('companies') || !all.includes('auth_users')) return
  if (!(await holdsRecords(asDatabase(client), {})).holds) return
  throw new Error('The database is not empty. To replace what it holds by the backup, add --force.')
}

/** Refuses a store in which another database has its files. Answers the name of one that has a name. */
async function checkStore(client: pg.Client, { force, store }: RestoreOptions): Promise<string | null> {
  const found = await store.readId()
  if (found === null || force) return found
  const { all } = await readTables(client)
  const known = all.includes('settings') ? await findSetting(asDatabase(client), storeSetting) : null
  if (found === known) return found
  throw new Error(
    'The store that STORAGE_URL names holds files of another database. Name an empty store; to bring the backup back for ' +
      'good where that database is lost, add --force.',
  )
}

async function restoreFiles(
  folder: string,
  backup: string,
  { files }: Manifest,
  store: FileStore,
  onProgress: (text: string) => void,
): Promise<number> {
  let [bytes, seen] = [0, 0]
  for await (const { key, sha256 } of readFileList(backup, files.list)) {
    bytes += await putBackContents(folder, store, key, sha256)
    onProgress(`${++seen} of ${files.list.rows} files`)
  }
  return bytes
}

/** A key that is there and another would be lost. */
async function checkKeyFile(backup: string, { kept }: Manifest, options: RestoreOptions): Promise<void> {
  if (!kept.includes('secret.key') || options.hasSecretKey) return
  const ours = join(options.dataDir, 'secret.key')
  const there = await readFile(ours, 'utf8').catch(() => null)
  if (there === null || options.force || there === (await readFile(join(backup, 'secret.key'), 'utf8')))
    return
  throw new Error(
    `${ours} is another key than that of the backup. Move it away where it is not needed any more, or add --force, which keeps it as secret.key.before.`,
  )
}

/** Lays the files beside those that they replace, so that all that is left to do after the commit is to rename them. */
async function layOpeners(backup: string, { kept }: Manifest, { dataDir, hasSecretKey }: RestoreOptions) {
  const laid: { from: string; to: string }[] = []
  await mkdir(dataDir, { recursive: true })
  for (const name of kept) {
    if (name === 'secret.key' && hasSecretKey) continue
    const to = join(dataDir, name)
    const from = `${to}.restored`
    await copyFile(join(backup, name), from)
    await chmod(from, 0o600)
    const there = await readFile(to, 'utf8').catch(() => null)
    if (there !== null && name === 'secret.key' && there !== (await readFile(from, 'utf8')))
      await copyFile(to, `${to}.before`)
    laid.push({ from, to })
  }
  return laid
}

function explained(error: unknown, dataDir: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') {
    const where = code === '53100' ? 'the database' : dataDir
    return new Error(
      `The disk of ${where} is full. Nothing has been replaced. Free some space and restore again.`,
      { cause: error },
    )
  }
  if (code === '55P03')
    return new Error('Somebody else uses the database. Stop every server first, then restore.', {
      cause: error,
    })
  return error
}
