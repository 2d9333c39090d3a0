import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, erasedListOf, readConfig } from '../config.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { restoreBackup } from '../domain/operations/backups/restore-backup.ts'
import { eraseAgain } from '../domain/operations/privacy/erase-again.ts'
import { openErasedList } from '../domain/operations/privacy/erased-list.ts'
import { openSecretBox, WrongSecretKey } from '../domain/operations/secrets/open-secret-box.ts'
import { findBackup } from '../platform/backup/folder.ts'
import { readManifest } from '../platform/backup/manifest.ts'
import type { Database } from '../platform/db.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { createLog } from '../platform/log.ts'
import { openConfiguredDatabase } from '../platform/open-database.ts'
import { createProgress } from './energy-progress.ts'
import { erasureDeps } from './erasure-deps.ts'
import { interruptible } from './interruptible.ts'
import { type Output, printRecord } from './print.ts'

interface Options extends Output {
  from: string
  force?: boolean
}

export function restoreCommand(program: Command): void {
  program
    .command('restore')
    .description('bring back what a backup holds, into an empty database and file store; no server may run')
    .requiredOption('--from <folder>', 'a backup, or the folder of the backups, of which the newest is taken')
    .option('--force', 'replace what the database holds')
    .option('--json', 'print JSON')
    .action(restore)
}

async function restore(options: Options): Promise<void> {
  const config = readConfig(process.env)
  const from = resolve(options.from)
  // Before anything is opened: a path that was mistyped must not make a database.
  await readManifest((await findBackup(from)).backup)
  // As a server, so that none is running nor starts meanwhile.
  const database = await openConfiguredDatabase(config, 'server', () => {}, {
    onWait: (message) => console.error(message),
  })
  try {
    const { manifest, backup, bytes, unreadLists, ms } = await bringBack(config, database.url, from, options)
    const erasedAgain = await eraseListed(database.jobsDb, config)
    printRecord(
      {
        restored: backup,
        at: manifest.at,
        tables: manifest.tables.length,
        rows: manifest.tables.reduce((sum, { data }) => sum + data.rows, 0),
        files: manifest.files.list.rows,
        fileBytes: bytes,
        erasedAgain,
        seconds: ms / 1_000,
      },
      options,
    )
    for (const path of unreadLists) {
      console.error(
        `Who was erased by the time of ${path} cannot be read: somebody erased since may be back.`,
      )
      process.exitCode = 1
    }
    await checkKey(database.jobsDb, config)
  } finally {
    await database.close()
  }
}

async function bringBack(config: Config, databaseUrl: string, from: string, { force = false }: Options) {
  const progress = createProgress()
  try {
    const store = await openFileStore(config)
    return await interruptible('Interrupted. Nothing has been replaced.', (signal) =>
      restoreBackup({
        databaseUrl,
        store,
        dataDir: config.dataDir,
        erasedList: openErasedList(erasedListOf(config), store),
        from,
        force,
        hasSecretKey: config.secretKeys !== null,
        log: createLog('warn'),
        signal,
        onProgress: (text) => progress.show(null, text),
      }),
    )
  } finally {
    progress.end()
  }
}

/** Who was erased after the backup was made is in it, and must not be there again. */
async function eraseListed(db: Database, config: Config): Promise<number> {
  const message =
    'Interrupted. Everything is back, and with it some who were erased: the next start erases them again.'
  const deps = await erasureDeps(config)
  const list = await openErasedList(erasedListOf(config), deps.store).read()
  const { erased } = await interruptible(message, (signal) =>
    eraseAgain(db, createDirectories(), deps, list, signal),
  )
  return erased
}

async function checkKey(db: Database, config: Config): Promise<void> {
  await openSecretBox(db, config).catch((error) => {
    if (!(error instanceof WrongSecretKey)) throw error
    console.error(`Everything is back but the key: ${error.message}`)
    process.exitCode = 1
  })
}
