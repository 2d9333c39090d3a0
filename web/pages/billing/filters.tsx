import { useEffect, useState } from 'react'
import { Field, Select, TextInput } from '../../ui/field.tsx'

interface ChoiceProps {
  label: string
  every: string
  value: string | undefined
  options: Record<string, string>
  onChange: (value: string) => void
}

export function Choice({ label, every, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label} labelHidden className="min-w-36 flex-1 sm:max-w-64">
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
        <option value="">{every}</option>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}

const restMs = 250

interface SearchFieldProps {
  label: string
  hint: string
  value: string
  onChange: (search: string) => void
}

/** Looks once the typing rests. */
export function SearchField({ label, hint, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onChange(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <Field label={label} labelHidden className="min-w-52 flex-2 max-sm:basis-full sm:max-w-80">
      <TextInput
        type="search"
        maxLength={100}
        placeholder={hint}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  )
}
