import { runDueMonths } from '../domain/billing/runs/run-month.ts'
import type { Database } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

/** Drafts the invoices of months that have ended, soon after they have in each installation's own zone. */
export async function draftInvoices(db: Database, log: Log, now: Date, signal: AbortSignal): Promise<void> {
  const outcomes = await runDueMonths(db, now, signal)
  const count = (outcome: string) => outcomes.filter((o) => o.outcome === outcome).length
  const [drafted, redrafted, held] = [count('drafted'), count('redrafted'), count('held')]
  if (drafted + redrafted > 0) log.info({ drafted, redrafted, held }, 'drafted invoices')
  for (const { outcome, installerId, installationId, month, detail } of outcomes) {
    if (outcome !== 'failed') continue
    log.warn({ installerId, installationId, month, error: detail }, 'a month could not be billed')
  }
}
