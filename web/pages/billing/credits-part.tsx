import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { WalletCards } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, SearchField, withFilter } from '../../ui/filters.tsx'
import { formatDay } from '../../ui/format.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Badge, Card } from '../../ui/surface.tsx'
import { UnbrokenText } from '../../ui/unbroken-text.tsx'
import { formatAmount, formatDayIn } from './money.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { transferText } from './transfer-fields.tsx'
import type { PartProps } from './use-billing.ts'
import { type CreditResponse, creditsQuery } from './use-billing.ts'

/** What customers have paid too much, and what became of it. */
export function CreditsPart({ search, onChange }: PartProps) {
  const list = useInfiniteQuery(creditsQuery(search))
  const [refunding, setRefunding] = useState<CreditResponse | null>(null)
  const isNarrowed = Boolean(search.search)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <SearchField
          label={texts.creditSearch}
          hint={texts.creditSearchHint}
          maxLength={100}
          value={search.search ?? ''}
          onChange={(words) => onChange(withFilter(search, 'search', words))}
        />
        <Choice
          label={texts.creditState}
          every={texts.creditsLeft}
          value={search.state}
          options={[['all', texts.creditsAll]]}
          onChange={(state) => onChange(withFilter(search, 'state', state))}
        />
      </div>
      <Card busy={list.isPlaceholderData}>
        <Loaded query={list}>
          {({ pages }) => {
            const credits = pages.flatMap((page) => page.credits)
            if (credits.length === 0)
              return (
                <EmptyState
                  icon={<WalletCards aria-hidden />}
                  title={isNarrowed ? texts.creditsNothing : texts.creditsEmpty}
                >
                  {isNarrowed ? texts.nothingFitsNote : texts.creditsEmptyNote}
                </EmptyState>
              )
            return (
              <ul aria-label={texts.creditList} className="divide-y divide-line/70">
                {credits.map((credit) => (
                  <CreditRow key={credit.id} credit={credit} onRefund={() => setRefunding(credit)} />
                ))}
              </ul>
            )
          }}
        </Loaded>
        <ShowMore query={list} />
      </Card>
      {refunding && <RefundDialog credit={refunding} onClose={() => setRefunding(null)} />}
    </>
  )
}

function CreditRow({ credit, onRefund }: { credit: CreditResponse; onRefund: () => void }) {
  const { company } = useSession()
  const { customer, currency, amount, remaining, reason, invoiceId, number, uses, refunds } = credit
  const hasRemaining = remaining !== '0.00'
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <p className="truncate font-medium">{customer.name}</p>
        <p className="text-ink-soft">
          {texts.creditFrom[reason](formatAmount(amount, currency))}{' '}
          <InvoiceLink id={invoiceId} number={number} />
          {`, ${formatDayIn(company.timezone, credit.createdAt)}`}
        </p>
        {uses.map((use) => (
          <p key={use.invoiceId} className="text-ink-soft">
            {texts.creditUsed(formatAmount(use.amount, currency))}{' '}
            <InvoiceLink id={use.invoiceId} number={use.number} />
          </p>
        ))}
        {refunds.map((refund) => (
          <p key={refund.id} className="text-ink-soft">
            <UnbrokenText>
              {[
                texts.creditRefunded(formatAmount(refund.amount, currency), formatDay(refund.on)),
                transferText(refund.method, refund.reference),
                refund.by && texts.paymentBy(refund.by),
              ]
                .filter(Boolean)
                .join(', ')}
            </UnbrokenText>
          </p>
        ))}
      </div>
      <Badge tone={hasRemaining ? 'info' : 'plain'}>
        {hasRemaining ? texts.creditLeft(formatAmount(remaining, currency)) : texts.creditGone}
      </Badge>
      {hasRemaining && (
        <Button small onClick={onRefund} aria-label={texts.refundFor(customer.name)}>
          {texts.refund}
        </Button>
      )}
    </li>
  )
}

function InvoiceLink({ id, number }: { id: string; number: string | null }) {
  return (
    <Link to="/billing/invoices/$id" params={{ id }} className="font-medium text-action hover:underline">
      {number === null ? texts.aDraft : texts.invoice(number)}
    </Link>
  )
}
