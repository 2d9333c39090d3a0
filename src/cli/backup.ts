import { relative, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { erasedListOf, readConfig } from '../config.ts'
import { type CreatedBackup, createBackup } from '../domain/operations/backups/create-backup.ts'
import { pruneBackups } from '../domain/operations/backups/prune-backups.ts'
import { verifyBackup } from '../domain/operations/backups/verify-backup.ts'
import { openErasedList } from '../domain/operations/privacy/erased-list.ts'
import { describeBackups } from '../platform/backup/folder.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { createLog } from '../platform/log.ts'
import { createProgress } from './energy-progress.ts'
import { interruptible } from './interruptible.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabaseUrl } from './with-database.ts'

interface Options extends Output {
  to?: string
  withoutKey?: boolean
  verify?: boolean
  keep?: number
}

function count(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('Use a whole number from 1 to 99999.')
  return Number(text)
}

/** Backups of everything: the database and the files, beside a running server or without one. */
export function backupCommands(program: Command): void {
  const backup = program
    .command('backup')
    // What stands behind "list" and "verify" is theirs, though some of it has the same name here.
    .enablePositionalOptions()
    .description('write the database and all files to a folder, while the server runs; restore reads it back')
    .option('--to <folder>', 'the folder of the backups; files that an earlier one has are not copied again')
    .option('--verify', 'read all of it back, and restore it on trial')
    .option('--keep <number>', 'leave so many backups in the folder and remove older ones', count)
    .option('--without-key', 'leave out secret.key and demo.json, which open what is encrypted')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      if (!options.to) throw new Error('Say where to: sunstead backup --to <folder>')
      await makeBackup(resolve(options.to), options)
    })
  backup
    .command('list')
    .description('list the backups of a folder')
    .requiredOption('--from <folder>', 'the folder of the backups')
    .option('--json', 'print JSON')
    .action(async (options: Output & { from: string }) =>
      printRows(await describeBackups(resolve(options.from)), options),
    )
  backup
    .command('verify')
    .description('read all of a backup back, and restore it on trial')
    .requiredOption('--from <folder>', 'a backup, or the folder of the backups, of which the newest is taken')
    .option('--json', 'print JSON')
    .action(async (options: Output & { from: string }) =>
      printRecord(await verified(resolve(options.from)), options),
    )
}

async function makeBackup(to: string, options: Options): Promise<void> {
  const made = await withDatabaseUrl(async (databaseUrl, config) => {
    const progress = createProgress()
    try {
      if (!relative(resolve(config.dataDir), to).startsWith('..'))
        console.error(`${to} is in DATA_DIR: what destroys the one destroys both. Name a folder elsewhere.`)
      const store = await openFileStore(config)
      return await interruptible('Interrupted: what was begun has been removed.', (signal) =>
        createBackup({
          databaseUrl,
          store,
          dataDir: config.dataDir,
          erasedList: openErasedList(erasedListOf(config), store),
          to,
          withoutKey: options.withoutKey ?? false,
          signal,
          onProgress: (text) => progress.show(null, text),
        }),
      )
    } finally {
      progress.end()
    }
  })
  const checked = options.verify ? await verified(made.path) : {}
  const pruned = options.keep ? await pruneBackups(to, options.keep) : null
  printRecord({ ...summaryOf(made), ...checked, ...(pruned ? { removed: pruned.backups } : {}) }, options)
  warn(made)
}

function summaryOf({ path, manifest, copied, ms }: CreatedBackup) {
  const { at, tables, files, kept } = manifest
  return {
    backup: path,
    at,
    rows: tables.reduce((sum, { data }) => sum + data.rows, 0),
    bytes: tables.reduce((sum, { data }) => sum + data.storedBytes, 0),
    files: files.list.rows,
    copied,
    secretKey: kept.includes('secret.key'),
    seconds: ms / 1_000,
  }
}

/** The backup is there, but not all that the records name. */
function warn({ manifest }: CreatedBackup): void {
  const { missing, damaged } = manifest.files
  if (missing.length > 0)
    console.error(`${missing.length} files are not in the store, and so not in the backup: ${some(missing)}`)
  if (damaged.length > 0)
    console.error(`${damaged.length} files are not what their records say: ${some(damaged)}`)
  if (missing.length + damaged.length > 0) process.exitCode = 1
}

const some = (keys: string[]) => keys.slice(0, 5).join(', ')

async function verified(from: string) {
  const progress = createProgress()
  try {
    const log = createLog(readConfig(process.env).logLevel)
    const onProgress = (text: string) => progress.show(null, text)
    const { backup, manifest, notTried } = await interruptible(
      'Interrupted before all of it was read back.',
      (signal) => verifyBackup({ from, log, signal, onProgress }),
    )
    return {
      backup,
      at: manifest.at,
      verified: true,
      'restored on trial': notTried === null ? 'yes' : `no: ${notTried}`,
    }
  } finally {
    progress.end()
  }
}
