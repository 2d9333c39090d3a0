import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { addressesOf, type Config, erasedListOf } from '../config.ts'
import { commandLine } from '../domain/audit/command-line.ts'
import { createDirectories } from '../domain/companies/directories.ts'
import { requireCompany } from '../domain/companies/require-company.ts'
import type { Context } from '../domain/context.ts'
import { writeFolder } from '../domain/exports/export-folder.ts'
import { customerArchive } from '../domain/privacy/customer-archive.ts'
import { eraseAgain } from '../domain/privacy/erase-again.ts'
import { eraseCustomer } from '../domain/privacy/erase-customer.ts'
import type { ErasingParts } from '../domain/privacy/finish-erasure.ts'
import { previewErasure } from '../domain/privacy/preview-erasure.ts'
import type { Database } from '../platform/db.ts'
import { createFileStore } from '../platform/file-store.ts'
import { appendLines } from '../platform/line-file.ts'
import { type Output, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface ExportOptions extends Output {
  company: string
  lead: string
  to: string
  others?: boolean
}

interface EraseOptions extends Output {
  company?: string
  lead?: string
  yes?: boolean
  dryRun?: boolean
  againAfterRestore?: boolean
  list?: string
}

async function contextFor(db: Database, company: string): Promise<Context> {
  const actor = commandLine(await requireCompany(db, company))
  return { db, directories: createDirectories(), now: new Date(), actor }
}

function erasingParts(config: Config): ErasingParts {
  return {
    store: createFileStore(config.storageUrl),
    baseUrl: addressesOf(config, config.port).baseUrl,
    note: (lines) => appendLines(erasedListOf(config), lines),
  }
}

export function customerCommands(program: Command): void {
  const customer = program.command('customer').description('what is kept about a homeowner')
  customer
    .command('export')
    .description('write everything that is kept about a lead’s customer to a folder, to be handed to them')
    .requiredOption('--company <company>', 'id or number')
    .requiredOption('--lead <lead>', 'id or reference')
    .requiredOption('--to <folder>', 'the folder to make')
    .option('--others', 'also the company’s other leads of the same email or phone')
    .option('--json', 'print JSON')
    .action((options: ExportOptions) => withDatabase((db, config) => exportOne(db, config, options)))
  customer
    .command('erase')
    .description('erase what is known about a lead’s customer; the record stays without it')
    .option('--company <company>', 'id or number')
    .option('--lead <lead>', 'id or reference')
    .option('--dry-run', 'only say what there is')
    .option('--yes', 'do not ask for the name')
    .option('--again-after-restore', 'erase everybody who is on the list of those erased before')
    .option('--list <file>', 'the list, where it is not the one in DATA_DIR')
    .option('--json', 'print JSON')
    .action((options: EraseOptions) =>
      withDatabase((db, config) =>
        options.againAfterRestore ? eraseListed(db, config, options) : eraseOne(db, config, options),
      ),
    )
}

async function exportOne(db: Database, config: Config, options: ExportOptions): Promise<void> {
  const to = resolve(options.to)
  if (existsSync(to)) throw new Error(`${to} is there already. Name a folder that is not.`)
  const ctx = await contextFor(db, options.company)
  const { store, baseUrl } = erasingParts(config)
  const others = options.others ?? false
  const { leadIds, entries } = await customerArchive(ctx, store, options.lead, { baseUrl, others })
  let files = 0
  await writeFolder(
    to,
    async (folder) => {
      for await (const { path, content } of entries) {
        files++
        await folder.put(path, typeof content === 'string' ? Readable.from([content]) : content)
      }
      return { exportedAt: ctx.now, leads: leadIds }
    },
    () => {},
  )
  printRecord({ folder: to, leads: leadIds.join(', '), files }, options)
  if (others) return
  const { others: more } = await previewErasure(ctx, options.lead)
  for (const { id, status } of more)
    process.stderr.write(
      `The same email or phone stands on ${id} (${status}). With --others it goes along.\n`,
    )
}

async function eraseOne(db: Database, config: Config, options: EraseOptions): Promise<void> {
  const { company, lead } = options
  if (company === undefined || lead === undefined) throw new Error('Name the --company and the --lead.')
  const ctx = await contextFor(db, company)
  const { others, ...held } = await previewErasure(ctx, lead)
  if (options.dryRun) {
    const shown = { ...held, erasedAt: held.erasedAt?.toISOString() ?? null }
    printRecord({ ...shown, otherLeads: others.map(({ id }) => id).join(', ') }, options)
    return
  }
  if (!options.yes && held.erasedAt === null && (await askFor(held.name)) !== held.name.toLowerCase())
    throw new Error('That is not the customer’s name. Nothing was erased.')
  const { leadId } = await eraseCustomer(ctx, erasingParts(config), lead)
  printRecord({ erased: leadId }, options)
  for (const { id, status } of others)
    process.stderr.write(`The same email or phone stands on ${id} (${status}), which was not erased.\n`)
}

async function askFor(name: string): Promise<string> {
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await asked.question(`This cannot be taken back. Type the customer's name (${name}): `)
    return typed.trim().toLowerCase()
  } finally {
    asked.close()
  }
}

async function eraseListed(db: Database, config: Config, options: EraseOptions): Promise<void> {
  const path = resolve(options.list ?? erasedListOf(config))
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no list at ${path}. Name the one that was kept with --list.`)
  })
  printRecord({ ...(await eraseAgain(db, createDirectories(), erasingParts(config), text)) }, options)
}
