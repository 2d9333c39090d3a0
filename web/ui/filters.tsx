import { Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { common } from '../texts/en/common.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Field, Select, TextInput } from './field.tsx'

/** Filters with one of them changed; one that says nothing is left out, as it is in the address bar. */
export function withFilter<F extends object>(filters: F, name: keyof F, value: string): F {
  const { [name]: _before, ...others } = filters
  return (value ? { ...others, [name]: value } : others) as F
}

const typingMs = 250

interface SearchFieldProps {
  label: string
  /** Where what may be typed is not said by a hint alone. */
  labelShown?: boolean
  hint: string
  value: string
  maxLength?: number
  onChange: (value: string) => void
  className?: string
}

/** Says what was typed once the typing pauses. */
export function SearchField({
  label,
  labelShown = false,
  hint,
  value,
  maxLength = 200,
  onChange,
  className = 'min-w-52 flex-2 max-sm:basis-full sm:max-w-80',
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Field label={label} labelHidden={!labelShown} className={className}>
      <div className="relative">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
          aria-hidden
        />
        <TextInput
          type="search"
          className="pl-9"
          maxLength={maxLength}
          value={typed}
          placeholder={hint}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
    </Field>
  )
}

interface ChoiceProps {
  label: string
  /** What it says where nothing is chosen. */
  every: string
  options: readonly (readonly [value: string, name: string])[]
  value: string | undefined
  onChange: (value: string) => void
  className?: string
}

/** One of several, or all of them. */
export function Choice({
  label,
  every,
  options,
  value,
  onChange,
  className = 'min-w-43 flex-1 sm:max-w-56',
}: ChoiceProps) {
  return (
    <Field label={label} labelHidden className={className}>
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{every}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface TimeFieldProps {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}

export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <Field label={label} className="min-w-44 flex-1">
      <TextInput
        type="datetime-local"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

interface MoreFiltersProps {
  label: string
  open: boolean
  onToggle: () => void
  className?: string
}

/** Opens what is used less and folded away. */
export function MoreFilters({ label, open, onToggle, className }: MoreFiltersProps) {
  return (
    <IconButton
      label={label}
      aria-expanded={open}
      onClick={onToggle}
      className={classes('border border-line', open ? 'bg-sunken' : 'bg-surface', className)}
    >
      <SlidersHorizontal className="size-5" aria-hidden />
    </IconButton>
  )
}

/** Shows the list in full again: beside the filters, quietly, or where they leave nothing. */
export function ClearFilters({ kind, onClear }: { kind?: 'quiet'; onClear: () => void }) {
  return (
    <Button {...(kind ? { kind } : {})} onClick={onClear}>
      {common.clearFilters}
    </Button>
  )
}
