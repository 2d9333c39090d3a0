import { Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSession } from '../../session/session.tsx'
import { board as texts } from '../../texts/en/board.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Checkbox, Field, Select, TextInput } from '../../ui/field.tsx'
import type { BoardFilters } from './use-board.ts'

interface FiltersProps {
  filters: BoardFilters
  onChange: (filters: BoardFilters) => void
}

const typingMs = 250

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
      <SearchField value={filters.search ?? ''} onChange={(search) => set({ search: search || undefined })} />
      <IconButton
        label={texts.filters}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="border border-line bg-surface sm:hidden"
      >
        <SlidersHorizontal className="size-5" aria-hidden />
      </IconButton>
      <div
        className={classes('w-full flex-wrap items-center gap-2 sm:flex sm:w-auto', open ? 'flex' : 'hidden')}
      >
        {session.can.runCompany && (
          <Field label={texts.rep} labelHidden className="w-full sm:w-44">
            <Select
              value={filters.rep ?? ''}
              onChange={(event) => set({ rep: event.target.value || undefined })}
            >
              <option value="">{texts.everyRep}</option>
              {reps.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        {session.companies.length > 1 && (
          <Field label={texts.company} labelHidden className="w-full sm:w-52">
            <Select
              value={filters.company ?? ''}
              onChange={(event) => set({ company: event.target.value || undefined })}
            >
              <option value="">{texts.everyCompany}</option>
              {session.companies.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label={texts.sort} labelHidden className="w-full sm:w-52">
          <Select
            value={filters.sort ?? 'recent'}
            onChange={(event) =>
              set({ sort: event.target.value === 'recent' ? undefined : event.target.value })
            }
          >
            <option value="recent">{texts.sorts.recent}</option>
            <option value="longest">{texts.sorts.longest}</option>
          </Select>
        </Field>
        <Checkbox
          label={texts.late}
          className="px-1"
          checked={filters.late === 'yes'}
          onChange={(event) => set({ late: event.target.checked ? 'yes' : undefined })}
        />
      </div>
      {narrowed && (
        <Button kind="quiet" onClick={() => onChange({ line: filters.line, sort: filters.sort })}>
          {texts.clear}
        </Button>
      )}
    </div>
  )
}

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
    <Field label={texts.search} labelHidden className="relative min-w-40 flex-1 sm:max-w-72">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
        aria-hidden
      />
      <TextInput
        type="search"
        className="pl-9"
        value={typed}
        placeholder={texts.searchHint}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  )
}
