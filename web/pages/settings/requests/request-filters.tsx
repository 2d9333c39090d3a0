import { useInfiniteQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { requests as texts } from '../../../texts/en/requests.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'
import { Field, Select, TextInput } from '../../../ui/field.tsx'
import { keysQuery } from '../keys/use-keys.ts'
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
  const set = (name: keyof RequestFilters, value: string) => {
    const { [name]: _before, ...others } = filters
    onChange(value ? { ...others, [name]: value } : others)
  }
  const choice = (
    name: keyof RequestFilters,
    label: string,
    every: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Field label={label} labelHidden className="min-w-36 flex-1">
      <Select value={filters[name] ?? ''} onChange={(event) => set(name, event.target.value)}>
        <option value="">{every}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
  const time = (name: 'from' | 'to', label: string) => (
    <Field label={label} className="min-w-44 flex-1">
      <TextInput
        type="datetime-local"
        value={filters[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
      />
    </Field>
  )

  return (
    <div className="flex flex-col gap-3 pb-4">
      <div className="flex flex-wrap items-center gap-2">
        <Typed
          label={texts.search}
          labelHidden
          placeholder={texts.searchHint}
          value={filters.id ?? ''}
          onChange={(id) => set('id', id)}
          className="min-w-52 flex-2 max-sm:basis-full"
        />
        {choice('status', texts.status, texts.everyStatus, [
          ...Object.entries(texts.classes),
          ...statuses.map((status) => [status, status] as const),
        ])}
        {choice('key', texts.key, texts.everyKey, keyChoices)}
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
        <div className="flex flex-wrap items-end gap-2">
          {choice(
            'method',
            texts.method,
            texts.everyMethod,
            methods.map((name) => [name, name]),
          )}
          <Typed
            label={texts.route}
            placeholder={texts.routeHint}
            value={route ?? ''}
            onChange={(text) => set('route', text)}
            className="min-w-44 flex-1"
          />
          {time('from', texts.from)}
          {time('to', texts.to)}
        </div>
      )}
    </div>
  )
}

const typingMs = 250

interface TypedProps {
  label: string
  labelHidden?: boolean
  placeholder: string
  value: string
  onChange: (value: string) => void
  className: string
}

/** Says what was typed once the typing pauses. */
function Typed({ label, labelHidden, placeholder, value, onChange, className }: TypedProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Field label={label} {...(labelHidden ? { labelHidden } : {})} className={className}>
      <TextInput
        type="search"
        maxLength={128}
        value={typed}
        placeholder={placeholder}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  )
}
