import { useMemo } from 'react'
import { company as texts } from '../texts/en/company.ts'
import { SelectField } from './field.tsx'
import { timezones } from './places.ts'

interface TimezoneSelectProps {
  value: string
  onChange: (timezone: string) => void
  hint?: string
}

export function TimezoneSelect({ value, onChange, hint = texts.timezoneNote }: TimezoneSelectProps) {
  const zones = useMemo(
    () => timezones(value).map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
    [value],
  )
  return <SelectField label={texts.timezone} hint={hint} value={value} options={zones} onChange={onChange} />
}
