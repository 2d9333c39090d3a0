import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Choice, ClearFilters, MoreFilters, SearchField, withFilter } from '../../ui/filters.tsx'
import type { LeadFilters } from './use-leads.ts'

interface FiltersProps {
  filters: LeadFilters
  onChange: (filters: LeadFilters) => void
  /** Null where nothing is filtered. */
  onClear: (() => void) | null
}

/** What the list is narrowed to. The filters that are used less are folded away, on a phone all but the search. */
export function LeadFiltersBar({ filters, onChange, onClear }: FiltersProps) {
  const session = useSession()
  const rare = filters.setter || filters.company || filters.source || filters.archived || filters.sort
  const [open, setOpen] = useState(Boolean(rare))
  const { data } = useQuery({
    queryKey: ['leads', 'sources'],
    queryFn: ({ signal }) => api.get<{ sources: string[] }>('/leads/sources', { signal }),
    enabled: open,
  })
  const sources = [...new Set([...(data?.sources ?? []), ...(filters.source ? [filters.source] : [])])]
  const set = (name: keyof LeadFilters, value: string) => onChange(withFilter(filters, name, value))
  const people = (chosen: string | undefined) =>
    session.members
      .filter(
        ({ id, role, active }) =>
          id === chosen || (active && role !== 'surveyor' && role !== 'subcontractor'),
      )
      .map(({ id, name }) => [id, name] as const)
  const choice = (
    name: keyof LeadFilters,
    label: string,
    every: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Choice
      label={label}
      every={every}
      options={options}
      value={filters[name]}
      onChange={(value) => set(name, value)}
      className="min-w-40 flex-1 sm:max-w-52"
    />
  )

  return (
    <div className="flex flex-col gap-2 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label={texts.search}
          hint={texts.searchHint}
          value={filters.search ?? ''}
          onChange={(search) => set('search', search)}
          className="min-w-52 flex-2"
        />
        <div className="contents max-sm:hidden">
          {choice('status', texts.status, texts.everyStatus, Object.entries(texts.statuses))}
          {session.can.runCompany &&
            choice('rep', texts.rep, texts.everyRep, [['none', texts.noRep], ...people(filters.rep)])}
        </div>
        <MoreFilters label={texts.moreFilters} open={open} onToggle={() => setOpen(!open)} />
        {onClear && <ClearFilters kind="quiet" onClear={onClear} />}
      </div>
      {open && (
        <div className="flex flex-wrap items-center gap-2">
          <div className="contents sm:hidden">
            {choice('status', texts.status, texts.everyStatus, Object.entries(texts.statuses))}
            {session.can.runCompany &&
              choice('rep', texts.rep, texts.everyRep, [['none', texts.noRep], ...people(filters.rep)])}
          </div>
          {choice('line', texts.line, texts.everyLine, Object.entries(common.lines))}
          {session.can.runCompany &&
            choice('setter', texts.setter, texts.everySetter, [
              ['none', texts.noSetter],
              ...people(filters.setter),
            ])}
          {session.companies.length > 1 &&
            choice(
              'company',
              texts.company,
              texts.everyCompany,
              session.companies.map(({ id, name }) => [id, name]),
            )}
          {choice(
            'source',
            texts.source,
            texts.everySource,
            sources.map((name) => [name, name]),
          )}
          {choice('archived', texts.archive, texts.archives.without, [
            ['only', texts.archives.only],
            ['all', texts.archives.all],
          ])}
          {choice('sort', texts.sort, texts.sorts.changed, Object.entries(texts.otherSorts))}
        </div>
      )}
    </div>
  )
}
