import { randomUUID } from 'node:crypto'
import { chmod, copyFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { keepContents } from '../../../platform/backup/contents.ts'
import { saveCopy, saveTable } from '../../../platform/backup/copy-table.ts'
import { readLines, writeData } from '../../../platform/backup/data-file.ts'
import {
  erasedFile,
  fileList,
  jobsFile,
  openBackupFolder,
  tableFile,
} from '../../../platform/backup/folder.ts'
import { takeBackupLock } from '../../../platform/backup/lock.ts'
import { type Data, type Manifest, manifestName, manifestText } from '../../../platform/backup/manifest.ts'
import { readSequences, readTables, type Table } from '../../../platform/backup/schema.ts'
import { asDatabase, openSession, quoted, rowsOf } from '../../../platform/backup/session.ts'
import { currentTime } from '../../../platform/clock.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import type { LineList } from '../../../platform/line-file.ts'
import { readMigrations } from '../../../platform/migrate.ts'
import { version } from '../../../platform/version.ts'
import { findSetting, insertSetting } from '../../kernel/setting-queries.ts'
import { fullErasedList } from '../privacy/erased-list.ts'
import { jobsQuery, storedFilesQuery } from './queries.ts'

export interface BackupOptions {
  databaseUrl: string
  store: FileStore
  dataDir: string
  /** Where it is written down which leads were erased. */
  erasedList: LineList
  to: string
  /** Leaves out what opens things: the key file and demo.json. */
  withoutKey: boolean
  /** Ends it at the next step, with nothing left of it. */
  signal?: AbortSignal
  onProgress: (text: string) => void
}

export interface CreatedBackup {
  path: string
  manifest: Manifest
  /** Files that no earlier backup of the folder had. */
  copied: number
  ms: number
}

const installationSetting = 'installation'

/** Writes the database as it is at one moment, and every file that it names, beside a running server. */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const began = performance.now()
  const client = await openSession(options.databaseUrl, 'sunstead-backup')
  try {
    await takeBackupLock(client)
    const db = asDatabase(client)
    const { rows } = await client.query(`select to_regclass('public.companies') is not null as there`)
    if (!rows[0]?.there) throw new Error('There is nothing to back up: the database has no tables yet.')
    await insertSetting(db, { name: installationSetting, value: randomUUID() })
    const installation = (await findSetting(db, installationSetting))!
    const folder = await openBackupFolder(options.to, installation)
    try {
      const { unfinished } = folder
      const database = await saveDatabase(client, unfinished, options)
      // From here on no transaction is open; the lock keeps what the snapshot names from being removed.
      const files = await saveFiles(unfinished, database.listed, options)
      const manifest: Manifest = {
        format: 1,
        version,
        installation,
        ...database.manifest,
        files: files.manifest,
        ...(await saveErased(client, unfinished, database.manifest.tables, options)),
        kept: options.withoutKey ? [] : await keepOpeners(unfinished, options.dataDir),
        endedAt: currentTime().toISOString(),
      }
      const text = manifestText(manifest)
      await writeFile(join(unfinished, manifestName), text, { mode: 0o600, flag: 'wx', flush: true })
      const path = await folder.finish(new Date(manifest.at))
      return { path, manifest, copied: files.copied, ms: Math.round(performance.now() - began) }
    } finally {
      await folder.release()
    }
  } catch (error) {
    throw explained(error, options.to)
  } finally {
    await client.end()
  }
}

/** Everything that stands in the database, seen by one snapshot. */
async function saveDatabase(client: pg.Client, to: string, { onProgress, signal }: BackupOptions) {
  const holding = await startWithTables(client)
  const [moment] = await rowsOf<{ at: Date; snapshot: string; queue: boolean }>(
    client,
    `select now() as at, pg_current_snapshot()::text as snapshot,
       to_regclass('graphile_worker._private_jobs') is not null as queue`,
  )
  const { at, snapshot, queue } = moment!
  const tables: Manifest['tables'] = []
  for (const table of holding) {
    const data = await saveTable(client, table, tableFile(to, table.name))
    tables.push({ ...table, data })
    signal?.throwIfAborted()
    onProgress(`${tables.length} of ${holding.length} tables`)
  }
  const jobs = queue ? await saveCopy(client, jobsQuery, jobsFile(to)) : null
  const path = join(to, 'listed.zst')
  const listed = { path, data: await saveCopy(client, storedFilesQuery, path) }
  const sequences = await readSequences(client)
  const migrations = await appliedMigrations(client)
  await client.query('commit')
  return { listed, manifest: { at: at.toISOString(), snapshot, migrations, tables, sequences, jobs } }
}

/** A transaction that sees one moment, and tables that stay until it ends: a day of the log may be dropped just now. */
async function startWithTables(client: pg.Client): Promise<Table[]> {
  for (let tries = 1; ; tries++) {
    await client.query('begin isolation level repeatable read, read only')
    const { holding } = await readTables(client)
    try {
      const names = holding.map(({ name }) => `only ${quoted(name)}`)
      await client.query(`lock table ${names.join(', ')} in access share mode`)
      return holding
    } catch (error) {
      if ((error as pg.DatabaseError).code !== '42P01' || tries === 3) throw error
      await client.query('rollback')
    }
  }
}

/** What the database has, by the contents that this version knows them with. */
async function appliedMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]))
  const applied = await rowsOf<{ name: string }>(client, 'select name from migrations order by name')
  return applied.map(({ name }) => {
    const sha256 = known.get(name)
    if (sha256) return { name, sha256 }
    throw new Error(
      `The database has ${name}, which this version does not know. Back up by the newer version.`,
    )
  })
}

interface Listed {
  path: string
  data: Data
}

/** Copies what earlier backups do not have, and writes the list of all. */
async function saveFiles(unfinished: string, listed: Listed, options: BackupOptions) {
  const { to, store, signal, onProgress } = options
  const [missing, damaged]: [string[], string[]] = [[], []]
  let [copied, seen, total] = [0, 0, 0]
  async function* lines() {
    for await (const line of readLines(listed.path, listed.data)) {
      signal?.throwIfAborted()
      const [key = '', known] = line.split('\t')
      const sha256 = known && known !== '\\N' ? known : null
      const kept = await keepContents(to, store, { key, sha256 })
      onProgress(`${++seen} of ${listed.data.rows} files`)
      if (!kept) {
        missing.push(key)
        continue
      }
      if (sha256 !== null && kept.sha256 !== sha256) damaged.push(key)
      if (kept.copied) copied++
      total += kept.bytes
      yield `${key}\t${kept.sha256}\t${kept.bytes}\n`
    }
  }
  const list = await writeData(fileList(unfinished), Readable.from(lines()))
  await rm(listed.path)
  return { copied, manifest: { list, bytes: total, missing, damaged } }
}

/** Who was erased until now, later than the snapshot: what names them in it is erased when it is restored. */
async function saveErased(
  client: pg.Client,
  unfinished: string,
  tables: Manifest['tables'],
  { erasedList }: BackupOptions,
): Promise<Pick<Manifest, 'erased'>> {
  if (!tables.some(({ name }) => name === 'erasures')) return {}
  const list = await erasedList.read()
  async function* lines() {
    for await (const line of fullErasedList(asDatabase(client), list)) yield `${line}\n`
  }
  return { erased: await writeData(erasedFile(unfinished), Readable.from(lines())) }
}

/** What opens things comes along as files of their own, last: a key that was renewed meanwhile holds the old one too. */
async function keepOpeners(unfinished: string, dataDir: string): Promise<Manifest['kept']> {
  const kept: Manifest['kept'] = []
  for (const name of ['secret.key', 'demo.json'] as const) {
    try {
      await copyFile(join(dataDir, name), join(unfinished, name))
      await chmod(join(unfinished, name), 0o600)
      kept.push(name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return kept
}

const unusable = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR']

function explained(error: unknown, to: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Error(
      `The disk of ${to} is full. What was begun has been removed, and earlier backups are as they were. Free some space, or name another folder.`,
      { cause: error },
    )
  }
  const isTheirs = path === undefined || !relative(to, path).startsWith('..')
  if (isTheirs && code !== undefined && unusable.includes(code)) {
    return new Error(`${to} cannot be written to (${code}). Name another folder, or run this as its owner.`, {
      cause: error,
    })
  }
  return error
}
