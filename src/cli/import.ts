import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { checkImport } from '../domain/data/imports/check-import.ts'
import { createImport } from '../domain/data/imports/create-import.ts'
import { type ImportField, importFields, isImportField } from '../domain/data/imports/fields.ts'
import { type Import, importKind } from '../domain/data/imports/import.ts'
import { importJob } from '../domain/data/imports/import-job.ts'
import { findImport, listProblems } from '../domain/data/imports/queries.ts'
import { startImport } from '../domain/data/imports/start-import.ts'
import { stopImport } from '../domain/data/imports/stop-import.ts'
import { findLatestLongJob, releaseLongJob } from '../domain/journal/long-jobs/queries.ts'
import { workOnLongJob } from '../domain/journal/long-jobs/work-on-long-job.ts'
import type { Context } from '../domain/kernel/context.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { currentMs, currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import type { FileStore } from '../platform/file-store/file-store.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { createProgress } from './energy-progress.ts'
import { importLegacyCommand } from './import-legacy.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

type Maps = { field: ImportField; column: string }[]

interface Options extends Output {
  company: string
  file: string
  map?: Maps
  dryRun?: boolean
  again?: boolean
}

const maxShown = 1_000
/** For how long it may say nothing before a server takes the import over. */
const heldMs = 20_000

export function importCommand(program: Command): void {
  const command = program
    .command('import')
    .description(
      'make leads and projects of a CSV or XLSX file, or update the leads whose externalId it names',
    )
    .option('--company <company>', 'id or number of the company they belong to')
    .option('--file <file>', 'a CSV file or an XLSX workbook; its first row names the columns')
    .option('--map <field=column>', `what a column holds, else guessed: ${importFields.join(', ')}`, addMap)
    .option('--dry-run', 'read the whole file and say what would be done, and do nothing')
    .option('--again', 'make the leads of a table that was imported before once more')
    .option('--json', 'print JSON')
    .action((options: Options, own: Command) => {
      // Not by `requiredOption`, which would ask for them in `import legacy` too.
      if (!options.company) own.error("error: required option '--company <company>' not specified")
      if (!options.file) own.error("error: required option '--file <file>' not specified")
      return withDatabase(async (db, config) => importFile(db, await openFileStore(config), options))
    })
  importLegacyCommand(command)
}

function addMap(text: string, before: Maps = []): Maps {
  const at = text.indexOf('=')
  const field = text.slice(0, Math.max(at, 0))
  if (isImportField(field)) return [...before, { field, column: text.slice(at + 1) }]
  throw new InvalidArgumentError('Use a field and a column, such as firstName="First Name".')
}

async function importFile(db: Database, store: FileStore, options: Options): Promise<void> {
  const { id: companyId, installerId, kind } = await requireCompany(db, options.company)
  const actor: Context['actor'] = {
    kind: 'job',
    id: null,
    name: 'Command line',
    installerId,
    companyId,
    companyKind: kind,
    canWrite: true,
  }
  const directories = createDirectories()
  const context = (): Context => ({ db, directories, now: currentTime(), actor })
  const { size } = await stat(options.file)
  const sent = { name: basename(options.file), size, contents: createReadStream(options.file) }
  const { id } = await createImport(context(), store, sent)
  const read = async () => (await findImport(db, actor, id))!
  const found = await read()
  await checkImport(context(), id, mappingOf(found, options.map ?? []), heldUntil())

  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const progress = createProgress()
  const { signal } = stopping
  const work = async (verb: string) => {
    const job = (await findLatestLongJob(db, { installerId, kind: importKind, subjectId: id }))!
    const onProgress = (done: number) => progress.show(done / found.rowsTotal, `${done} rows ${verb}`)
    await workOnLongJob({ db, directories, store }, importJob, job, { signal, heldMs, onProgress })
    if (signal.aborted) await releaseLongJob(db, { ...job, notBefore: null })
  }
  await work('checked')
  const checked = await read()
  const runs = !options.dryRun && checked.state === 'checked' && checked.made + checked.updated > 0
  if (runs) {
    await startImport(context(), id, { heldUntil: heldUntil(), again: options.again })
    await work('imported')
    if (stopping.signal.aborted) await stopImport(context(), id)
  }
  progress.end()
  process.removeListener('SIGINT', stop)
  await report(db, await read(), options)
}

const heldUntil = () => new Date(currentMs() + heldMs)

function mappingOf({ header, mapping }: Import, maps: Maps): (ImportField | null)[] {
  const places = new Map(maps.map(({ field, column }) => [header.indexOf(column), { field, column }]))
  const missing = places.get(-1)
  if (missing) throw new Error(`The file has no column "${missing.column}". It has: ${header.join(', ')}`)
  const given = maps.map(({ field }) => field)
  return mapping.map((guess, i) => places.get(i)?.field ?? (guess && given.includes(guess) ? null : guess))
}

async function report(db: Database, found: Import, options: Options): Promise<void> {
  const problems = await listProblems(db, { ...found, row: 0, ordinal: 0, limit: maxShown })
  if (found.failure) throw new Error(found.failure)
  const { id, state, rowsTotal, made, updated, unchanged, refused } = found
  const counts = { id, state, rows: rowsTotal, made, updated, unchanged, refused }
  const columns = Object.fromEntries(found.header.map((name, i) => [name, found.mapping[i] ?? null]))
  if (options.json) {
    const shown = problems.map(({ row, column, message, refused }) => ({ row, column, message, refused }))
    printRecord({ ...counts, columns, problems: shown }, options)
  } else {
    for (const { row, column, message } of problems)
      console.error(`row ${row}: ${[column, message].filter(Boolean).join(' ')}`)
    if (found.problems > problems.length) console.error(`and ${found.problems - problems.length} more`)
    printRecord(counts, options)
  }
  if (refused > 0) process.exitCode = 1
}
