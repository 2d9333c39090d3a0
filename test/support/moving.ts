import { type Pulling, pullCompany } from '../../src/domain/data/legacy/pull-company.ts'
import { createTally, reportOf } from '../../src/domain/data/legacy/tally.ts'
import { createCopyQueue } from '../../src/domain/deals/files/copy-files.ts'
import type { Company } from '../../src/domain/kernel/tenant/company.ts'
import { createDirectories } from '../../src/domain/kernel/tenant/directories.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { folderStore } from '../../src/platform/file-store/folder-store.ts'
import { createCopier } from '../../src/platform/outbound/copy-from-address.ts'
import { createJsonServer } from '../../src/platform/outbound/get-json.ts'
import { createOutbound } from '../../src/platform/outbound/http.ts'
import { readPageLinks } from '../../src/platform/outbound/page-links.ts'
import { createTestDatabase } from './database.ts'
import { atFileEnd } from './endings.ts'
import { type Fields, type LegacyHandler, type LegacySource, startLegacySource } from './legacy-source.ts'
import { temporaryFolder } from './process.ts'

export const key = 'secret-of-the-old-server'

interface MovingOptions {
  attempts?: number
  maxBytes?: number
  into?: Company
  /** A server that was started already; the handler is not used. */
  from?: LegacySource
}

/** A database and a store, and companies that move into them. */
export async function startMoving() {
  const database = await createTestDatabase()
  const folder = await temporaryFolder()
  const { db } = database
  const store = folderStore(folder.path)
  atFileEnd(async () => {
    await database.drop()
    await folder.remove()
  })

  /** A company of its own or the one that is given, and what pulls into it from a server that answers so. */
  async function moving(handler: LegacyHandler, more: MovingOptions = {}) {
    const company =
      more.into ?? (await createCompany(db, new Date(), { name: 'Moved', timezone: 'America/Denver' }))
    const source = more.from ?? (await startLegacySource(handler))
    const trustedHosts = new Set([source.host])
    const outbound = createOutbound({ trustedHosts })
    atFileEnd(() => outbound.close())
    const directories = createDirectories()
    const stopping = new AbortController()
    const { signal } = stopping
    const as = {
      kind: 'job' as const,
      id: null,
      name: 'Command line',
      installerId: company.installerId,
      companyId: company.id,
      companyKind: company.kind,
      canWrite: true,
    }
    const context: Pulling['context'] = (database) => ({
      db: database,
      directories,
      now: new Date(),
      actor: as,
    })
    async function pull({ dryRun = false }: { dryRun?: boolean } = {}) {
      const tally = createTally(() => {})
      const pulled = await pullCompany({
        db,
        directories,
        context,
        termUnit: 'months',
        dryRun,
        asking: {
          server: createJsonServer({
            outbound,
            baseUrl: source.url,
            key,
            signal,
            silenceMs: 300,
            totalMs: 1_000,
            retryMs: 10,
            maxAttempts: more.attempts ?? 3,
            maxWaitMs: 2_000,
            maxBytes: more.maxBytes ?? 1_000_000,
          }),
          scope: { name: 'installer_id', value: '1001' },
        },
        company: {
          installerId: company.installerId,
          companyId: company.id,
          isInstaller: company.kind === 'installer',
        },
        baseUrl: source.url,
        taking: {
          copying: {
            copier: createCopier({ outbound, store }),
            line: createCopyQueue(),
            store,
            trustedHosts,
          },
          readLinks: (address, givenUp) => readPageLinks(outbound, address, givenUp),
          signal,
          retry: async () => {},
        },
        signal,
        tally,
      })
      return { ...pulled, report: dryRun ? tally.report() : await reportOf(db, pulled.source) }
    }
    const rows = <T extends object>(text: string) => database.rows<T>(text, [company.installerId])
    const leads = () =>
      rows<{
        email: string
        reference: string | null
        externalId: string | null
        status: string
        leadId: string
      }>(
        `select email, reference, external_id as "externalId", status, id as "leadId" from leads
          where installer_id = $1 order by email`,
      )
    const projects = () =>
      rows<{
        reference: string | null
        stage: string
        price: string | null
        signed: Date | null
        id: string
      }>(
        `select p.reference, s.name as stage, p.contract_price::text as price, p.contract_signed_at as signed, p.id
          from projects p join stages s on s.installer_id = p.installer_id and s.id = p.stage_id
          where p.installer_id = $1 order by p.reference`,
      )
    const files = () =>
      rows<{ folder: string; name: string }>(
        `select folder, name from files where installer_id = $1 and revoked_at is null order by folder, name`,
      )
    return { company, source, pull, leads, projects, files, context, stopping }
  }

  return { database, db, store, moving }
}

export const none = { data: [] }

/** One page of each list, by its operation; single readings are not there. */
export const pagesOf =
  (lists: Record<string, Fields[]>): LegacyHandler =>
  (operation, query, response) => {
    if (!operation.startsWith('fetch_all')) return void response.writeHead(404).end('{}')
    return query.get('page') === '1' ? { data: lists[operation] ?? [] } : none
  }

export const solarLeads = 'fetch_all_lead_installer'
export const solarProjects = 'fetch_all_project_installer'
