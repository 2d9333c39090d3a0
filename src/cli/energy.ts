import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { recordExport } from '../domain/journal/audit/record-security.ts'
import type { Context } from '../domain/kernel/context.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { kwhText } from '../domain/sites/energy/energy.ts'
import { type ExportWanted, exportReadings } from '../domain/sites/energy/export-readings.ts'
import { batchSize, takeReadings } from '../domain/sites/energy/take-readings.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { columns, readingsOfCsv } from './energy-csv.ts'
import { createProgress } from './energy-progress.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface ImportOptions extends Output {
  company: string
}

interface ExportOptions extends Output, ExportWanted {
  company: string
  installation?: string
  panel?: string
  output?: string
}

const maxShown = 1_000

export function energyCommands(program: Command): void {
  const energy = program.command('energy').description("readings of a company's panels")
  energy
    .command('import')
    .description(`take readings from a CSV file with the columns ${columns.join(',')}`)
    .argument('<file>', 'the file, or - for what is piped in')
    .requiredOption('--company <company>', 'id or number: an installer’s reaches its dealers’ panels too')
    .option('--json', 'print JSON')
    .action((file: string, options: ImportOptions) => withDatabase((db) => importReadings(db, file, options)))
  energy
    .command('export')
    .description(`write readings as CSV with the columns ${columns.join(',')}`)
    .requiredOption('--company <company>', 'id or number')
    .option('--installation <id>', 'only of this installation')
    .option('--panel <id>', 'only of this panel')
    .option('--from <day>', 'from this day on, by the installation’s clock', day)
    .option('--to <day>', 'to the end of this day', day)
    .option('--without-deleted', 'leave out deleted panels, whose lines an import does not take')
    .option('--output <file>', 'where to write; else to the standard output, and what is said to the other')
    .option('--json', 'print JSON')
    .action((options: ExportOptions) => withDatabase((db) => writeReadings(db, options)))
}

function day(text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text))
    return text
  throw new InvalidArgumentError('Use a day such as 2026-01-31.')
}

async function contextFor(db: Database, idOrNumber: string): Promise<Context> {
  const { id, installerId, kind } = await requireCompany(db, idOrNumber)
  return {
    db,
    directories: createDirectories(),
    now: currentTime(),
    actor: {
      kind: 'job',
      id: null,
      name: 'command line',
      installerId,
      companyId: id,
      companyKind: kind,
      canWrite: true,
    },
  }
}

async function importReadings(db: Database, file: string, options: ImportOptions): Promise<void> {
  const ctx = await contextFor(db, options.company)
  const bytes = file === '-' ? null : (await stat(file)).size
  const input = file === '-' ? process.stdin : createReadStream(file)
  const progress = createProgress()
  const sum = {
    accepted: 0,
    updated: 0,
    quarantined: 0,
    rejected: 0,
    lines: [] as { line: number; message: string }[],
  }
  const reject = (line: number, message: string) => {
    if (++sum.rejected > maxShown) return
    if (options.json) sum.lines.push({ line, message })
    else console.error(`line ${line}: ${message}`)
  }
  let readings: unknown[] = []
  let lines: number[] = []
  const flush = async () => {
    const taken = await takeReadings({ ...ctx, now: currentTime() }, readings)
    sum.accepted += taken.accepted
    sum.updated += taken.updated
    sum.quarantined += taken.quarantined
    for (const { index, message } of taken.rejected) reject(lines[index]!, message)
    readings = []
    lines = []
    const read = 'bytesRead' in input ? (input as { bytesRead: number }).bytesRead : 0
    progress.show(bytes ? read / bytes : null, `${sum.accepted} readings taken`)
  }
  for await (const { number, reading } of readingsOfCsv(input)) {
    readings.push(reading)
    lines.push(number)
    if (readings.length === batchSize) await flush()
  }
  if (readings.length > 0) await flush()
  progress.end()
  const { lines: rejectedLines, ...counts } = sum
  printRecord(options.json ? { ...counts, lines: rejectedLines } : counts, options)
  if (sum.rejected > 0) process.exitCode = 1
}

async function writeReadings(db: Database, options: ExportOptions): Promise<void> {
  const { company, installation, panel, from, to, withoutDeleted, output } = options
  const ctx = await contextFor(db, company)
  await recordExport(ctx, 'readings')
  const out = output === undefined ? process.stdout : createWriteStream(output)
  const progress = createProgress()
  let written = 0
  let done = { panels: 0, deletedPanels: 0 }
  const write = async (text: string) => {
    // What is not taken yet is not read from the database either.
    if (text !== '' && !out.write(text)) await once(out, 'drain')
  }
  await write(`${columns.join(',')}\n`)
  const wanted = { installationId: installation, panelId: panel, from, to, withoutDeleted }
  for await (const { readings, panels, ofPanels, deletedPanels } of exportReadings(ctx, wanted)) {
    let text = ''
    for (const { panelId, at, microkwh } of readings)
      text += `${panelId},${new Date(at).toISOString()},${kwhText(microkwh)}\n`
    await write(text)
    written += readings.length
    done = { panels, deletedPanels }
    progress.show(panels / ofPanels, `${written} readings written`)
  }
  progress.end()
  if (out !== process.stdout) {
    out.end()
    await once(out, 'finish')
  }
  const summary = { readings: written, ...done }
  if (out !== process.stdout) printRecord(summary, options)
  else if (options.json) console.error(JSON.stringify(summary))
  else
    console.error(
      `${written} readings of ${done.panels} panels written, ${done.deletedPanels} of them deleted`,
    )
}
