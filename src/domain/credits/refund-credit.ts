import { Big } from 'big.js'
import type { Db } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { lockTenant } from '../companies/queries.ts'
import { type Context, confinedTo, requireRunner, requireWriter } from '../context.ts'
import { DomainError, notFound } from '../domain-error.ts'
import { recordEvents } from '../events/record-events.ts'
import { cents, exactly } from '../invoices/money.ts'
import {
  keyUsedOtherwise,
  requestKeyOf,
  type Transfer,
  type TransferInput,
  transferOf,
} from '../invoices/payment.ts'
import type { Decimal } from '../leads/lead.ts'
import { takeTimes } from '../renderings/queries.ts'
import { type Credit, creditEvent } from './credit.ts'
import { findCredit, findRequestedRefund, insertRefund, readCredit } from './queries.ts'

export interface NewRefund extends TransferInput {
  /** All that is left when absent. */
  amount?: Decimal | undefined
  /** The same key twice is one refund. */
  key?: string | undefined
}

export interface Refunded {
  credit: Credit
  /** Whether it was noted before, by a call of the same key. */
  replayed: boolean
}

/** Notes that a credit was paid back: what is left of it, or a part. */
export async function refundCredit(
  ctx: Context,
  id: string,
  input: NewRefund = {},
  seen?: number,
): Promise<Refunded> {
  const { db, actor, now } = ctx
  requireRunner(actor, 'pay back customers')
  const find = async (at: Db) => {
    const credit = await findCredit(at, actor.installerId, confinedTo(actor), id)
    if (!credit) throw notFound('credit')
    return credit
  }
  await find(db)
  requireWriter(actor)
  const amount = input.amount === undefined ? null : cents(exactly(input.amount, 2, 'amount'))
  const transfer = await transferOf(ctx, input, 'refunded_on')
  const key = requestKeyOf(ctx, input.key)
  return db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    const credit = await find(tx)
    const before = key === null ? null : await findRequestedRefund(tx, actor.installerId, key)
    if (before && (before.creditId !== credit.id || (amount !== null && amount !== before.amount)))
      throw keyUsedOtherwise()
    if (before) return { credit, replayed: true }
    if (seen !== undefined && seen !== credit.version)
      throw new DomainError(
        'invalid',
        'This credit was changed meanwhile. Look at it as it is now, then try again.',
      )
    const refund = amount ?? credit.remaining
    if (new Big(refund).gt(credit.remaining) || new Big(refund).lte(0))
      throw new DomainError(
        'invalid',
        `amount: Only ${credit.remaining} ${credit.currency} of this credit is left. Refund at most that.`,
      )
    const at = await takeTimes(tx, actor.installerId, now, 1)
    await noteRefund(tx, ctx, credit, { ...transfer, amount: refund, at }, key)
    const next = await find(tx)
    const record = JSON.parse((await readCredit(tx, actor.installerId, null, credit.id))!)
    const changes = { refunded: [credit.refunded, next.refunded] as [string, string] }
    await recordEvents(tx, actor, at, [creditEvent('credit.refunded', next, record, changes)])
    return { credit: next, replayed: false }
  })
}

/** Writes a refund down, for whoever holds the tenant's lock and tells of it. */
export async function noteRefund(
  tx: Db,
  { actor }: Context,
  credit: Credit,
  refund: Transfer & { amount: Decimal; at: Date },
  key: string | null = null,
): Promise<void> {
  await insertRefund(tx, actor, credit, { id: newId('rfnd'), ...refund }, key)
}
