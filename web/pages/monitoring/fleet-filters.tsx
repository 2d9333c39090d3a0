import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import type { FleetFilters } from './use-monitoring.ts'

interface FleetFiltersProps {
  filters: FleetFilters
  regions: readonly string[]
  onChange: (filters: FleetFilters) => void
}

export function FleetFiltersBar({ filters, regions, onChange }: FleetFiltersProps) {
  const set = (name: keyof FleetFilters, value: string) => {
    const { [name]: _before, ...others } = filters
    onChange(value ? { ...others, [name]: value } : others)
  }
  const shown = [...new Set([...regions, ...(filters.region ? [filters.region] : [])])]
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <SearchField value={filters.search ?? ''} onChange={(search) => set('search', search)} />
      <Choice
        label={texts.kind}
        every={texts.everyKind}
        value={filters.kind}
        options={Object.entries(texts.kinds)}
        onChange={(kind) => set('kind', kind)}
      />
      {shown.length > 1 && (
        <Choice
          label={texts.region}
          every={texts.everyRegion}
          value={filters.region}
          options={shown.map((region) => [region, region])}
          onChange={(region) => set('region', region)}
        />
      )}
    </div>
  )
}

interface ChoiceProps {
  label: string
  every: string
  value: string | undefined
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

function Choice({ label, every, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label} labelHidden className="min-w-36 flex-1 sm:max-w-56">
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{every}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}

const restMs = 250

/** Looks once the typing rests. */
function SearchField({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Field label={texts.search} labelHidden className="relative min-w-56 flex-2 sm:max-w-80">
      <TextInput
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={texts.search}
        maxLength={100}
        className="pl-9"
      />
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-soft" />
    </Field>
  )
}
