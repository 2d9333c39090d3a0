import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { checkCatalogueRenderings } from '../domain/catalogue/queries.ts'
import { joinStore } from '../domain/deals/files/join-store.ts'
import { findOrphans } from '../domain/deals/files/sweep-files.ts'
import { checkRenderings } from '../domain/deals/renderings/rerender.ts'
import { lockTenant } from '../domain/kernel/tenant/clock-queries.ts'
import { listCompanies } from '../domain/kernel/tenant/queries.ts'
import { currentTime } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { openFileStore } from '../platform/file-store/open-file-store.ts'
import { knowsLetters } from '../platform/knows-letters.ts'
import { examineMigrations, refuse } from '../platform/migrate.ts'
import { examineCounts } from './doctor-counts.ts'
import { examineEnergy } from './doctor-energy.ts'
import { examineLimits } from './doctor-limits.ts'
import { examineNodes } from './doctor-nodes.ts'
import { examineReplica } from './doctor-replica.ts'
import { type Output, printRows } from './print.ts'
import { withOpenDatabase } from './with-database.ts'

interface Options extends Output {
  mend?: boolean
  energy?: boolean
}

interface Finding {
  check: string
  ok: boolean
  detail: string
}

/** Looks at everything a server needs; a problem is named with what to do, and the exit code is 1. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check configuration, database, storage, renderings, counts and energy')
    .option('--mend', 're-render stale records, and set counts and days of energy right')
    .option('--energy', 'check every day of energy, not only a sample; Ctrl-C ends it with what was found')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const findings = await examine(options)
      printRows(
        findings.map(({ check, ok, detail }) => ({ check, result: ok ? 'ok' : 'PROBLEM', detail })),
        options,
      )
      if (findings.some((finding) => !finding.ok)) process.exitCode = 1
    })
}

async function examine({ mend = false, energy = false }: Options): Promise<Finding[]> {
  const findings: Finding[] = []
  const look = async (check: string, work: () => Promise<string>): Promise<boolean> => {
    try {
      findings.push({ check, ok: true, detail: await work() })
      return true
    } catch (error) {
      findings.push({ check, ok: false, detail: (error as Error).message })
      return false
    }
  }
  const configured = await look('configuration', async () => {
    const config = readConfig(process.env)
    return `DATA_DIR ${config.dataDir}, ${config.databaseUrl ? 'DATABASE_URL' : 'embedded PostgreSQL'}`
  })
  if (!configured) return findings
  const store = await openFileStore(readConfig(process.env))
  await look('storage', async () => {
    await store.check()
    return 'a file can be written, read and removed'
  })
  const { databaseReplicaUrl, redisUrl } = readConfig(process.env)
  if (redisUrl !== null) await look('limits', () => examineLimits(redisUrl))
  if (databaseReplicaUrl !== null) await look('replica', examineReplica)
  await look('database', () =>
    withOpenDatabase(async ({ db, citus }) => {
      if (citus) await look('nodes', () => examineNodes(db))
      const difference = await examineMigrations(db)
      refuse(difference)
      const { pending } = difference
      if (pending.length > 0)
        throw new Error(`migrations missing: ${pending.join(', ')}; run "sunstead migrate"`)
      await look('files', async () => {
        const doubt = await joinStore(db, store, { anyway: mend })
        if (doubt) throw new Error(doubt)
        return `${(await findOrphans(db, store, currentTime())).length} copies without a record, swept hourly`
      })
      await look('renderings', () => renderings(db, mend))
      await look('counts', () => examineCounts(db, mend))
      await look('energy', () => examineEnergy(db, energy, mend))
      const letters = await knowsLetters(db, {})
      return `reachable, migrated${letters.all ? (letters.indexed ? '' : notIndexed) : fewLetters}`
    }, false),
  )
  return findings
}

const better = 'A database with a UTF-8 LC_CTYPE knows all: back this one up, and restore it there'
const fewLetters = `; LC_CTYPE is C: it knows capitals of A to Z alone, so that names in Cyrillic or Greek are found, and erased from old mails, only where they stand in small letters. ${better}`
const notIndexed = `; LC_CTYPE is C: words in other letters than A to Z are in no index, and finding them takes long where there is much. ${better}`

async function renderings(db: Database, mend: boolean): Promise<string> {
  let checked = 0
  const stale: string[] = []
  for (let after = 0; ; ) {
    const companies = await listCompanies(db, { afterNumber: after, limit: 100 })
    for (const { id, kind } of companies) {
      if (kind !== 'installer') continue
      // One moment for all of it, or, to mend, nobody else writing.
      const result = await db.transaction(
        async (tx) => {
          if (mend) await lockTenant(tx, id)
          const records = await checkRenderings(tx, currentTime(), id, mend)
          const catalogue = await checkCatalogueRenderings(tx, id, mend)
          return {
            checked: records.checked + catalogue.checked,
            stale: [...records.stale, ...catalogue.stale],
          }
        },
        mend ? 'read committed' : 'repeatable read',
      )
      checked += result.checked
      stale.push(...result.stale)
    }
    if (companies.length < 100) break
    after = companies.at(-1)!.number
  }
  if (stale.length === 0 || mend) return `${checked} checked, ${stale.length} ${mend ? 'mended' : 'stale'}`
  const some = stale.slice(0, 5).join(', ')
  throw new Error(`${stale.length} of ${checked} are stale (${some} …); run "sunstead doctor --mend"`)
}
