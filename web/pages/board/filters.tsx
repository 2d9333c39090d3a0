import { useState } from 'react'
import { useSession } from '../../session/session.tsx'
import { board as texts } from '../../texts/en/board.ts'
import { classes } from '../../ui/classes.ts'
import { Checkbox } from '../../ui/field.tsx'
import { Choice, ClearFilters, MoreFilters, SearchField } from '../../ui/filters.tsx'
import type { BoardFilters } from './use-board.ts'

interface FiltersProps {
  filters: BoardFilters
  onChange: (filters: BoardFilters) => void
}

/** What the board is narrowed to. On a phone all but the search is folded away. */
export function BoardFiltersBar({ filters, onChange }: FiltersProps) {
  const session = useSession()
  const [open, setOpen] = useState(false)
  const set = (change: BoardFilters) => onChange({ ...filters, ...change })
  const reps = session.members.filter(
    ({ role, active, id }) => (role === 'rep' && active) || id === filters.rep,
  )
  const narrowed = Boolean(filters.search || filters.rep || filters.company || filters.late)

  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-4 sm:px-8">
      <SearchField
        label={texts.search}
        hint={texts.searchHint}
        value={filters.search ?? ''}
        onChange={(search) => set({ search: search || undefined })}
        className="min-w-40 flex-1 sm:max-w-72"
      />
      <MoreFilters label={texts.filters} open={open} onToggle={() => setOpen(!open)} className="sm:hidden" />
      <div
        className={classes('w-full flex-wrap items-center gap-2 sm:flex sm:w-auto', open ? 'flex' : 'hidden')}
      >
        {session.can.runCompany && (
          <Choice
            label={texts.rep}
            every={texts.everyRep}
            options={reps.map(({ id, name }) => [id, name])}
            value={filters.rep}
            onChange={(rep) => set({ rep: rep || undefined })}
            className="w-full sm:w-44"
          />
        )}
        {session.companies.length > 1 && (
          <Choice
            label={texts.company}
            every={texts.everyCompany}
            options={session.companies.map(({ id, name }) => [id, name])}
            value={filters.company}
            onChange={(company) => set({ company: company || undefined })}
            className="w-full sm:w-52"
          />
        )}
        <Choice
          label={texts.sort}
          every={texts.sorts.recent}
          options={[['longest', texts.sorts.longest]]}
          value={filters.sort}
          onChange={(sort) => set({ sort: sort || undefined })}
          className="w-full sm:w-52"
        />
        <Checkbox
          label={texts.late}
          className="px-1"
          checked={filters.late === 'yes'}
          onChange={(event) => set({ late: event.target.checked ? 'yes' : undefined })}
        />
      </div>
      {narrowed && (
        <ClearFilters kind="quiet" onClear={() => onChange({ line: filters.line, sort: filters.sort })} />
      )}
    </div>
  )
}
