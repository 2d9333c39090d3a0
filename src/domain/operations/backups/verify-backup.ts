import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { contentsPath, readFileList } from '../../../platform/backup/contents.ts'
import { digestOf, readData } from '../../../platform/backup/data-file.ts'
import { erasedFile, findBackup, jobsFile, tableFile } from '../../../platform/backup/folder.ts'
import { checkMigrations, loadDatabase } from '../../../platform/backup/load-database.ts'
import { type Manifest, readManifest } from '../../../platform/backup/manifest.ts'
import { openSession } from '../../../platform/backup/session.ts'
import { openEmbeddedPostgres } from '../../../platform/embedded-postgres/embedded-postgres.ts'
import type { Log } from '../../../platform/log.ts'
import { migrateQueue } from '../../../platform/queue.ts'

export interface VerifyOptions {
  from: string
  log: Log
  /** Ends it at the next step. */
  signal?: AbortSignal
  onProgress: (text: string) => void
}

export interface Verified {
  backup: string
  manifest: Manifest
  /** Null where it was restored on trial; else why it was not. */
  notTried: string | null
}

/** Reads all of a backup back, and restores its database on trial, into a PostgreSQL that is made for it. */
export async function verifyBackup({ from, log, signal, ...options }: VerifyOptions): Promise<Verified> {
  const onProgress = (text: string) => {
    signal?.throwIfAborted()
    options.onProgress(text)
  }
  const { folder, backup } = await findBackup(from)
  const manifest = await readManifest(backup)
  await checkMigrations(manifest)
  const { tables, jobs, files, erased, kept } = manifest
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })
  let seen = 0
  for await (const { key, sha256, bytes } of readFileList(backup, files.list)) {
    const path = contentsPath(folder, key)
    const found = await digestOf(path).catch(() => null)
    if (found?.sha256 !== sha256 || found.bytes !== bytes)
      throw new Error(`${path} is ${found ? 'damaged' : 'missing'}: this file cannot be restored.`)
    onProgress(`${++seen} of ${files.list.rows} files read back`)
  }
  if (erased) await readData(erasedFile(backup), erased, nowhere())
  for (const name of kept) {
    if ((await readFile(join(backup, name)).catch(() => null)) === null)
      throw new Error(`${join(backup, name)} is missing.`)
  }
  const notTried = await tryRestoring(backup, manifest, log, onProgress)
  if (notTried !== null) {
    for (const { name, data } of tables) {
      await readData(tableFile(backup, name), data, nowhere())
      onProgress(`${name} read back`)
    }
    if (jobs) await readData(jobsFile(backup), jobs, nowhere())
  }
  return { backup, manifest, notTried }
}

// What rows and their indexes take on disk is some three times their text.
const spaceFactor = 4

async function tryRestoring(
  backup: string,
  manifest: Manifest,
  log: Log,
  onProgress: (text: string) => void,
): Promise<string | null> {
  if (process.platform === 'win32') return 'the embedded PostgreSQL does not run on Windows'
  const needed = manifest.tables.reduce((sum, { data }) => sum + data.bytes, 0) * spaceFactor
  const { bavail, bsize } = await statfs(tmpdir())
  if (bavail * bsize < needed + 500_000_000) {
    return `${tmpdir()} has too little space for a trial (set TMPDIR to another folder)`
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-trial-'))
  try {
    // The user that PostgreSQL runs as when we are root must be able to enter it; the database itself is shut.
    await chmod(dataDir, 0o711)
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
    const postgres = await openEmbeddedPostgres({ dataDir, role: 'server', settings })
    try {
      await migrateQueue(postgres.url, log)
      const client = await openSession(postgres.url, 'sunstead-restore')
      try {
        await client.query('begin')
        await loadDatabase(client, backup, manifest, onProgress)
        await client.query('rollback')
      } finally {
        await client.end()
      }
    } finally {
      await postgres.close()
    }
    return null
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
