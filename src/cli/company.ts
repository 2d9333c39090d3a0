import type { Command } from 'commander'
import { findUsage, noLimitBytes, saveDefaultLimit, saveLimit } from '../domain/deals/storage/queries.ts'
import { sizeOf, sizeText } from '../domain/deals/storage/usage.ts'
import { commandLine } from '../domain/journal/audit/command-line.ts'
import type { Company } from '../domain/kernel/tenant/company.ts'
import { listCompanies } from '../domain/kernel/tenant/queries.ts'
import { requireCompany } from '../domain/kernel/tenant/require-company.ts'
import { createCompany } from '../domain/tenants/companies/create-company.ts'
import { saveSecondFactorRule } from '../domain/tenants/companies/second-factor-rule.ts'
import { updateCompany } from '../domain/tenants/companies/update-company.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { type Output, printRecord, printRows } from './print.ts'
import { withDatabase } from './with-database.ts'

const shown = ({ id, number, kind, name, status, timezone, installerId }: Company) => ({
  id,
  orgId: number,
  kind,
  name,
  status,
  timezone,
  installerId,
})

const pageSize = 500

export function companyCommands(program: Command): void {
  const company = program.command('company').description('companies: installers and their dealers')
  company
    .command('create')
    .description('make an installer, or with --installer a dealer of one')
    .argument('<name>')
    .option('--installer <company>', 'id or number of the installer a dealer belongs to')
    .option('--timezone <zone>', 'IANA name such as America/Denver')
    .option('--json', 'print JSON')
    .action((name: string, options: Output & { installer?: string; timezone?: string }) =>
      withDatabase(async (db) => {
        const { installer, timezone } = options
        printRecord(shown(await createCompany(db, currentTime(), { name, installer, timezone })), options)
      }),
    )
  company
    .command('list')
    .description('list all companies')
    .option('--json', 'print JSON')
    .action((options: Output) =>
      withDatabase(async (db) => {
        const companies: Company[] = []
        for (let page: Company[] = [], after = 0; after === 0 || page.length === pageSize; ) {
          page = await listCompanies(db, { afterNumber: after, limit: pageSize })
          companies.push(...page)
          after = page.at(-1)?.number ?? -1
        }
        printRows(companies.map(shown), options)
      }),
    )
  company
    .command('second-factor')
    .description('require a second factor of the company’s owners and admins')
    .argument('<company>', 'id or number')
    .option('--off', 'require none instead')
    .option('--json', 'print JSON')
    .action((key: string, options: Output & { off?: boolean }) =>
      withDatabase(async (db) => {
        const company = await requireCompany(db, key)
        const required = !options.off
        await saveSecondFactorRule(db, currentTime(), commandLine(company), required)
        printRecord({ ...shown(company), secondFactorRequired: required }, options)
      }),
    )
  company
    .command('quota')
    .description('how much a company keeps and may keep, in files, imports and logos')
    .argument('<company>', 'id or number, or "default" for all that have no limit of their own')
    .argument('[limit]', 'such as 250GB; "none" for no limit, "default" to take back the company’s own')
    .option('--json', 'print JSON')
    .action((key: string, limit: string | undefined, options: Output) =>
      withDatabase(async (db) => printRecord(await quota(db, key, limit), options)),
    )
  company
    .command('suspend')
    .description("refuse the company's keys from now on, and its dealers'")
    .argument('<company>', 'id or number')
    .option('--resume', 'let them work again instead')
    .option('--json', 'print JSON')
    .action((key: string, options: Output & { resume?: boolean }) =>
      withDatabase(async (db) => {
        const status = options.resume ? 'active' : 'suspended'
        printRecord(shown(await updateCompany(db, currentTime(), key, { status })), options)
      }),
    )
}

async function quota(db: Database, key: string, limit: string | undefined) {
  if (key === 'default') {
    if (limit === undefined || limit === 'default') throw new Error('Say how much, such as 250GB, or "none".')
    await saveDefaultLimit(db, { limitBytes: bytesOf(limit) })
    return { company: 'default', limit }
  }
  const { id, installerId, name } = await requireCompany(db, key)
  if (limit !== undefined)
    await saveLimit(db, {
      installerId,
      companyId: id,
      limitBytes: limit === 'default' ? null : bytesOf(limit),
    })
  const { bytes, limitBytes, own } = await findUsage(db, { installerId, companyId: id })
  return {
    company: name,
    usedBytes: bytes,
    limitBytes,
    used: sizeText(bytes),
    limit: `${limitBytes === null ? 'none' : sizeText(limitBytes)}${own ? '' : ' (default)'}`,
  }
}

function bytesOf(text: string): number {
  const bytes = text === 'none' ? noLimitBytes : sizeOf(text)
  if (bytes === null) throw new Error(`"${text}" is no size. Write it like 250GB or 500MB, or "none".`)
  return bytes
}
