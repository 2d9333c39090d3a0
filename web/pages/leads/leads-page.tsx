import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, UsersRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FigureResponse } from '../../../src/api/console/board.ts'
import { ApiError, query as queryString } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Button } from '../../ui/button.tsx'
import { ClearFilters, withFilter } from '../../ui/filters.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { Card, Page, PageHeader } from '../../ui/surface.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { SavedViews } from '../../views/saved-views.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { rememberList } from './last-list.ts'
import { LeadCards } from './lead-cards.tsx'
import { LeadFiltersBar } from './lead-filters.tsx'
import { LeadTable } from './lead-table.tsx'
import { NewLeadDialog } from './new-lead-dialog.tsx'
import { useSelection } from './selection.ts'
import { type LeadFilters, leadsQuery } from './use-leads.ts'

const route = getRouteApi('/inside/leads')
/** How the list goes where the address says nothing. */
const usual = 'changed'

/** Never less than what stands below it, and exact once that is all. */
function figureShown(total: FigureResponse | null | undefined, shown: number, more: boolean) {
  if (!total?.orMore) return total
  return { count: more ? Math.max(total.count, shown) : shown, orMore: more }
}

/** Everybody who may buy, or has bought. */
export function LeadsPage() {
  const { can, role } = useSession()
  const filters: LeadFilters = route.useSearch()
  const navigate = route.useNavigate()
  const List = useWide() ? LeadTable : LeadCards
  const list = useInfiniteQuery(leadsQuery(filters))
  const [making, setMaking] = useState(false)
  const leads = list.data?.pages.flatMap((page) => page.leads) ?? []
  const selection = useSelection(leads)
  useEffect(() => rememberList(filters), [filters])
  const total = figureShown(list.data?.pages[0]?.total, leads.length, list.hasNextPage)
  const narrowed = Object.keys(filters).some((name) => name !== 'sort')
  const change = (next: LeadFilters) => {
    selection.clear()
    return navigate({ search: next, replace: true })
  }
  const clear = () => change(filters.sort ? { sort: filters.sort } : {})
  const makes = role !== 'surveyor' && role !== 'subcontractor'
  const clearButton = <ClearFilters onClear={clear} />
  const makeButton = makes && (
    <Button kind="primary" onClick={() => setMaking(true)}>
      <Plus className="size-4" aria-hidden />
      {texts.make}
    </Button>
  )

  return (
    <Page room="list">
      <PageHeader
        title={texts.title}
        note={
          <span role="status">
            {total ? texts.total(total.count, total.orMore) : list.isPending && common.loading}
          </span>
        }
        actions={
          <>
            <SavedViews
              page="leads"
              query={queryString(filters)}
              onOpen={(query) => change(Object.fromEntries(new URLSearchParams(query)))}
            />
            {makeButton}
          </>
        }
      />
      <LeadFiltersBar filters={filters} onChange={change} onClear={narrowed ? clear : null} />
      <Card busy={list.isPlaceholderData}>
        {list.error && !list.data ? (
          list.error instanceof ApiError && list.error.status === 400 ? (
            <EmptyState icon={<UsersRound aria-hidden />} title={texts.wrongFilters} action={clearButton}>
              {list.error.message}
            </EmptyState>
          ) : (
            <ErrorState error={list.error} onRetry={() => list.refetch()} />
          )
        ) : !list.data ? (
          <LoadingRows rows={10} />
        ) : leads.length === 0 ? (
          narrowed ? (
            <EmptyState icon={<UsersRound aria-hidden />} title={texts.nothingFits} action={clearButton}>
              {texts.nothingFitsNote}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<UsersRound aria-hidden />}
              title={can.runCompany ? texts.empty : texts.emptyOwn}
              action={makeButton}
            >
              {can.runCompany ? texts.emptyNote : texts.emptyOwnNote}
            </EmptyState>
          )
        ) : (
          <List
            leads={leads}
            selection={can.runCompany ? selection : null}
            sort={filters.sort ?? usual}
            onSort={(sort) => change(withFilter(filters, 'sort', sort === usual ? '' : sort))}
          />
        )}
        <ShowMore query={list} />
      </Card>
      {selection.ids.length > 0 && <BulkBar selection={selection} archived={filters.archived === 'only'} />}
      {making && <NewLeadDialog onClose={() => setMaking(false)} />}
    </Page>
  )
}
