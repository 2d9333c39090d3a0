import { Link } from '@tanstack/react-router'
import { quarantine as texts } from '../../texts/en/quarantine.ts'
import { Checkbox } from '../../ui/field.tsx'
import { formatNumber, formatTimeIn } from '../../ui/format.ts'
import type { QuarantinedResponse } from '../monitoring/use-quarantine.ts'

interface ReadingListProps {
  readings: readonly QuarantinedResponse[]
  has: (id: string) => boolean
  onToggle: (id: string) => void
}

/** Each with what it says, what is possible, and what counts instead. */
export function ReadingList({ readings, has, onToggle }: ReadingListProps) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {readings.map((reading) => (
        <li key={reading.id} className="flex items-start gap-3 px-5 py-3.5">
          <Checkbox
            label=""
            aria-label={texts.select(reading.panelName, formatTimeIn(reading.timezone, reading.at))}
            checked={has(reading.id)}
            onChange={() => onToggle(reading.id)}
          />
          <div className="flex min-w-0 flex-1 flex-wrap gap-x-8 gap-y-1">
            <div className="min-w-0 flex-1 basis-56">
              <Link
                to="/monitoring/$id"
                params={{ id: reading.installationId }}
                className="block truncate font-medium hover:underline"
              >
                {reading.installationName}
              </Link>
              <span className="block text-ink-soft">
                {reading.panelName} ·{' '}
                <time dateTime={reading.at}>{formatTimeIn(reading.timezone, reading.at)}</time>
              </span>
            </div>
            <div className="flex-1 basis-56">
              <span className="block font-medium tabular-nums">
                {texts.reading(formatNumber(reading.kwh), intervalText(reading.intervalMinutes))}
              </span>
              <span className="block text-ink-soft">
                {texts.most(formatNumber(reading.maxKwh), formatNumber(reading.capacityKw))}
              </span>
              <span className="block text-ink-soft">
                {reading.standingKwh === null
                  ? texts.nothingStands
                  : texts.standing(formatNumber(reading.standingKwh))}
              </span>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

const minutesAnHour = 60

function intervalText(minutes: number): string {
  return minutes < minutesAnHour
    ? texts.minutes(formatNumber(minutes))
    : texts.hours(formatNumber(minutes / minutesAnHour))
}
