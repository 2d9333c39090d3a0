import { Link } from '@tanstack/react-router'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { classes } from '../../ui/classes.ts'
import { formatDay } from '../../ui/format.ts'
import { Badge } from '../../ui/surface.tsx'
import { hasStretchedLink, SortedTh, type SortProps, stretchedLink, Table, Td, Th } from '../../ui/table.tsx'
import { formatAmount, todayIn } from './money.ts'
import { type InvoiceResponse, statusTones } from './use-billing.ts'

interface InvoiceListProps extends SortProps {
  invoices: InvoiceResponse[]
}

/** The list where there is room for a table. */
export function InvoiceTable({ invoices, sort, onSort }: InvoiceListProps) {
  const sorting = { sort, onSort }
  return (
    <Table label={texts.list}>
      <thead>
        <tr>
          <SortedTh label={texts.columns.number} by="made" first="descending" {...sorting} />
          <Th>{texts.columns.customer}</Th>
          <Th>{texts.columns.period}</Th>
          <SortedTh label={texts.columns.due} by="due" first="ascending" {...sorting} />
          <SortedTh label={texts.columns.amount} by="amount" first="descending" right {...sorting} />
          <Th>{texts.columns.status}</Th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id} className={hasStretchedLink}>
            <Td className="whitespace-nowrap">
              <Link
                to="/billing/invoices/$id"
                params={{ id: invoice.id }}
                className={classes(stretchedLink, 'font-medium hover:underline')}
              >
                {invoice.number ?? texts.draftNumber}
              </Link>
            </Td>
            <Td className="max-w-64">
              <span className="block truncate">{invoice.customer.name}</span>
              {invoice.installation && (
                <span className="block truncate text-[0.87rem] text-ink-soft">
                  {invoice.installation.name}
                </span>
              )}
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">{periodText(invoice)}</Td>
            <Td className="whitespace-nowrap text-ink-soft">{dayText(invoice.dueDate)}</Td>
            <Td className="text-right whitespace-nowrap tabular-nums">
              {formatAmount(invoice.amountDue, invoice.currency)}
            </Td>
            <Td>
              <StatusBadge invoice={invoice} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The list on a phone. */
export function InvoiceCards({ invoices }: InvoiceListProps) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {invoices.map((invoice) => (
        <li key={invoice.id}>
          <Link to="/billing/invoices/$id" params={{ id: invoice.id }} className="block px-4 py-3">
            <span className="flex items-center justify-between gap-3">
              <span className="truncate font-medium">{invoice.customer.name}</span>
              <span className="whitespace-nowrap tabular-nums">
                {formatAmount(invoice.amountDue, invoice.currency)}
              </span>
            </span>
            <span className="flex items-center justify-between gap-3 pt-1 text-[0.87rem] text-ink-soft">
              <span className="min-w-0 truncate">
                {[invoice.number ?? texts.draftNumber, periodText(invoice)].filter(Boolean).join(' · ')}
              </span>
              <StatusBadge invoice={invoice} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

type Status = Pick<InvoiceResponse, 'status' | 'dueDate'>

export function StatusBadge({ invoice: { status, dueDate } }: { invoice: Status }) {
  const { company } = useSession()
  if (status === 'open' && dueDate !== null && dueDate < todayIn(company.timezone))
    return <Badge tone="warn">{texts.overdue}</Badge>
  return <Badge tone={statusTones[status]}>{texts.statuses[status]}</Badge>
}

const dayText = (day: string | null) => (day === null ? '' : formatDay(day))

export function periodText({ periodStart, periodEnd }: Pick<InvoiceResponse, 'periodStart' | 'periodEnd'>) {
  return periodStart === null || periodEnd === null
    ? ''
    : `${formatDay(periodStart)} – ${formatDay(periodEnd)}`
}
