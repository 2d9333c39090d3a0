import type { Database } from '../../platform/db.ts'
import { commandLine } from '../audit/command-line.ts'
import { findLeadDeal } from '../changes/deal.ts'
import type { Directories } from '../companies/directories.ts'
import { findCompany } from '../companies/queries.ts'
import { reachOf } from '../context.ts'
import { eraseCustomer } from './erase-customer.ts'
import type { ErasureReason } from './erasure.ts'
import type { ErasingParts } from './finish-erasure.ts'

export interface ErasedAgain {
  listed: number
  erased: number
  /** In this database they are erased already. */
  erasedBefore: number
  /** They are not in this database: it is older than they are, or another one. */
  missing: number
}

/** Erases everybody on the list, line by line as it was written: for a database that was restored from before. */
export async function eraseAgain(
  db: Database,
  directories: Directories,
  parts: ErasingParts,
  list: string,
): Promise<ErasedAgain> {
  const entries = new Map(list.split('\n').flatMap(entryOf))
  const outcome: ErasedAgain = { listed: entries.size, erased: 0, erasedBefore: 0, missing: 0 }
  for (const [leadId, { companyId, reason }] of entries) {
    const company = await findCompany(db, companyId)
    const ctx = company && { db, directories, now: new Date(), actor: commandLine(company) }
    const deal = ctx && (await findLeadDeal(db, reachOf(ctx), leadId))
    if (!ctx || !deal) outcome.missing++
    else if (deal.lead.erasedAt) outcome.erasedBefore++
    else {
      await eraseCustomer(ctx, parts, leadId, reason)
      outcome.erased++
    }
  }
  return outcome
}

interface Entry {
  companyId: string
  reason: ErasureReason
}

/** A line that was cut off by a crash is none: it is written again. */
function entryOf(line: string): [leadId: string, Entry][] {
  try {
    const { leadId, companyId, reason } = JSON.parse(line) as Record<string, unknown>
    if (typeof leadId !== 'string' || typeof companyId !== 'string') return []
    return [[leadId, { companyId, reason: reason === 'retention' ? reason : 'request' }]]
  } catch {
    return []
  }
}
