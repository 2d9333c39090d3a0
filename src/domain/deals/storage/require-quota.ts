import type { Db } from '../../../platform/db.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { findUsage } from './queries.ts'
import { sizeText } from './usage.ts'

/**
 * Refuses what a company has no room for. Asked before something is received, it spares the trouble; asked in the
 * transaction that keeps it, which holds the tenant's lock, nobody else can have taken the room meanwhile.
 */
export async function requireQuota(
  db: Db,
  { installerId, companyId }: { installerId: string; companyId: string },
  bytes: number,
): Promise<void> {
  const { bytes: used, limitBytes } = await findUsage(db, { installerId, companyId })
  if (limitBytes === null || used + bytes <= limitBytes) return
  throw new DomainError(
    'invalid',
    `There is no room for ${sizeText(bytes)} more: the company keeps ${sizeText(used)} and may keep ${sizeText(limitBytes)}. Remove files that are not needed, or ask who runs the server for more. Nothing was added.`,
  )
}
