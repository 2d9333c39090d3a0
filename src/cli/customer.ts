import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { addressesOf, type Config, erasedListOf } from '../config.ts'
import { writeFolder } from '../domain/data/exports/export-folder.ts'
import { commandLine } from '../domain/journal/audit/command-line.ts'
import type { Context } from '../domain/kernel/context.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { customerArchive } from '../domain/operations/privacy/customer-archive.ts'
import { eraseAgain } from '../domain/operations/privacy/erase-again.ts'
import { eraseCustomer } from '../domain/operations/privacy/erase-customer.ts'
import { openErasedList } from '../domain/operations/privacy/erased-list.ts'
import { previewErasure } from '../domain/operations/privacy/preview-erasure.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { erasureDeps } from './erasure-deps.ts'
import { interruptible } from './interruptible.ts'
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
  return { db, directories: createDirectories(), now: currentTime(), actor }
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
    .option('--list <file>', 'the list, where it is not the one of this server')
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
  const { store } = await erasureDeps(config)
  const { baseUrl } = addressesOf(config, config.port)
  const others = options.others ?? false
  const { leadIds, entries } = await customerArchive(ctx, store, options.lead, { baseUrl, others })
  let files = 0
  await interruptible('Interrupted: nothing was written.', (signal) =>
    writeFolder(
      to,
      async (folder) => {
        for await (const { path, content } of entries) {
          signal.throwIfAborted()
          files++
          await folder.put(path, typeof content === 'string' ? Readable.from([content]) : content)
        }
        return { exportedAt: ctx.now, leads: leadIds }
      },
      () => {},
    ),
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
  if (held.billed)
    throw new Error(
      'A plan still bills this customer. End the billing plan of their installation first. Nothing was erased.',
    )
  if (!options.yes && held.erasedAt === null) await confirmName(held.name)
  const { leadId } = await eraseCustomer(ctx, await erasureDeps(config), lead)
  printRecord({ erased: leadId }, options)
  for (const { id, status } of others)
    process.stderr.write(`The same email or phone stands on ${id} (${status}), which was not erased.\n`)
}

/** Asks for the name, from whoever sits there: a script says --yes. */
async function confirmName(name: string): Promise<void> {
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  // Whoever ends the input or presses Ctrl-C says no; the question alone would never be answered.
  const left = new AbortController()
  asked.once('close', () => left.abort())
  try {
    const question = name
      ? `This cannot be taken back. Type the customer's name (${name}): `
      : 'This cannot be taken back. The customer has no name: type "erase": '
    const typed = await asked.question(question, { signal: left.signal })
    if (typed.trim().toLowerCase() === (name || 'erase').toLowerCase()) return
  } catch (error) {
    if (!left.signal.aborted) throw error
    process.stderr.write('\n')
    throw new Error('Nothing was erased. Where nobody can be asked, add --yes.')
  } finally {
    asked.close()
  }
  throw new Error(`That is not ${name ? 'the customer’s name' : 'what was asked for'}. Nothing was erased.`)
}

async function eraseListed(db: Database, config: Config, options: EraseOptions): Promise<void> {
  const deps = await erasureDeps(config)
  const path = resolve(options.list ?? erasedListOf(config))
  const text = options.list
    ? await readFile(path, 'utf8').catch(() => '')
    : await openErasedList(path, deps.store).read()
  if (!text) throw new Error(`There is no list at ${path}. Name the one that was kept with --list.`)
  const outcome = await interruptible('Interrupted: some are not erased yet. Run it again.', (signal) =>
    eraseAgain(db, createDirectories(), deps, text, signal),
  )
  printRecord({ ...outcome }, options)
}
