import { useMemo } from 'react'
import { company as texts } from '../../../texts/en/company.ts'
import { Field, Select } from '../../../ui/field.tsx'
import { timezones } from './places.ts'

interface TimezoneSelectProps {
  value: string
  onChange: (timezone: string) => void
}

export function TimezoneSelect({ value, onChange }: TimezoneSelectProps) {
  const zones = useMemo(() => timezones(value), [value])
  return (
    <Field label={texts.timezone} hint={texts.timezoneNote}>
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
