import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { ApiError } from '../../../api/client.ts'
import { audit as texts } from '../../../texts/en/audit.ts'
import { ClearFilters } from '../../../ui/filters.tsx'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { AuditFiltersBar } from './audit-filters.tsx'
import { EntryList } from './entry-list.tsx'
import { type AuditFilters, auditQuery } from './use-audit.ts'

const route = getRouteApi('/inside/settings/audit')

/** Who changed what. */
export function AuditPage() {
  const filters: AuditFilters = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(auditQuery(filters))
  const change = (search: AuditFilters) => navigate({ search, replace: true })
  const clear = () => change({})
  const narrowed = Object.keys(filters).length > 0
  const first = query.data?.pages[0]?.entries[0]
  const recordName = query.isPlaceholderData ? null : (first?.customer ?? first?.name ?? null)
  const refused = query.error instanceof ApiError && query.error.status === 400 ? query.error : null
  return (
    <>
      <SettingsHeader title={texts.title} note={texts.note} />
      <AuditFiltersBar
        filters={filters}
        recordName={recordName}
        onChange={change}
        onClear={narrowed ? clear : null}
      />
      <Card busy={query.isPlaceholderData}>
        {refused ? (
          <Nothing title={texts.wrongFilters} note={refused.message} onClear={clear} />
        ) : (
          <Loaded query={query}>
            {({ pages }) => {
              const entries = pages.flatMap((page) => page.entries)
              if (entries.length > 0) return <EntryList entries={entries} />
              if (narrowed)
                return <Nothing title={texts.nothingFits} note={texts.nothingFitsNote} onClear={clear} />
              return <Nothing title={texts.empty} note={texts.emptyNote} onClear={null} />
            }}
          </Loaded>
        )}
        {!refused && <ShowMore query={query} />}
      </Card>
    </>
  )
}

interface NothingProps {
  title: string
  note: string
  onClear: (() => void) | null
}

function Nothing({ title, note, onClear }: NothingProps) {
  return (
    <EmptyState
      icon={<History aria-hidden />}
      title={title}
      action={onClear && <ClearFilters onClear={onClear} />}
    >
      {note}
    </EmptyState>
  )
}
