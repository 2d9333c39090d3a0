import { cleanFileName, diskFileName } from '../../../platform/file-name.ts'
import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { csvLine } from '../../../platform/tables/csv-text.ts'
import { drawInvoice } from '../../billing/invoices/draw-invoice.ts'
import { issue } from '../../billing/invoices/finalize-invoice.ts'
import { findInvoice } from '../../billing/invoices/queries.ts'
import { recordExport } from '../../journal/audit/record-security.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import type { Company } from '../../kernel/tenant/company.ts'
import { kwhText } from '../../sites/energy/energy.ts'
import { exportReadings } from '../../sites/energy/export-readings.ts'
import { findLogo } from '../../tenants/companies/logo-queries.ts'
import { exportDeals } from './export-deals.ts'
import { type ExportFolder, writeFolder } from './export-folder.ts'
import { exportedKinds, exportLines, listCatalogue, listFiles, listInvoices } from './queries.ts'

export interface ExportWanted {
  company: Company
  /** The folder to make; there is none of this name yet. */
  to: string
  /** The public address that stands in the records. */
  baseUrl: string
  onProgress: (records: number) => void
}

export interface Manifest {
  company: { id: string; number: number; name: string; kind: string }
  exportedAt: Date
  /** How many records each file holds. */
  counts: Record<string, number>
  /** Files that are recorded and not in the store. */
  missingFiles: string[]
}

/** Writes down everything that a company owns: an installer with its dealers' records, a dealer its own alone. */
export async function exportCompany(ctx: Context, store: FileStore, wanted: ExportWanted): Promise<Manifest> {
  const { id, number, name, kind } = wanted.company
  await recordExport(ctx, 'everything')
  let manifest: Manifest | undefined
  await writeFolder(
    wanted.to,
    async (folder) => {
      await exportDeals(ctx, folder, wanted.baseUrl)
      await exportRecords(ctx, folder)
      await exportEnergy(ctx, folder)
      await exportInvoices(ctx, folder)
      const missingFiles = await exportFiles(ctx, folder, store)
      const company = { id, number, name, kind }
      manifest = { company, exportedAt: ctx.now, counts: folder.counts(), missingFiles }
      return manifest
    },
    wanted.onProgress,
  )
  return manifest!
}

const asLines = (texts: readonly string[]) => texts.map((text) => `${text}\n`)

async function exportRecords({ db, actor }: Context, folder: ExportFolder): Promise<void> {
  for (const kind of exportedKinds) {
    const file = await folder.open(`${kind}.ndjson`)
    for await (const lines of exportLines(db, actor, kind)) await file.write(asLines(lines))
    await file.close()
  }
  for (const kind of ['adders', 'equipment'] as const) {
    const file = await folder.open(`${kind}.ndjson`)
    await file.write(asLines(await listCatalogue(db, actor, kind)))
    await file.close()
  }
}

async function exportEnergy(ctx: Context, folder: ExportFolder): Promise<void> {
  const file = await folder.open('energy.csv')
  await file.write([csvLine(['panel_id', 'timestamp', 'kwh'])], 0)
  for await (const { readings } of exportReadings(ctx, {})) {
    await file.write(
      readings.map(({ panelId, at, microkwh }) =>
        csvLine([panelId, new Date(at).toISOString(), kwhText(microkwh)]),
      ),
    )
  }
  await file.close()
}

const atOnce = 200

async function exportInvoices({ db, actor, now }: Context, folder: ExportFolder): Promise<void> {
  const [installerId, companyId] = [actor.installerId, confinedTo(actor)]
  const file = await folder.open('invoices.ndjson')
  for (let after = ''; ; ) {
    const page = await listInvoices(db, { installerId, companyId, after, limit: atOnce })
    await file.write(asLines(page.map(({ line }) => line)))
    for (const { id } of page) {
      const invoice = await findInvoice(db, installerId, companyId, id)
      if (!invoice) continue
      const issued = invoice.issued ?? (await issue(db, invoice, now)).issued
      const logo = await findLogo(db, invoice)
      const pdf = await drawInvoice(invoice, issued, logo?.png ?? null)
      await folder.put(`invoices/${diskFileName(`${invoice.number ?? invoice.id}.pdf`)}`, pdf)
    }
    if (page.length < atOnce) break
    after = page.at(-1)!.id
  }
  await file.close()
}

/** Answers which files are not in the store. */
async function exportFiles(
  { db, actor }: Context,
  folder: ExportFolder,
  store: FileStore,
): Promise<string[]> {
  const [installerId, companyId] = [actor.installerId, confinedTo(actor)]
  const file = await folder.open('files.ndjson')
  const missing: string[] = []
  for (let after = ''; ; ) {
    const page = await db.reading(installerId, 'anything', (from) =>
      listFiles(from, { installerId, companyId, after, limit: atOnce }),
    )
    for (const { storeKey, ...found } of page) {
      const entry = { ...found, name: cleanFileName(found.name) }
      const path = `files/${entry.projectId}/${entry.folder}/${entry.id}-${diskFileName(entry.name)}`
      const stored = await store.open(storeKey)
      if (stored) await folder.put(path, stored.stream)
      else missing.push(entry.id)
      await file.write([`${JSON.stringify({ ...entry, path: stored ? path : null })}\n`])
    }
    if (page.length < atOnce) break
    after = page.at(-1)!.id
  }
  await file.close()
  return missing
}
