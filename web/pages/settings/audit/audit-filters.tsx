import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../session/session.tsx'
import { audit as texts } from '../../../texts/en/audit.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Select } from '../../../ui/field.tsx'
import { Choice, ClearFilters, MoreFilters, TimeField, withFilter } from '../../../ui/filters.tsx'
import { keysQuery } from '../keys/use-keys.ts'
import { RecordSearch } from './record-search.tsx'
import type { AuditFilters } from './use-audit.ts'

interface FiltersProps {
  filters: AuditFilters
  /** Whose record the list is narrowed to, once that is known. */
  recordName: string | null
  onChange: (filters: AuditFilters) => void
  /** Null where nothing is filtered. */
  onClear: (() => void) | null
}

export function AuditFiltersBar({ filters, recordName, onChange, onClear }: FiltersProps) {
  const { from, to, record } = filters
  const [open, setOpen] = useState(Boolean(from || to))
  const set = (name: keyof AuditFilters, value: string) => onChange(withFilter(filters, name, value))
  return (
    <div className="flex flex-col gap-3 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        {record ? (
          <Button
            className="min-w-52 flex-2 justify-between! max-sm:basis-full"
            onClick={() => set('record', '')}
            title={texts.anyRecord}
          >
            <span className="truncate">{texts.onlyRecord(recordName ?? texts.oneRecord)}</span>
            <X className="size-4 shrink-0" aria-hidden />
          </Button>
        ) : (
          <RecordSearch onChoose={(id) => set('record', id)} />
        )}
        <WhoSelect value={filters.who ?? ''} onChange={(who) => set('who', who)} />
        <Choice
          label={texts.kind}
          every={texts.everyKind}
          options={Object.entries(texts.kinds)}
          value={filters.kind}
          onChange={(kind) => set('kind', kind)}
        />
        <MoreFilters label={texts.moreFilters} open={open} onToggle={() => setOpen(!open)} />
        {onClear && <ClearFilters kind="quiet" onClear={onClear} />}
      </div>
      {open && (
        <div className="flex flex-wrap items-end gap-2">
          <TimeField label={texts.from} value={from} onChange={(time) => set('from', time)} />
          <TimeField label={texts.to} value={to} onChange={(time) => set('to', time)} />
        </div>
      )}
    </div>
  )
}

function WhoSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { members } = useSession()
  const { data } = useInfiniteQuery(keysQuery(undefined))
  const keys = data?.pages.flatMap((page) => page.keys) ?? []
  const known = value === '' || [...members, ...keys].some(({ id }) => id === value)
  return (
    <Field label={texts.who} labelHidden className="min-w-36 flex-1">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{texts.anybody}</option>
        {!known && <option value={value}>{value}</option>}
        <optgroup label={texts.people}>
          {members.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label={texts.keys}>
          {keys.map(({ id, name, prefix }) => (
            <option key={id} value={id}>
              {name} ({prefix}…)
            </option>
          ))}
        </optgroup>
      </Select>
    </Field>
  )
}
