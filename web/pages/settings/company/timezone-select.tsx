import { useMemo } from 'react'
import { company as texts } from '../../../texts/en/company.ts'
import { Field, Select } from '../../../ui/field.tsx'
import { timezones } from './places.ts'

interface TimezoneSelectProps {
  value: string
  onChange: (timezone: string) => void
  hint?: string
}

export function TimezoneSelect({ value, onChange, hint = texts.timezoneNote }: TimezoneSelectProps) {
  const zones = useMemo(() => timezones(value), [value])
  return (
    <Field label={texts.timezone} hint={hint}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </Field>
  )
}
