import { setTimeout as wait } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Config } from '../config.ts'
import { findScope } from '../domain/data/legacy/find-scope.ts'
import { NoLists, type Pulled, type Pulling, pullCompany } from '../domain/data/legacy/pull-company.ts'
import { createTally, type LegacyReport, reportOf } from '../domain/data/legacy/tally.ts'
import { createCopyQueue } from '../domain/deals/files/copy-files.ts'
import type { Context } from '../domain/kernel/context.ts'
import type { Company } from '../domain/kernel/tenant/company.ts'
import { createDirectories } from '../domain/kernel/tenant/directories.ts'
import { listCompanies } from '../domain/kernel/tenant/queries.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { checkAddress } from '../platform/outbound/address.ts'
import { createCopier } from '../platform/outbound/copy-from-address.ts'
import { CallFailed, createJsonServer, type JsonServer } from '../platform/outbound/get-json.ts'
import { createOutbound } from '../platform/outbound/http.ts'
import { readPageLinks } from '../platform/outbound/page-links.ts'
import { Refused } from '../platform/outbound/refused.ts'
import { createProgress } from './energy-progress.ts'
import { interruptible } from './interruptible.ts'
import { type Output, printable, printRecord } from './print.ts'
import { withDatabase } from './with-database.ts'

interface Options extends Output {
  baseUrl: string
  key?: string
  company?: string
  installerId?: string
  orgId?: string
  financeTerm: 'months' | 'years'
  files: boolean
  dryRun?: boolean
}

type Scope = Pulling['asking']['scope']

/** It did not get to the end: the same command goes on. */
const unfinished = 2

export function importLegacyCommand(parent: Command): void {
  parent
    .command('legacy')
    .description(
      'bring a company over from a server that speaks the legacy API; run again, it goes on where it was and takes over what changed since',
    )
    .requiredOption(
      '--base-url <address>',
      'the legacy API’s address, such as https://old.example.com/legacy',
    )
    .option('--key <key>', 'its API key; better in LEGACY_KEY, where nobody sees it among the processes')
    .option('--company <company>', 'id or number of the company here; not needed where there is one only')
    .option('--installer-id <id>', 'whose records there: all of an installer’s')
    .option('--org-id <number>', 'whose records there: those of one company')
    .addOption(
      new Option('--finance-term <unit>', 'what a plain number of financeTerm counts')
        .choices(['months', 'years'])
        .default('months'),
    )
    .option('--no-files', 'leave files where they are')
    .option('--dry-run', 'read everything and say what would be done, and do nothing')
    .option('--json', 'print JSON')
    .action((options: Options) => withDatabase((db, config) => importLegacy(db, config, options)))
}

async function importLegacy(db: Database, config: Config, options: Options): Promise<void> {
  const key = options.key ?? process.env.LEGACY_KEY
  if (!key) throw new Error('Give the key of the old server in LEGACY_KEY, or with --key.')
  if (!/^[\x21-\x7e]{1,1000}$/.test(key)) throw new Error('A key is visible ASCII characters without spaces.')
  const asked = scopeAsked(options)
  const company = await companyOf(db, options.company)
  const outbound = createOutbound({ trustedHosts: config.outboundTrustedHosts })
  const store = await openFileStore(config)
  const progress = createProgress()
  const actor: Context['actor'] = {
    kind: 'job',
    id: null,
    name: 'Command line',
    installerId: company.installerId,
    companyId: company.id,
    companyKind: company.kind,
    canWrite: true,
  }
  const directories = createDirectories()
  const tally = createTally((text) => progress.show(null, text))
  try {
    await interruptible('Stopped. The same command goes on.', async (signal) => {
      const { origin, pathname } = addressOf(options, () => outbound.check(options.baseUrl))
      const baseUrl = origin + pathname.replace(/\/+$/, '')
      const onWait = (seconds: number, why: string) =>
        progress.show(null, printable(`${why}: waiting for ${seconds} s`))
      const server = createJsonServer({ outbound, baseUrl, key, signal, onWait })
      const besideUrl = baseUrl.replace(/(?<=[^/:])\/[^/]*$/, '')
      const beside = createJsonServer({ outbound, baseUrl: besideUrl, key, signal, maxAttempts: 3 })
      const scope = await findScope(beside, asked)
      if (scope === null) throw await nobodyNamed(server)
      const { outboundTrustedHosts: trustedHosts } = config
      const taking = {
        copying: { copier: createCopier({ outbound, store }), line: createCopyQueue(), store, trustedHosts },
        readLinks: (address: string, givenUp: AbortSignal) => readPageLinks(outbound, address, givenUp),
        signal,
        retry: (attempt: number, givenUp: AbortSignal) =>
          wait(attempt * 1_000, undefined, { signal: givenUp }),
      }
      const pulled = await pullCompany({
        db,
        directories,
        context: (database) => ({ db: database, directories, now: currentTime(), actor }),
        termUnit: options.financeTerm,
        dryRun: options.dryRun === true,
        asking: { server, scope },
        company: {
          installerId: company.installerId,
          companyId: company.id,
          isInstaller: company.kind === 'installer',
        },
        baseUrl,
        taking: options.files ? taking : null,
        signal,
        tally,
      })
      progress.end()
      printReport(pulled, options.dryRun ? tally.report() : await reportOf(db, pulled.source), options)
    })
  } catch (error) {
    progress.end()
    if (!(error instanceof CallFailed)) throw error
    process.exitCode = unfinished
    throw new Error(`${printable(error.message).replace(/\.$/, '')}. ${whatToDo(error, options)}`)
  } finally {
    await outbound.close()
    await store.close()
  }
}

async function companyOf(db: Database, named: string | undefined): Promise<Company> {
  if (named) return requireCompany(db, named)
  const companies = await listCompanies(db, { afterNumber: 0, limit: 2 })
  const [only] = companies
  if (only && companies.length === 1) return only
  throw new Error(
    only
      ? 'There are several companies here. Say which one with --company.'
      : 'There is no company here yet. Make one with "sunstead company create" first.',
  )
}

function scopeAsked({ installerId, orgId }: Options): Scope | null {
  if (installerId !== undefined && orgId !== undefined)
    throw new Error('Say whose records to read with either --installer-id or --org-id, not both.')
  const value = (installerId ?? orgId)?.trim()
  if (value === '')
    throw new Error('--installer-id and --org-id must not be empty: say whose records to read.')
  return value === undefined ? null : { name: installerId === undefined ? 'org_id' : 'installer_id', value }
}

/** Where the key opens nothing at all, that is what is wrong. */
async function nobodyNamed(server: JsonServer): Promise<Error> {
  const failed = await server.get('fetch_all_adders', {}).then(
    () => null,
    (error) => error as Error,
  )
  if (failed && (!(failed instanceof CallFailed) || failed.status === null || failed.status === 401))
    return failed
  return new Error(
    'Say whose records to read with --installer-id or --org-id: the legacy API lists leads by one of them only, and does not tell whose a key is.',
  )
}

function whatToDo(error: CallFailed, options: Options): string {
  if (error instanceof NoLists) return 'Check --base-url, the key, and --installer-id or --org-id.'
  if (error.status === 401)
    return 'The old server refuses the key: give a good one in LEGACY_KEY, or with --key. The same command then goes on from here.'
  if (error.message.endsWith('does not lead to a public address')) return trustHint(options)
  return 'What came stays; the same command goes on from here.'
}

function addressOf(options: Options, read: () => URL): URL {
  try {
    const url = read()
    if (url.search === '' && url.hash === '') return url
    throw new Refused('must not hold a question mark or a hash')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const hint = wouldPass(options) ? ` ${trustHint(options)}` : ''
    throw new Error(`--base-url ${error.message}.${hint}`)
  }
}

/** What only a host that the operator trusts may be. */
function wouldPass({ baseUrl }: Options): boolean {
  const url = URL.parse(baseUrl)
  try {
    return url !== null && checkAddress(baseUrl, new Set([hostOf(url)])) !== null
  } catch {
    return false
  }
}

const hostOf = ({ hostname, port, protocol }: URL) =>
  `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
const trustHint = ({ baseUrl }: Options) =>
  `If this address is meant, let it through with OUTBOUND_TRUSTED_HOSTS=${hostOf(new URL(baseUrl))}.`

function printReport({ lists, catalogue }: Pulled, report: LegacyReport, options: Options): void {
  const { records, files, gone, problems, moreProblems } = report
  const refused = Object.values(records).reduce((sum, counts) => sum + counts.refused, 0)
  const lost = problems.filter(({ message }) => / did not come: /.test(message))
  if (refused > 0 || lost.length > 0 || lists.length > 0 || moreProblems > 0) process.exitCode = 1
  if (options.json) {
    const dryRun = options.dryRun === true
    const found = { dryRun, records, files, gone, catalogue, lists, problems, moreProblems }
    // Written out, a text is escaped only as far as JSON asks for, and a terminal obeys more than that.
    printRecord(
      JSON.parse(JSON.stringify(found), (_, value) => (typeof value === 'string' ? printable(value) : value)),
      options,
    )
    return
  }
  const say = (text: string) => console.error(printable(text))
  for (const { list, message } of lists) say(`${list}: ${message}`)
  for (const [operation, taken] of Object.entries(catalogue)) {
    if ('message' in taken) {
      say(`${operation}: ${taken.message}`)
      continue
    }
    for (const { name, message } of taken.refused) say(`${operation}: ${name}: ${message}`)
    if (taken.moreRefused > 0) say(`${operation}: and ${taken.moreRefused} more`)
  }
  for (const { kind, field, message, records: count, example } of problems) {
    const where = count === 1 ? `${kind} ${example}` : `${count} ${kind}s, such as ${example}`
    say(`${where}: ${[field, message].filter(Boolean).join(' ')}`)
  }
  if (moreProblems > 0) say(`and ${moreProblems} more`)
  const lines = Object.entries(records).map(([name, { made, updated, unchanged, refused }]) => [
    name.replace('hi', 'home improvement'),
    `${made} new, ${updated} changed, ${unchanged} as before, ${refused} did not come`,
  ])
  const offered = Object.values(catalogue).flatMap((taken) => ('made' in taken ? taken.made : []))
  printRecord(
    {
      ...Object.fromEntries(lines),
      catalogue: `${offered.reduce((sum, made) => sum + made, 0)} new`,
      files: options.dryRun ? `${files} addresses` : `${files} copied`,
      'no longer there': gone,
    },
    options,
  )
}
