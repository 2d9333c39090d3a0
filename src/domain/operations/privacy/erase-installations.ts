import type { Database, Db } from '../../../platform/db.ts'
import { eraseCredits } from '../../billing/credits/queries.ts'
import { deleteDraftWithin } from '../../billing/invoices/delete-draft.ts'
import { type Invoice, invoiceEvent } from '../../billing/invoices/invoice.ts'
import { updateInvoice } from '../../billing/invoices/queries.ts'
import { type RecordEvent, recordEvents } from '../../journal/events/record-events.ts'
import type { Actor } from '../../kernel/context.ts'
import { erasedName } from '../../kernel/name.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { alertEvent } from '../../sites/alerts/find-alerts.ts'
import { findAlert } from '../../sites/alerts/queries.ts'
import { installationEvent } from '../../sites/installations/installation.ts'
import { findInstallation } from '../../sites/installations/queries.ts'
import { billedTo, billersOf, type Erasure, strike } from './erasure.ts'
import { forgetAnswersOf } from './feed-queries.ts'
import {
  type AlertText,
  eraseInstallation,
  listAlertTexts,
  listCustomerInvoices,
  saveAlertTexts,
} from './installation-queries.ts'
import { listReferences, saveReference } from './payment-queries.ts'
import { keepsInvoiceNames } from './retention-queries.ts'

const batch = 200

/** Takes the customer off their installations, billing plans and alerts; answers the ids of all that is told of in the log. */
export async function eraseInstallations(
  db: Database,
  actor: Actor,
  now: Date,
  erasure: Erasure,
  installationIds: string[],
): Promise<string[]> {
  const { installerId, person } = erasure
  const alertIds: string[] = []
  await db.transaction(async (tx) => {
    // Whoever looks for faults writes under the same lock, and by the name that stands here then.
    await lockTenant(tx, installerId)
    for (const id of installationIds) {
      const at = await takeTimes(tx, installerId, now, 1)
      if (!(await eraseInstallation(tx, { installerId, id, name: erasedName, at }))) continue
      const installation = await findInstallation(tx, { installerId, id })
      // Of what was deleted nobody is told once more.
      if (!installation) continue
      const { data, ...event } = installationEvent('installation.updated', installation)
      await recordEvents(tx, actor, at, [{ ...event, data: { ...data, erased: true } }])
    }
  })
  for (let after = ''; installationIds.length > 0; ) {
    const page = await db.transaction(async (tx) => {
      await lockTenant(tx, installerId)
      const alerts = await listAlertTexts(tx, { installerId, installationIds, after, limit: batch })
      const struck = alerts.map(({ id, title, description }) => ({
        id,
        title: strike(title, person),
        description: strike(description, person),
      }))
      const changed = struck.filter(
        ({ title, description }, i) => title !== alerts[i]!.title || description !== alerts[i]!.description,
      )
      if (changed.length > 0) await strikeAlerts(tx, actor, now, changed)
      return alerts
    })
    alertIds.push(...page.map(({ id }) => id))
    if (page.length < batch) break
    after = page.at(-1)!.id
  }
  return [...installationIds, ...alertIds]
}

/** Who has a copy of what they say is told what they say now. */
async function strikeAlerts(tx: Db, actor: Actor, now: Date, struck: readonly AlertText[]): Promise<void> {
  const { installerId } = actor
  const at = await takeTimes(tx, installerId, now, 1)
  await saveAlertTexts(tx, installerId, struck, at)
  const events: RecordEvent[] = []
  for (const { id } of struck) {
    const alert = (await findAlert(tx, { installerId, companyId: null }, id))!
    const { data, ...event } = alertEvent('alert.updated', alert)
    events.push({ ...event, data: { ...data, erased: true } })
  }
  await recordEvents(tx, actor, at, events)
}

/**
 * Drafts go. What was finalised stays, with its number, amounts and days, as the law wants it; the name is struck out
 * unless the company says that its law wants that too. Answers the ids of all of
 * them, and of the credits that came of them.
 */
export async function eraseInvoices(
  db: Database,
  actor: Actor,
  now: Date,
  erasure: Erasure,
  installationIds: string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const companyId of billersOf(erasure))
    ids.push(...(await eraseInvoicesOf(companyId, db, actor, now, erasure, installationIds)))
  return ids
}

async function eraseInvoicesOf(
  companyId: string,
  db: Database,
  actor: Actor,
  now: Date,
  erasure: Erasure,
  installationIds: string[],
): Promise<string[]> {
  const { installerId } = erasure
  const keepNames = await keepsInvoiceNames(db, { installerId, companyId })
  const ids: string[] = []
  for (let after = ''; ; ) {
    const page = await db.transaction(async (tx) => {
      await lockTenant(tx, installerId)
      const invoices = await listCustomerInvoices(tx, {
        ...billedTo(erasure),
        installerId,
        companyIds: [companyId],
        installationIds,
        after,
        limit: batch,
      })
      for (const invoice of invoices) {
        if (invoice.status === 'draft') await deleteDraftWithin(tx, actor, now, struckOut(invoice, erasure))
        else if (!keepNames) await strikeOut(tx, actor, now, invoice, erasure)
      }
      const invoiceIds = invoices.map(({ id }) => id)
      if (!keepNames) await strikeReferences(tx, erasure, invoiceIds)
      const name = keepNames ? null : erasedName
      const creditIds = (await eraseCredits(tx, { installerId, invoiceIds, name })).map(({ id }) => id)
      await forgetAnswersOf(tx, installerId, [...invoiceIds, ...creditIds])
      ids.push(...invoiceIds, ...creditIds)
      return invoices
    })
    if (page.length < batch) return ids
    after = page.at(-1)!.id
  }
}

async function strikeOut(tx: Db, actor: Actor, now: Date, invoice: Invoice, erasure: Erasure): Promise<void> {
  if (invoice.customer.name === erasedName && invoice.customer.address === null) return
  const at = await takeTimes(tx, actor.installerId, now, 1)
  const struck = { ...struckOut(invoice, erasure), version: invoice.version + 1, updatedAt: at }
  await updateInvoice(tx, struck)
  const { data, ...event } = invoiceEvent('invoice.finalized', struck)
  const erased = {
    type: 'invoice.erased',
    publishedAs: 'invoice.updated',
    data: { ...data, erased: true },
  } as const
  await recordEvents(tx, actor, at, [{ ...event, ...erased }])
}

/** What is noted of payments is a number, or whatever somebody typed. */
async function strikeReferences(
  tx: Db,
  { installerId, person }: Erasure,
  invoiceIds: string[],
): Promise<void> {
  for (const { kind, id, reference } of await listReferences(tx, { installerId, invoiceIds })) {
    const struck = strike(reference, person)
    if (struck !== reference) await saveReference(tx, { installerId, kind, id, reference: struck })
  }
}

function struckOut(invoice: Invoice, { person }: Erasure): Invoice {
  const installation = invoice.issued?.installation
  return {
    ...invoice,
    customer: { name: erasedName, email: null, address: null },
    lineItems: invoice.lineItems.map((line) => ({ ...line, description: strike(line.description, person) })),
    issued: invoice.issued && {
      ...invoice.issued,
      installation: installation ? { ...installation, name: erasedName, address: '' } : null,
    },
  }
}
