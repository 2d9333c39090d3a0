import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { useEffect } from 'react'
import { ApiError } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { billing as texts } from '../../texts/en/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Choice, ClearFilters, SearchField } from '../../ui/filters.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Card } from '../../ui/surface.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { InvoiceCards, InvoiceTable } from './invoice-list.tsx'
import { rememberList } from './last-list.ts'
import { monthsUntil, todayIn } from './money.ts'
import { StatusSums } from './status-sums.tsx'
import type { PartProps } from './use-billing.ts'
import { type BillingSearch, invoicesQuery, summaryQuery } from './use-billing.ts'

/** How the list goes where the address says nothing. */
const usual = 'made'

/** Invoices by status, and those that are looked for. */
export function InvoicesPart({ search, onChange }: PartProps) {
  const { company } = useSession()
  const { data: summary } = useQuery(summaryQuery)
  const list = useInfiniteQuery(invoicesQuery(search))
  const wide = useWide()
  const List = wide ? InvoiceTable : InvoiceCards
  useEffect(() => rememberList(search), [search])
  const isNarrowed = Boolean(search.status || search.month || search.search || search.installation)
  const refused = list.error instanceof ApiError && list.error.status === 400 ? list.error : null
  const set = (name: keyof BillingSearch, value: string) => {
    const { [name]: _before, ...others } = search
    onChange(value ? { ...others, [name]: value } : others)
  }
  const clear = <ClearFilters onClear={() => onChange({})} />
  return (
    <>
      {summary && summary.sums.length > 0 && (
        <StatusSums sums={summary.sums} status={search.status} onChoose={(status) => set('status', status)} />
      )}
      <div className="flex flex-wrap items-center gap-2 pb-4">
        <SearchField
          label={texts.search}
          hint={texts.searchHint}
          value={search.search ?? ''}
          onChange={(words) => set('search', words)}
        />
        <Choice
          label={texts.status}
          every={texts.everyStatus}
          value={search.status}
          options={Object.entries(texts.statuses)}
          onChange={(status) => set('status', status)}
        />
        <Choice
          label={texts.month}
          every={texts.everyMonth}
          value={search.month}
          options={Object.entries(monthsUntil(todayIn(company.timezone), search.month))}
          onChange={(month) => set('month', month)}
        />
        {!wide && (
          <Choice
            label={texts.sort}
            every={texts.sorts.made}
            value={search.sort}
            options={Object.entries(texts.otherSorts)}
            onChange={(sort) => set('sort', sort)}
          />
        )}
        {isNarrowed && <ClearFilters kind="quiet" onClear={() => onChange({})} />}
      </div>
      <Card busy={list.isPlaceholderData}>
        {refused && !list.data ? (
          <EmptyState icon={<ReceiptText aria-hidden />} title={texts.wrongFilters} action={clear}>
            {refused.message}
          </EmptyState>
        ) : (
          <Loaded query={list}>
            {({ pages }) => {
              const invoices = pages.flatMap((page) => page.invoices)
              if (invoices.length > 0)
                return (
                  <List
                    invoices={invoices}
                    sort={search.sort ?? usual}
                    onSort={(sort) => set('sort', sort === usual ? '' : sort)}
                  />
                )
              return isNarrowed ? (
                <EmptyState icon={<ReceiptText aria-hidden />} title={texts.nothingFits} action={clear}>
                  {texts.nothingFitsNote}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={<ReceiptText aria-hidden />}
                  title={texts.empty}
                  action={<Button onClick={() => onChange({ part: 'plans' })}>{texts.toPlans}</Button>}
                >
                  {texts.emptyNote}
                </EmptyState>
              )
            }}
          </Loaded>
        )}
        <ShowMore query={list} />
      </Card>
    </>
  )
}
