import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { addressesOf } from '../config.ts'
import { exportCompany } from '../domain/data/exports/export-company.ts'
import type { Context } from '../domain/kernel/context.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { currentTime } from '../platform/clock.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { createProgress } from './energy-progress.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface Options extends Output {
  company: string
  to: string
}

export function exportCommand(program: Command): void {
  program
    .command('export')
    .description(
      'write everything that a company owns to a folder: records as NDJSON and CSV, files, invoices',
    )
    .requiredOption('--company <company>', 'id or number: an installer’s holds its dealers’ records too')
    .requiredOption('--to <folder>', 'the folder to make')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withDatabase(async (db, config) => {
        const to = resolve(options.to)
        if (existsSync(to)) throw new Error(`${to} is there already. Name a folder that is not.`)
        const company = await requireCompany(db, options.company)
        const ctx: Context = {
          db,
          directories: createDirectories(),
          now: currentTime(),
          actor: {
            kind: 'job',
            id: null,
            name: 'Command line',
            installerId: company.installerId,
            companyId: company.id,
            companyKind: company.kind,
            canWrite: false,
          },
        }
        const progress = createProgress()
        const { baseUrl } = addressesOf(config, config.port)
        const onProgress = (records: number) => progress.show(null, `${records} records written`)
        const store = await openFileStore(config)
        const manifest = await exportCompany(ctx, store, { company, to, baseUrl, onProgress })
        progress.end()
        const { counts, missingFiles } = manifest
        if (options.json) printRecord({ ...manifest }, options)
        else printRecord({ ...counts, 'files not in the store': missingFiles.length }, options)
      }),
    )
}
