import { useMemo } from 'react'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Chart } from '../../ui/chart/chart.tsx'
import { ChartTable } from '../../ui/chart/chart-table.tsx'
import type { ChartPoint } from '../../ui/chart/scale.ts'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { closer, namesOf, type Range, type Step } from './range.ts'
import type { Series } from './use-monitoring.ts'

interface EnergyChartProps {
  series: Series
  range: Range
  timezone: string
  onShow: (range: Range) => void
}

export function EnergyChart({ series, range, timezone, onShow }: EnergyChartProps) {
  const points = useMemo(
    () => series.buckets.map(({ at, kwh, gap, before }): ChartPoint => ({ at, value: kwh, gap, before })),
    [series],
  )
  const names = useMemo(() => namesOf(range.by, series), [series, range.by])
  const compared = series.compared !== null
  if (points.every(({ value, before }) => value === null && (before ?? null) === null)) {
    return <EmptyState title={texts.noReadings}>{texts.noReadingsNote}</EmptyState>
  }
  const describe = (point: ChartPoint) =>
    texts.point(
      names.full(point),
      [
        made(point),
        compared && typeof point.before === 'number' && texts.yearBefore(formatNumber(point.before)),
      ]
        .filter(Boolean)
        .join(', '),
    )
  return (
    <figure className="px-5 pb-4">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-ink-soft">
        <Summary series={series} by={range.by} />
        <Tone className="bg-action" label={texts.made} />
        {compared && <Tone className="bg-sun" label={texts.before} />}
        {points.some(({ gap }) => gap === 'all') && (
          <Tone className="border border-warn bg-warn-soft" label={texts.noData} />
        )}
        {points.some(({ gap }) => gap === 'some') && <Tone className="h-1! bg-warn" label={texts.someData} />}
      </figcaption>
      <Chart
        label={texts.chart}
        points={points}
        describe={describe}
        tick={names.short}
        unit="kWh"
        onZoom={(first, last) => onShow(closer(range, timezone, first, last))}
        onOpen={range.by === 'hourly' ? undefined : (point) => onShow(closer(range, timezone, point))}
      />
      <p className="pt-1 text-[0.87rem] text-ink-soft">{texts.zone(timezone)}</p>
      <ChartTable
        label={texts.energy}
        summary={texts.asTable}
        columns={[texts.when, texts.made, ...(compared ? [texts.before] : [])]}
        points={points}
        cells={(point) => [
          names.full(point),
          made(point),
          ...(compared
            ? [typeof point.before === 'number' ? texts.kwh(formatNumber(point.before)) : '–']
            : []),
        ]}
        cut={texts.cut}
      />
    </figure>
  )
}

function made({ value, gap }: ChartPoint): string {
  if (value === null) return gap ? texts.noData : '–'
  return gap
    ? `${texts.kwh(formatNumber(value))} (${texts.someData.toLowerCase()})`
    : texts.kwh(formatNumber(value))
}

function Summary({ series, by }: { series: Series; by: Step }) {
  const { totalKwh, compared, buckets } = series
  const missing = buckets.filter(({ gap }) => gap === 'all').length
  const percent = compared?.before ? Math.round((100 * compared.kwh) / compared.before) - 100 : null
  const [one, many] = texts.units[by]
  return (
    <span>
      <strong className="text-lg text-ink">{texts.total(formatNumber(totalKwh))}</strong>
      {compared !== null &&
        `, ${percent === null ? texts.nothingBefore : texts.against(percent, compared.kwh < totalKwh)}`}
      {missing > 0 && `, ${texts.missing(missing, missing === 1 ? one : many)}`}
    </span>
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
