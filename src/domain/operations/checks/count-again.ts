import type { Database } from '../../../platform/db.ts'
import { deleteEmptySums, listWithEmptySums } from '../../billing/invoices/list-queries.ts'
import { setPlansChanged } from '../../billing/plans/numbered-plan-queries.ts'
import { markAllPlanned } from '../../billing/plans/plan-queries.ts'
import { listUncounted, lockTenant, setCounted } from '../../kernel/tenant/clock-queries.ts'
import { listWithUnsummed, sumQuarantined } from '../../sites/energy/quarantine-queries.ts'
import { clockedChecks } from './clocked-counts.ts'

/** Counts what a version before has written without counting it; a tenant that fails does not keep the others waiting. */
export async function countAgain(db: Database, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const { installerId } of await listUncounted(db, {})) {
    if (signal.aborted) return
    await countTenant(db, installerId, signal).catch((error: unknown) => failures.push(error))
  }
  for (const { installerId } of await listWithUnsummed(db, {}))
    await sumQuarantined(db, installerId, signal).catch((error: unknown) => failures.push(error))
  for (const tenant of await listWithEmptySums(db, {})) await deleteEmptySums(db, tenant)
  if (failures.length > 0) throw failures[0]
}

async function countTenant(db: Database, installerId: string, signal: AbortSignal): Promise<void> {
  await markAllPlanned(db, installerId, signal)
  if (signal.aborted) return
  await db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    for (const check of clockedChecks) await check(tx, { installerId, mend: true })
    await setPlansChanged(tx, { installerId })
    await setCounted(tx, { installerId })
  })
}
