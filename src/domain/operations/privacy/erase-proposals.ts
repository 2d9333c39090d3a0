import type { Database } from '../../../platform/db.ts'
import { erasedName } from '../../kernel/name.ts'
import { beyondDoubt, type Erasure, isAbout, mentions } from './erasure.ts'
import { emptyProposals, listProposalTexts } from './proposal-queries.ts'

const batch = 200

/**
 * What agents proposed for the customer: that it was, and what became of it, stays; what it says does not. One that waits is
 * over. An invoice may name them with no record between, also where it is for another's project, so what such ones say is
 * read too.
 */
export async function eraseProposals(
  db: Database,
  { installerId, companyId, leadId, person }: Erasure,
  recordIds: readonly string[],
  now: Date,
): Promise<void> {
  const sure = beyondDoubt(person)
  const records = new Set([leadId, ...recordIds])
  for (let after = ''; ; ) {
    const page = await listProposalTexts(db, { installerId, after, limit: batch })
    const about = page.filter(
      ({ leadId: lead, installationId, invoiceId, companyId: of, kind, text }) =>
        [lead, installationId, invoiceId].some((id) => id !== null && records.has(id)) ||
        // No record says whose it is: then what it says does.
        (lead === null && of === companyId && isAbout(text, person)) ||
        ((lead === null || kind === 'draftInvoice') && mentions(text, sure)),
    )
    if (about.length > 0)
      await emptyProposals(db, {
        installerId,
        ids: about.map(({ id }) => id),
        summary: erasedName,
        now,
      })
    if (page.length < batch) return
    after = page.at(-1)!.id
  }
}
