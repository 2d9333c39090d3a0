import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../config.ts'
import { restoreBackup } from '../domain/backups/restore-backup.ts'
import { renderForLegacy } from '../domain/renderings/rerender.ts'
import { openSecretBox, WrongSecretKey } from '../domain/secrets/open-secret-box.ts'
import type { Database } from '../platform/db.ts'
import { createFileStore } from '../platform/file-store.ts'
import { createLog } from '../platform/log.ts'
import { openConfiguredDatabase } from '../platform/open-database.ts'
import { createProgress } from './energy-progress.ts'
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
  const log = createLog('warn')
  // As a server, so that none is running nor starts meanwhile.
  const database = await openConfiguredDatabase(config, 'server', () => {})
  const progress = createProgress()
  try {
    const { backup, manifest, bytes, ms } = await restoreBackup({
      databaseUrl: database.url,
      store: createFileStore(config.storageUrl),
      dataDir: config.dataDir,
      from: resolve(options.from),
      force: options.force ?? false,
      hasSecretKey: config.secretKeys !== null,
      log,
      onProgress: (text) => progress.show(null, text),
    })
    progress.end()
    await renderForLegacy(database.jobsDb)
    printRecord(
      {
        restored: backup,
        at: manifest.at,
        tables: manifest.tables.length,
        rows: manifest.tables.reduce((sum, { data }) => sum + data.rows, 0),
        files: manifest.files.list.rows,
        fileBytes: bytes,
        seconds: ms / 1_000,
      },
      options,
    )
    await checkKey(database.jobsDb, config)
  } finally {
    progress.end()
    await database.close()
  }
}

async function checkKey(db: Database, config: Config): Promise<void> {
  await openSecretBox(db, config).catch((error) => {
    if (!(error instanceof WrongSecretKey)) throw error
    console.error(`Everything is back but the key: ${error.message}`)
    process.exitCode = 1
  })
}
