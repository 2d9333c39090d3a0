import { Big } from 'big.js'
import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { recordEvents } from '../../journal/events/record-events.ts'
import { keyUsedOtherwise } from '../../journal/idempotency/call.ts'
import { ChangedMeanwhile } from '../../kernel/changed-meanwhile.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'
import { cents, exactly } from '../../kernel/money.ts'
import { authorize } from '../../kernel/policy.ts'
import { lockTenant, takeTimes } from '../../kernel/tenant/clock-queries.ts'
import type { Asking } from '../payments/pay-invoice.ts'
import {
  type Answered,
  requestKeyOf,
  type Transfer,
  type TransferInput,
  transferOf,
} from '../payments/payment.ts'
import { type Credit, creditEvent } from './credit.ts'
import { findCredit, findRequestedRefund, insertRefund, readCredit } from './queries.ts'

export interface NewRefund extends TransferInput {
  /** All that is left when absent. */
  amount?: Decimal | undefined
}

/**
 * Notes that a credit was paid back: what is left of it, or a part. Answers the credit as it then reads. What a call of
 * the same key has paid back is not noted again, however long ago that was.
 */
export async function refundCredit(
  ctx: Context,
  id: string,
  input: NewRefund = {},
  { seen, idempotencyKey = null }: Asking = {},
): Promise<Answered> {
  const { db, actor } = ctx
  authorize(actor, 'billing.read')
  const find = async (at: Db) => {
    const credit = await findCredit(at, { installerId: actor.installerId, companyId: confinedTo(actor), id })
    if (!credit) throw notFound('credit')
    return credit
  }
  await find(db)
  authorize(actor, 'billing.refund')
  const amount = input.amount === undefined ? null : cents(exactly(input.amount, 2, 'amount'))
  const transfer = await transferOf(ctx, input, 'refunded_on')
  const key = requestKeyOf(ctx, idempotencyKey)
  return db.transaction(async (tx) => {
    await lockTenant(tx, actor.installerId)
    const credit = await find(tx)
    const read = async () => (await readCredit(tx, namedAs(credit)))!
    const before =
      key === null ? null : await findRequestedRefund(tx, { installerId: actor.installerId, requestKey: key })
    if (before && before.creditId !== credit.id) throw keyUsedOtherwise()
    if (before) return { body: await read(), replayed: true }
    requireSeen(credit, seen)
    await payBack(tx, ctx, credit, amount ?? credit.remaining, transfer, key)
    return { body: await read(), replayed: false }
  })
}

const namedAs = ({ installerId, id }: Credit) => ({ installerId, companyId: null, id })

function requireSeen({ version }: Credit, seen: number | undefined): void {
  if (seen === undefined || seen === version) return
  throw new ChangedMeanwhile({ version })
}

async function payBack(
  tx: Db,
  ctx: Context,
  credit: Credit,
  amount: Decimal,
  transfer: Transfer,
  key: string | null,
): Promise<void> {
  const { installerId } = ctx.actor
  if (new Big(amount).gt(credit.remaining) || new Big(amount).lte(0))
    throw new DomainError(
      'invalid',
      `amount: Only ${credit.remaining} ${credit.currency} of this credit is left. Refund at most that.`,
    )
  const at = await takeTimes(tx, installerId, ctx.now, 1)
  await noteRefund(tx, ctx, credit, { ...transfer, amount, at }, key)
  const next = (await findCredit(tx, namedAs(credit)))!
  const record = JSON.parse((await readCredit(tx, namedAs(credit)))!)
  const changes = { refunded: [credit.refunded, next.refunded] as [string, string] }
  await recordEvents(tx, ctx.actor, at, [creditEvent('credit.refunded', next, record, changes)])
}

/** Writes a refund down, for whoever holds the tenant's lock and tells of it. */
export async function noteRefund(
  tx: Db,
  { actor }: Context,
  credit: Credit,
  refund: Transfer & { amount: Decimal; at: Date },
  key: string | null = null,
): Promise<void> {
  await insertRefund(tx, {
    ...refund,
    installerId: credit.installerId,
    creditId: credit.id,
    id: newId('rfnd'),
    actorKind: actor.kind,
    actorId: actor.id,
    by: actor.name,
    requestKey: key,
  })
}
