import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requests as texts } from '../../../texts/en/requests.ts'
import {
  Choice,
  ClearFilters,
  MoreFilters,
  SearchField,
  TimeField,
  withFilter,
} from '../../../ui/filters.tsx'
import { keysQuery } from './use-keys.ts'
import type { RequestFilters } from './use-requests.ts'

interface FiltersProps {
  filters: RequestFilters
  onChange: (filters: RequestFilters) => void
  /** Null where nothing is filtered. */
  onClear: (() => void) | null
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD']
const statuses = ['200', '201', '400', '401', '403', '404', '429', '500', '503']

/** What the list is narrowed to; what is used less is folded away. */
export function RequestFiltersBar({ filters, onChange, onClear }: FiltersProps) {
  const { method, route, from, to } = filters
  const [open, setOpen] = useState(Boolean(method || route || from || to))
  const { data } = useInfiniteQuery(keysQuery(undefined))
  const keys = data?.pages.flatMap((page) => page.keys) ?? []
  const keyChoices = keys.map(({ id, name, prefix }): [string, string] => [id, `${name} (${prefix}…)`])
  // One that is so old that it is not among the first.
  if (filters.key && !keys.some(({ id }) => id === filters.key)) keyChoices.push([filters.key, filters.key])
  const set = (name: keyof RequestFilters) => (value: string) => onChange(withFilter(filters, name, value))

  return (
    <div className="flex flex-col gap-3 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          label={texts.search}
          hint={texts.searchHint}
          value={filters.id ?? ''}
          maxLength={128}
          onChange={set('id')}
          className="min-w-52 flex-2 max-sm:basis-full"
        />
        <Choice
          label={texts.status}
          every={texts.everyStatus}
          options={[...Object.entries(texts.classes), ...statuses.map((status) => [status, status] as const)]}
          value={filters.status}
          onChange={set('status')}
        />
        <Choice
          label={texts.key}
          every={texts.everyKey}
          options={keyChoices}
          value={filters.key}
          onChange={set('key')}
        />
        <MoreFilters label={texts.moreFilters} open={open} onToggle={() => setOpen(!open)} />
        {onClear && <ClearFilters kind="quiet" onClear={onClear} />}
      </div>
      {open && (
        <div className="flex flex-wrap items-end gap-2">
          <Choice
            label={texts.method}
            every={texts.everyMethod}
            options={methods.map((name) => [name, name])}
            value={method}
            onChange={set('method')}
          />
          <SearchField
            label={texts.route}
            labelShown
            hint={texts.routeHint}
            value={route ?? ''}
            maxLength={128}
            onChange={set('route')}
            className="min-w-44 flex-1"
          />
          <TimeField label={texts.from} value={from} onChange={set('from')} />
          <TimeField label={texts.to} value={to} onChange={set('to')} />
        </div>
      )}
    </div>
  )
}
