import type { FileStore } from '../../../platform/file-store/file-store.ts'
import { csvLine } from '../../../platform/tables/csv-text.ts'
import type { ArchiveEntry } from '../../../platform/zip-stream.ts'
import { findCreditOf } from '../../billing/credits/queries.ts'
import { drawInvoice } from '../../billing/invoices/draw-invoice.ts'
import { issue } from '../../billing/invoices/finalize-invoice.ts'
import { invoiceRecord } from '../../billing/invoices/invoice.ts'
import { type Deal, findLeadDeal } from '../../deals/changes/deal.ts'
import { loadRenderedDeals } from '../../deals/renderings/queries.ts'
import { withBaseUrl } from '../../deals/renderings/rendering.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { mayInFolder } from '../../kernel/folder-policy.ts'
import { authorize } from '../../kernel/policy.ts'
import { kwhText } from '../../sites/energy/energy.ts'
import { findLogo } from '../../tenants/companies/logo-queries.ts'
import { type ArchivePart, type DayMade, listDaysMade, readPart } from './archive-queries.ts'
import { billersSeen, personOf } from './erasure.ts'
import { listCustomerMails } from './feed-queries.ts'
import { type CustomerFile, listCustomerFiles } from './file-queries.ts'
import { findCustomerInstallations, listCustomerInvoices } from './installation-queries.ts'
import { findOthers } from './person-queries.ts'

const readMe = `What is kept about you

customer.json    who you are, your house, your project, your bills, mails to you, and what was noted
energy.csv       what your system made, day by day
files/           documents and pictures
invoices/        your invoices as PDF

Entries of "activities" that say "internal": true were written for the company's own use.
`

export interface Archive {
  leadIds: string[]
  entries: AsyncIterable<ArchiveEntry>
}

/**
 * Everything that is kept about a lead's customer and their co-borrower, to be handed to them; with `others` what the
 * same company keeps under further leads of the same email or phone. That it was exported is in the audit log.
 */
export async function customerArchive(
  ctx: Context,
  store: FileStore,
  key: string,
  { baseUrl, others }: { baseUrl: string; others: boolean },
): Promise<Archive> {
  const { db, actor, now } = ctx
  const scope = scopeOf(ctx)
  const deal = await findLeadDeal(db, scope, key)
  if (!deal) throw notFound('lead')
  authorize(actor, 'privacy.export')
  if (deal.lead.erasedAt)
    throw new DomainError('invalid', 'This customer was erased: nothing is kept that could be exported.')
  const more = others ? await findOthers(db, scope, deal) : []
  const leadIds = [deal.lead.id, ...more.map(({ id }) => id)]
  await db.transaction(async (tx) => {
    for (const id of leadIds)
      await recordSetting(tx, actor, now, {
        type: 'customer.exported',
        companyId: deal.lead.companyId,
        subjectId: id,
        name: id,
      })
  })
  async function* entries(): AsyncGenerator<ArchiveEntry> {
    yield { path: 'README.txt', content: readMe }
    for (const id of leadIds) {
      const found = await findLeadDeal(db, scope, id)
      if (found) yield* entriesOf(ctx, store, found, leadIds.length > 1 ? `${id}/` : '', baseUrl)
    }
  }
  return { leadIds, entries: entries() }
}

const atOnce = 200
const maxRecords = 10_000

async function* entriesOf(
  ctx: Context,
  store: FileStore,
  deal: Deal,
  prefix: string,
  baseUrl: string,
): AsyncGenerator<ArchiveEntry> {
  const { db, actor, now } = ctx
  const { lead, project } = deal
  const { installerId, companyId } = lead
  const projectId = project?.id ?? null
  const person = personOf(deal)
  const { emails, names, addresses } = person
  const companyIds = billersSeen(actor, { installerId, companyId, projectId })
  const installations = await findCustomerInstallations(db, { installerId, companyIds, projectId, emails })
  const installationIds = installations.map(({ id }) => id)
  const invoices = await listCustomerInvoices(db, {
    installerId,
    companyIds,
    installationIds,
    emails,
    names,
    addresses,
    after: '',
    limit: maxRecords,
  })
  const invoiceIds = invoices.map(({ id }) => id)
  const [rendered] = await loadRenderedDeals(db, installerId, [lead.id])
  const reading = (text: string | null | undefined) => (text ? JSON.parse(withBaseUrl(text, baseUrl)) : null)
  const { stored } = rendered!
  const seen =
    actor.companyKind === 'dealer' ? (stored.project?.dealer ?? stored.project?.full) : stored.project?.full
  const part = (name: ArchivePart, of: string | readonly string[]) =>
    readPart(db, { installerId, companyId: actor.companyId, part: name, of })
  const mailIds = await listCustomerMails(
    db,
    {
      installerId,
      companyId,
      leadId: lead.id,
      erasedAt: now,
      person: { ...person, names: [] },
    },
    maxRecords,
  )
  const files: CustomerFile[] = []
  if (project)
    for (let after = ''; ; ) {
      const page = await listCustomerFiles(db, { installerId, projectId: project.id, after, limit: atOnce })
      files.push(...page.filter(({ folder }) => mayInFolder(actor, 'read', folder)))
      if (page.length < atOnce) break
      after = page.at(-1)!.id
    }
  const pathOf = (file: CustomerFile) => `files/${file.folder}/${file.id}-${safeName(file.name)}`
  const customer = {
    exportedAt: now.toISOString(),
    lead: reading(stored.lead),
    project: reading(seen),
    installations: await part('installations', installationIds),
    billingPlans: await part('plans', installationIds),
    invoices: invoices.map(invoiceRecord),
    payments: await part('payments', invoiceIds),
    credits: await part('credits', invoiceIds),
    refunds: await part('refunds', invoiceIds),
    calendar: await part('calendar', lead.id),
    activities: await part('activities', lead.id),
    mails: await part('mails', mailIds),
    agentProposals: await part('agentProposals', [lead.id, ...installationIds, ...invoiceIds]),
    history: await part('history', lead.id),
    files: files.map((file) => ({
      path: pathOf(file),
      name: file.name,
      folder: file.folder,
      type: file.type,
      bytes: file.size,
      addedAt: file.addedAt,
    })),
  }
  yield { path: `${prefix}customer.json`, content: `${JSON.stringify(customer, null, 2)}\n` }
  const days: DayMade[] = []
  for (const id of installationIds)
    days.push(...(await listDaysMade(db, { installerId, installationId: id })))
  if (days.length > 0) {
    const lines = days.map(({ installationId, day, microkwh }) =>
      csvLine([installationId, day, kwhText(microkwh)]),
    )
    yield {
      path: `${prefix}energy.csv`,
      content: csvLine(['installation_id', 'day', 'kwh']) + lines.join(''),
    }
  }
  for (const file of files) {
    const kept = await store.open(file.storeKey)
    if (kept) yield { path: prefix + pathOf(file), content: kept.stream }
  }
  for (const invoice of invoices) {
    const issued = invoice.issued ?? (await issue(db, invoice, now)).issued
    const logo = await findLogo(db, invoice)
    const credit = await findCreditOf(db, { installerId, invoiceId: invoice.id })
    const pdf = await drawInvoice(invoice, issued, logo?.png ?? null, credit)
    yield { path: `${prefix}invoices/${invoice.number ?? invoice.id}.pdf`, content: pdf }
  }
}

/** A name that every disk takes and that leads nowhere else. */
function safeName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N}. _-]+/gu, '_')
    .replace(/^\.+/, '_')
    .slice(-100)
}
