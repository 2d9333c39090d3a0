import { withinTransaction } from '../../../platform/within-transaction.ts'
import { changeLeads } from '../../deals/leads/change-leads.ts'
import type { Context } from '../../kernel/context.ts'
import { claimMs, type Import } from './import.ts'
import { listMade, noteUndone } from './lead-queries.ts'
import { contextFor } from './planning.ts'
import { lockImport, moveImport } from './queries.ts'

const atOnce = 100

/** Archives what an import made, some at a time; what it changed stays as it is. */
export async function runUndo(
  base: Pick<Context, 'db' | 'directories'>,
  begun: Import,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await undoSome(base, begun)));
}

function undoSome(base: Pick<Context, 'db' | 'directories'>, begun: Import): Promise<boolean> {
  return base.db.transaction(async (tx) => {
    const found = await lockImport(tx, begun, begun.id)
    if (found?.state !== 'undoing') return false
    const of = { installerId: found.installerId, importId: found.id }
    const made = await listMade(tx, { ...of, limit: atOnce })
    if (made.length === 0) {
      const now = new Date()
      await moveImport(tx, found, 'undone', { claimedUntil: now, endedAt: now, letGo: true })
      return false
    }
    const ctx = contextFor({ ...base, db: withinTransaction(tx) }, found)
    await changeLeads(
      ctx,
      made.map(({ id }) => id),
      { archived: true },
    )
    const until = new Date(Date.now() + claimMs)
    await noteUndone(tx, of, made, until)
    return true
  })
}
