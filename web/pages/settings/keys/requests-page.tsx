import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { ApiError } from '../../../api/client.ts'
import { common } from '../../../texts/en/common.ts'
import { requests as texts } from '../../../texts/en/requests.ts'
import { ClearFilters } from '../../../ui/filters.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { RequestFiltersBar } from './request-filters.tsx'
import { RequestList } from './request-list.tsx'
import { type RequestFilters, requestsQuery } from './use-requests.ts'

const route = getRouteApi('/inside/settings/requests')

/** What programs have asked for with the company's keys. */
export function RequestsPage() {
  const filters: RequestFilters = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(requestsQuery(filters))
  const narrowed = Object.keys(filters).length > 0
  const change = (search: RequestFilters) => navigate({ search, replace: true })
  const clear = () => change({})
  const refused = list.error instanceof ApiError && list.error.status === 400 ? list.error : null

  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} />
      <RequestFiltersBar filters={filters} onChange={change} onClear={narrowed ? clear : null} />
      <Card busy={list.isPlaceholderData}>
        {refused && !list.data ? (
          <EmptyState
            icon={<ScrollText aria-hidden />}
            title={texts.wrongFilters}
            action={<ClearFilters onClear={clear} />}
          >
            {refused.message}
          </EmptyState>
        ) : (
          <Loaded query={list}>
            {({ pages }) => {
              const requests = pages.flatMap((page) => page.requests)
              if (requests.length > 0) return <RequestList requests={requests} />
              return <Nothing narrowed={narrowed} more={list.hasNextPage} onClear={clear} />
            }}
          </Loaded>
        )}
        <ShowMore query={list} label={narrowed ? texts.lookOn : common.showMore} byHand={narrowed} />
      </Card>
    </>
  )
}

function Nothing({ narrowed, more, onClear }: { narrowed: boolean; more: boolean; onClear: () => void }) {
  const icon = <ScrollText aria-hidden />
  if (!narrowed)
    return (
      <EmptyState icon={icon} title={texts.empty}>
        {texts.emptyNote}
      </EmptyState>
    )
  if (more)
    return (
      <EmptyState icon={icon} title={texts.notYet}>
        {texts.notYetNote}
      </EmptyState>
    )
  return (
    <EmptyState icon={icon} title={texts.nothingFits} action={<ClearFilters onClear={onClear} />}>
      {texts.nothingFitsNote}
    </EmptyState>
  )
}
