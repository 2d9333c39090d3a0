import type { Context } from '../../kernel/context.ts'
import { dayIn } from '../../kernel/days.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import type { Decimal } from '../../kernel/money.ts'

/** How money came, or went back. */
export const paymentMethods = ['ach', 'bank_transfer', 'card', 'cash', 'check', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

/** How, by which number and on which day money moved: a check's number, a transfer's. */
export interface Transfer {
  method: PaymentMethod | null
  reference: string | null
  on: string
}

/** What a caller says of it; the day is today where the company works when none is said. */
export interface TransferInput {
  method?: PaymentMethod | null | undefined
  reference?: string | null | undefined
  on?: string | undefined
}

/** A payment of an invoice, in the order in which they were noted. */
export interface Payment extends Transfer {
  id: string
  ordinal: number
  amount: Decimal
  at: Date
  by: string | null
}

/** As the catalogue API reads it. */
export function paymentRecord({ id, amount, method, reference, on, at }: Payment) {
  return { id, amount: Number(amount), method, reference, received_on: on, created_at: at.toISOString() }
}

const firstDay = '2000-01-01'

/** `field` is what the caller calls the day. */
export async function transferOf(
  { db, actor, now, directories }: Context,
  { method, reference, on }: TransferInput,
  field: string,
): Promise<Transfer> {
  const { companies } = await directories.current(db, actor.installerId)
  const today = dayIn(companies.get(actor.companyId)!.timezone, now)
  if (on !== undefined && (on > today || on < firstDay))
    throw new DomainError('invalid', `${field} must be a day from ${firstDay} to today, ${today}.`)
  return { method: method ?? null, reference: reference?.trim() || null, on: on ?? today }
}

/** The record as it reads after a call. */
export interface Answered {
  body: string
  /** Whether a call of the same key has done it before, longer ago than its answer is kept. */
  replayed: boolean
}

/** The key by which a call may be repeated, as it stands on what it did for good: each company has its own. */
export const requestKeyOf = ({ actor }: Context, key: string | null) => key && `${actor.companyId} ${key}`
