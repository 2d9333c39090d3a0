import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SunMedium } from 'lucide-react'
import { common } from '../../texts/en/common.ts'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { ClearFilters } from '../../ui/filters.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState, Loaded, LoadingRows } from '../../ui/states.tsx'
import { Card, Page, PageHeader } from '../../ui/surface.tsx'
import { useWide } from '../../ui/use-wide.ts'
import { FleetFiltersBar } from './fleet-filters.tsx'
import { FleetCards, FleetTable } from './fleet-list.tsx'
import { QuarantineLink } from './quarantine-link.tsx'
import { type FleetFilters, fleetQuery, summaryQuery } from './use-monitoring.ts'

const route = getRouteApi('/inside/monitoring')

/** How the list goes where the address says nothing: those in trouble first. */
const usual = 'trouble'

/** Trouble has no other way round: what is well is of no use at the top. */
function sorted({ sort: _before, ...others }: FleetFilters, sort: string): FleetFilters {
  return sort.startsWith(usual) ? others : { ...others, sort }
}

/** So many the server looks at for the first page of whoever is on very many, and for each further one. */
const lookedAtFirst = 2_000
const lookedAtMore = 20_000

/** Every installation that is there for the reader. */
export function FleetPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(fleetQuery(filters))
  const { data: summary } = useQuery(summaryQuery)
  const List = useWide() ? FleetTable : FleetCards
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  // Of whoever is on very many, the server looks at a part at a time: where none of theirs was in it, they are asked whether to go on.
  const pages = query.data?.pages ?? []
  const fruitless = pages.length - 1 - pages.findLastIndex((page) => page.installations.length > 0)
  const none =
    fruitless === pages.length
      ? common.noneAmongFirst(lookedAtFirst + (fruitless - 1) * lookedAtMore)
      : common.noneAmongNext(fruitless * lookedAtMore)
  const isLookingLong = pages.length > 1 && fruitless > 0
  const clear = () => navigate({ search: {}, replace: true })
  return (
    <Page room="list">
      <PageHeader
        title={texts.title}
        actions={<QuarantineLink />}
        note={summary && texts.summary(summary.installations, summary.alerts)}
      />
      <FleetFiltersBar
        filters={filters}
        regions={summary?.regions ?? []}
        onChange={(search) => navigate({ search, replace: true })}
      />
      <Card>
        <Loaded query={query}>
          {({ pages }) => {
            const installations = pages.flatMap((page) => page.installations)
            // Its head stays where none was found yet: another order may begin with theirs.
            if (installations.length > 0 || query.hasNextPage)
              return (
                <>
                  <List
                    installations={installations}
                    sort={filters.sort ?? usual}
                    onSort={(sort) => navigate({ search: sorted(filters, sort), replace: true })}
                  />
                  {installations.length === 0 && query.isFetchingNextPage && <LoadingRows />}
                </>
              )
            return (
              <EmptyState
                icon={<SunMedium aria-hidden />}
                title={isFiltered ? texts.emptyFiltered : texts.empty}
                action={isFiltered && <ClearFilters onClear={clear} />}
              >
                {isFiltered ? texts.emptyFilteredNote : texts.emptyNote}
              </EmptyState>
            )
          }}
        </Loaded>
        <ShowMore
          query={query}
          {...(isLookingLong && { byHand: true, label: common.lookFurther, note: none })}
        />
      </Card>
    </Page>
  )
}
