import { useQuery } from '@tanstack/react-query'
import { Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Field, Select, TextInput } from '../../ui/field.tsx'
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
  const set = (name: keyof LeadFilters, value: string) => {
    const { [name]: _before, ...others } = filters
    onChange(value ? { ...others, [name]: value } : others)
  }
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
    <Field label={label} labelHidden className="min-w-36 flex-1 sm:max-w-52">
      <Select
        className="pr-1!"
        value={filters[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
      >
        <option value="">{every}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )

  return (
    <div className="flex flex-col gap-2 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={filters.search ?? ''} onChange={(search) => set('search', search)} />
        <div className="contents max-sm:hidden">
          {choice('status', texts.status, texts.everyStatus, Object.entries(texts.statuses))}
          {session.can.runCompany &&
            choice('rep', texts.rep, texts.everyRep, [['none', texts.noRep], ...people(filters.rep)])}
        </div>
        <IconButton
          label={texts.moreFilters}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={classes('border border-line', open ? 'bg-sunken' : 'bg-surface')}
        >
          <SlidersHorizontal className="size-5" aria-hidden />
        </IconButton>
        {onClear && (
          <Button kind="quiet" onClick={onClear}>
            {texts.clear}
          </Button>
        )}
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
          {choice('sort', texts.sort, texts.sorts.changed, [['made', texts.sorts.made]])}
        </div>
      )}
    </div>
  )
}

const typingMs = 250

/** Says what was typed once the typing pauses. */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Field label={texts.search} labelHidden className="relative min-w-52 flex-2">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
      <TextInput
        type="search"
        className="pl-9"
        maxLength={200}
        value={typed}
        placeholder={texts.searchHint}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  )
}
