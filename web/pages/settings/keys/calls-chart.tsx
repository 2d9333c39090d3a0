import { keys as texts } from '../../../texts/en/keys.ts'
import { formatNumber } from '../../../ui/format.ts'
import { Table, Td, Th } from '../../../ui/table.tsx'
import type { KeyRead } from './use-keys.ts'

type Hours = KeyRead['hours']

const width = 768
const height = 140
const gap = 3
const hourNames = new Intl.DateTimeFormat('en-US', { weekday: 'short', hour: 'numeric' })
const hourName = (hour: string) => hourNames.format(new Date(hour))

/** Calls by the hour: what failed stands at the foot of each bar, in another tone. */
export function CallsChart({ hours }: { hours: Hours }) {
  const calls = hours.reduce((sum, hour) => sum + hour.calls, 0)
  const failures = hours.reduce((sum, hour) => sum + hour.failures, 0)
  if (calls === 0) return <p className="px-5 pb-5 text-ink-soft">{texts.chartNone}</p>
  const max = Math.max(...hours.map((hour) => hour.calls))
  const marks = [0, 12, 24, 36].map((index) => hours[index]!)
  return (
    <figure className="px-5 pb-4">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 pb-3 text-ink-soft">
        <span>{texts.chartSummary(calls, failures)}</span>
        <Tone className="bg-action" label={texts.answered} />
        <Tone className="bg-bad" label={texts.failed} />
      </figcaption>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 gap-y-1 text-[0.75rem] text-ink-soft">
        <div aria-hidden className="flex flex-col justify-between text-right">
          <span>{formatNumber(max)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden
          className="h-36 w-full min-w-0 border-y border-line"
        >
          {hours.map((hour, index) => (
            <Bar key={hour.hour} hour={hour} x={(index * width) / hours.length} max={max} />
          ))}
        </svg>
        <div aria-hidden className="col-start-2 grid grid-cols-4">
          {marks.map(({ hour }) => (
            <span key={hour}>{hourName(hour)}</span>
          ))}
        </div>
      </div>
      <HourTable hours={hours} />
    </figure>
  )
}

const atLeastSeen = 2

function Bar({ hour: { hour, calls, failures }, x, max }: { hour: Hours[number]; x: number; max: number }) {
  // Few among many would not be seen at all.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(atLeastSeen, (count / max) * height))
  const failed = tall(failures)
  const answered = tall(calls - failures)
  const barWidth = width / 48 - gap
  return (
    <g>
      <title>{texts.chartHour(hourName(hour), calls, failures)}</title>
      <rect x={x} y={0} width={barWidth + gap} height={height} className="fill-transparent" />
      <rect x={x} y={height - failed} width={barWidth} height={failed} className="fill-bad" />
      <rect
        x={x}
        y={Math.max(0, height - failed - answered)}
        width={barWidth}
        height={Math.min(answered, height - failed)}
        className="fill-action"
      />
    </g>
  )
}

function Tone({ className, label }: { className: string; label: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 text-[0.87rem]">
      <span aria-hidden className={`size-2.5 rounded-sm ${className}`} />
      {label}
    </span>
  )
}

/** The same for those who would rather read it. */
function HourTable({ hours }: { hours: Hours }) {
  return (
    <details className="pt-3">
      <summary className="w-fit text-[0.87rem] text-ink-soft">{texts.asTable}</summary>
      <div className="max-h-72 overflow-y-auto pt-2">
        <Table label={texts.chart}>
          <thead>
            <tr>
              <Th>{texts.hour}</Th>
              <Th className="text-right">{texts.calls}</Th>
              <Th className="text-right">{texts.failed}</Th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ calls }) => calls > 0)
              .toReversed()
              .map(({ hour, calls, failures }) => (
                <tr key={hour}>
                  <Td>{hourName(hour)}</Td>
                  <Td className="text-right">{formatNumber(calls)}</Td>
                  <Td className="text-right">{formatNumber(failures)}</Td>
                </tr>
              ))}
          </tbody>
        </Table>
      </div>
    </details>
  )
}
