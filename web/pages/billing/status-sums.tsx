import { billing as texts } from '../../texts/en/billing.ts'
import { classes } from '../../ui/classes.ts'
import { Badge } from '../../ui/surface.tsx'
import { formatAmount } from './money.ts'
import { type BillingSummary, type InvoiceStatus, statusTones } from './use-billing.ts'

interface StatusSumsProps {
  sums: BillingSummary['sums']
  status: string | undefined
  onChoose: (status: string) => void
}

const statuses = ['draft', 'open', 'paid', 'void'] as const satisfies readonly InvoiceStatus[]

/** How many invoices there are and what they come to, by status; each narrows the list to itself. */
export function StatusSums({ sums, status, onChoose }: StatusSumsProps) {
  return (
    <ul aria-label={texts.sums} className="grid grid-cols-2 gap-3 pb-4 lg:grid-cols-4">
      {statuses.map((name) => {
        const own = sums.filter((sum) => sum.status === name)
        const overdue = own.reduce((count, sum) => count + sum.overdue, 0)
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={status === name}
              onClick={() => onChoose(status === name ? '' : name)}
              className={classes(
                'flex h-full w-full min-w-0 flex-col items-start gap-1 rounded-xl border bg-surface p-3.5 text-left shadow-card hover:bg-sunken',
                status === name ? 'border-action ring-1 ring-action' : 'border-line',
              )}
            >
              <span className="flex w-full flex-wrap items-center justify-between gap-1">
                <Badge tone={statusTones[name]}>{texts.statuses[name]}</Badge>
                {overdue > 0 && <Badge tone="warn">{texts.overdueCount(overdue)}</Badge>}
              </span>
              {own.map((sum) => (
                <span key={sum.currency} className="text-lg font-semibold tabular-nums">
                  {formatAmount(sum.due, sum.currency)}
                  {name === 'open' && sum.paid !== '0.00' && (
                    <span className="block text-[0.87rem] font-normal text-ink-soft">
                      {texts.paidOf(formatAmount(sum.paid, sum.currency))}
                    </span>
                  )}
                </span>
              ))}
              <span className="text-[0.87rem] text-ink-soft">
                {texts.sumCount(own.reduce((count, sum) => count + sum.invoices, 0))}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
