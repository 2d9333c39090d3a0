import type { BilledCustomer } from '../../domain/billing/invoices/invoice.ts'
import type { NewLineItem } from '../../domain/billing/invoices/line-items.ts'
import type { PaymentMethod, TransferInput } from '../../domain/billing/payments/payment.ts'

export function customerOf(body: {
  name: string
  email?: string | null
  address?: string | null
}): BilledCustomer {
  return { name: body.name, email: body.email || null, address: body.address || null }
}

/** A number's own shortest text is the decimal that was sent. */
export function lineItemsOf(
  lines: { description: string; quantity?: number; unit?: string; unit_price: number }[],
): NewLineItem[] {
  return lines.map(({ description, quantity = 1, unit = 'each', unit_price }) => ({
    description,
    quantity: String(quantity),
    unit,
    unitPrice: String(unit_price),
  }))
}

type Renamed<T> = {
  [K in keyof T as K extends 'period_start'
    ? 'periodStart'
    : K extends 'period_end'
      ? 'periodEnd'
      : K extends 'due_date'
        ? 'dueDate'
        : K]: T[K]
}

const names: Record<string, string> = {
  period_start: 'periodStart',
  period_end: 'periodEnd',
  due_date: 'dueDate',
}

/** The same fields in the domain's words; what is absent stays absent. */
export function renamed<T extends object>(body: T): Renamed<T> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [names[name] ?? name, value]),
  ) as Renamed<T>
}

/** How and when money moved; `on` is the day, by whatever name it was sent. */
export function transferOf(
  body: { method?: PaymentMethod | null; reference?: string | null } | null | undefined,
  on: string | undefined,
): TransferInput {
  return { method: body?.method, reference: body?.reference, on }
}
