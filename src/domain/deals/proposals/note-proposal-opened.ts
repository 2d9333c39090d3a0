import type { Database } from '../../../platform/db.ts'
import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import type { Directories } from '../../kernel/tenant/directories.ts'
import { commitChange } from '../changes/commit-change.ts'
import { findProjectDeal, type SoldDeal } from '../changes/deal.ts'
import { wasOpenedSince } from './proposal-queries.ts'

const opened = 'Opened the proposal'

/** Notes in the feed that the customer opened the proposal: once a day. No record reads otherwise after it. */
export async function noteProposalOpened(
  db: Database,
  directories: Directories,
  now: Date,
  deal: SoldDeal,
): Promise<void> {
  const { installerId, companyId } = deal.project
  const { firstName, lastName } = deal.lead.customer
  const { companies } = await directories.get(db, installerId)
  const company = companies.get(companyId)!
  const today = Temporal.PlainDate.from(dayIn(company.timezone, now)).toZonedDateTime(company.timezone)
  const since = new Date(today.epochMilliseconds)
  if (await wasOpenedSince(db, { installerId, leadId: deal.lead.id, since, body: opened })) return

  const ctx: Context = {
    db,
    directories,
    now,
    actor: {
      kind: 'job',
      id: null,
      name: [firstName, lastName].filter(Boolean).join(' ') || 'Customer',
      installerId,
      companyId,
      companyKind: company.kind,
      canWrite: true,
    },
  }
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    // Of two who open it at once, the second finds what the first has noted.
    if (await wasOpenedSince(tx, { installerId, leadId: deal.lead.id, since, body: opened })) return
    // Erased meanwhile, the customer has no name to note it under.
    const scope = { installerId, companyId: null, productLine: null }
    const current = await findProjectDeal(tx, scope, deal.project.id)
    if (!current || current.lead.erasedAt) return
    const directory = await directories.refresh(tx, installerId)
    await commitChange(ctx, { db: tx, directory, proven: false }, current, current, {
      activities: [{ type: 'message', body: opened, customerFacing: true, publishedAs: 'proposal.opened' }],
      events: [],
    })
  })
}
