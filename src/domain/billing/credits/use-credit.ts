import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { cents, minus, sumOf } from '../../kernel/money.ts'
import { type Invoice, subtotalOf } from '../invoices/invoice.ts'
import type { CreditUse } from './credit.ts'
import { clearUses, insertUses, listCreditsFor } from './use-queries.ts'

type Asked = Pick<
  Invoice,
  'installerId' | 'companyId' | 'installationId' | 'currency' | 'customer' | 'id' | 'lineItems'
>

/** An invoice's amounts, and the credits that they come from. */
export interface Credited {
  amounts: Pick<Invoice, 'creditApplied' | 'amountDue'>
  uses: CreditUse[]
}

/** What is due of a draft after its customer's credits, the oldest first. It is theirs once `takeCredit` has written it. */
export async function creditFor(db: Db, draft: Asked): Promise<Credited> {
  const subtotal = subtotalOf(draft)
  const uses: CreditUse[] = []
  let open = new Big(subtotal)
  for (const { creditId, amount } of await listCreditsFor(db, draft)) {
    if (open.lte(0)) break
    const taken = open.lt(amount) ? open : new Big(amount)
    uses.push({ creditId, amount: cents(taken) })
    open = open.minus(taken)
  }
  const creditApplied = sumOf(uses.map(({ amount }) => amount))
  return { amounts: { creditApplied, amountDue: minus(subtotal, creditApplied) }, uses }
}

/** Writes down which credits a draft uses, in place of what it used before; for whoever holds the tenant's lock. */
export async function takeCredit(
  tx: Db,
  draft: Pick<Invoice, 'installerId' | 'id'>,
  uses: readonly CreditUse[],
): Promise<void> {
  await clearUses(tx, draft)
  if (uses.length > 0) await insertUses(tx, { ...draft, uses: JSON.stringify(uses) })
}
