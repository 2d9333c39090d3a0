import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { formatDay } from '../../ui/format.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { periodText } from './invoice-list.tsx'
import { LineCards, LineTable } from './line-list.tsx'
import { formatAmount, formatDayIn } from './money.ts'
import { transferText } from './transfer-fields.tsx'
import type { InvoiceRead } from './use-billing.ts'

/** What is billed, line by line, and what it comes to. */
export function LinesCard({ invoice }: { invoice: InvoiceRead }) {
  const List = useWide() ? LineTable : LineCards
  const { lineItems, currency, creditApplied, amountPaid } = invoice
  const sums: [string, string][] = [
    ...(creditApplied === '0.00'
      ? []
      : ([
          [texts.subtotal, invoice.subtotal],
          [texts.creditApplied, `-${creditApplied}`],
        ] as [string, string][])),
    [texts.total, invoice.amountDue],
    ...(amountPaid === '0.00'
      ? []
      : ([
          [texts.paid, amountPaid],
          [texts.remaining, invoice.amountRemaining],
        ] as [string, string][])),
  ]
  return (
    <Card>
      <CardHeader title={texts.lines} />
      <List lineItems={lineItems} currency={currency} />
      <dl className="ml-auto grid w-fit grid-cols-[auto_auto] gap-x-6 gap-y-1 px-5 py-4 tabular-nums sm:px-4">
        {sums.map(([label, amount], i) => (
          <div key={label} className="contents">
            <dt className={i === sums.length - 1 ? 'font-semibold' : 'text-ink-soft'}>{label}</dt>
            <dd
              className={
                i === sums.length - 1
                  ? 'text-right font-semibold whitespace-nowrap'
                  : 'text-right whitespace-nowrap'
              }
            >
              {formatAmount(amount, currency)}
            </dd>
          </div>
        ))}
      </dl>
      <CreditNotes invoice={invoice} />
    </Card>
  )
}

/** Which credits it uses, and what became of what was paid on a void one. */
function CreditNotes({ invoice: { uses, credit, currency, status } }: { invoice: InvoiceRead }) {
  if (uses.length === 0 && !credit) return null
  const money = (amount: string) => formatAmount(amount, currency)
  return (
    <div className="border-t border-line px-5 py-3 text-[0.87rem] text-ink-soft">
      {uses.map(({ creditId, amount, invoiceId, number }) => (
        <p key={creditId}>
          {status === 'void' ? texts.gaveBack(money(amount)) : texts.usesCredit(money(amount))}{' '}
          <Link
            to="/billing/invoices/$id"
            params={{ id: invoiceId }}
            className="font-medium text-action hover:underline"
          >
            {texts.invoice(number)}
          </Link>
        </p>
      ))}
      {credit && (
        <p>
          {texts.becameCredit[credit.reason](
            money(credit.amount),
            money(credit.refunded),
            money(credit.remaining),
          )}{' '}
          <Link
            to="/billing"
            search={{ part: 'credits', state: 'all' }}
            className="font-medium text-action hover:underline"
          >
            {texts.toCredits}
          </Link>
        </p>
      )}
    </div>
  )
}

export function DetailsCard({ invoice }: { invoice: InvoiceRead }) {
  const { company } = useSession()
  const { customer, installation, dueDate, status } = invoice
  const dayOf = (instant: string | null) => instant && formatDayIn(company.timezone, instant)
  const facts: [string, ReactNode][] = [
    [
      texts.customer,
      <>
        {customer.name}
        {customer.email && (
          <span className="block">
            <UnbrokenText>{customer.email}</UnbrokenText>
          </span>
        )}
        {customer.address && (
          <span className="block text-ink-soft">
            <UnbrokenText>{customer.address}</UnbrokenText>
          </span>
        )}
      </>,
    ],
    [
      texts.installation,
      installation && (
        <Link
          to="/monitoring/$id"
          params={{ id: installation.id }}
          className="font-medium text-action hover:underline"
        >
          {installation.name}
        </Link>
      ),
    ],
    [texts.period, periodText(invoice)],
    [
      texts.dueDate,
      dueDate ? formatDay(dueDate) : status === 'draft' && texts.dueAfter(invoice.paymentTermDays),
    ],
    [texts.finalizedAt, dayOf(invoice.finalizedAt)],
    [texts.paidAt, dayOf(invoice.paidAt)],
    [texts.voidedAt, dayOf(invoice.voidedAt)],
  ]
  return (
    <Card>
      <CardHeader title={texts.details} />
      <dl className="flex flex-col gap-3 px-5 pt-1 pb-5">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="text-[0.87rem] text-ink-soft">{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {status === 'draft' && invoice.billingMonth && (
        <p className="border-t border-line px-5 py-3 text-[0.87rem] text-ink-soft">
          {invoice.edited ? texts.editedMark : texts.followsMark}
        </p>
      )}
    </Card>
  )
}

export function PaymentsCard({ invoice }: { invoice: InvoiceRead }) {
  const { payments, paymentCount, currency } = invoice
  return (
    <Card>
      <CardHeader title={texts.payments}>
        {paymentCount > payments.length && texts.firstPayments(payments.length, paymentCount)}
      </CardHeader>
      <ul aria-label={texts.payments} className="divide-y divide-line/70 pb-2">
        {payments.map(({ id, amount, on, method, reference, by }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-4 px-5 py-2.5">
            <span className="font-medium whitespace-nowrap tabular-nums">
              {formatAmount(amount, currency)}
            </span>
            <span className="min-w-0 text-ink-soft">
              {[formatDay(on), transferText(method, reference), by && texts.paymentBy(by)]
                .filter(Boolean)
                .join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
