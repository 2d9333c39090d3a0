import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { IconButton } from '../../ui/button.tsx'
import { Checkbox, Field, TextInput } from '../../ui/field.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { EnergyChart } from './energy-chart.tsx'
import { lastDays, type Range, shifted, steps, zoomed } from './range.ts'
import { type InstallationResponse, seriesQuery } from './use-monitoring.ts'

interface EnergyCardProps {
  installation: InstallationResponse
  range: Range
  today: string
  compared: boolean
  onShow: (range: Range, compare?: boolean) => void
}

/** What was made over a time that is chosen here and stands in the address. */
export function EnergyCard({ installation, range, today, compared, onShow }: EnergyCardProps) {
  const { id, timezone } = installation
  const query = useQuery(seriesQuery(id, { ...range, compare: compared ? 'year' : undefined }))
  return (
    <Card>
      <CardHeader
        title={texts.energy}
        actions={
          <Segments
            label={texts.by}
            options={steps.map((value) => ({ value, label: texts.granularities[value] }))}
            value={range.by}
            onChange={(by) => onShow(lastDays(by, today))}
          />
        }
      />
      <div className="flex flex-wrap items-end gap-x-3 gap-y-2 px-5 pb-3">
        <DayField label={texts.from} value={range.from} onChange={(from) => onShow({ ...range, from })} />
        <DayField label={texts.to} value={range.to} onChange={(to) => onShow({ ...range, to })} />
        <div className="flex">
          <IconButton label={texts.earlier} onClick={() => onShow(shifted(range, -1, today))}>
            <ChevronLeft className="size-5" aria-hidden />
          </IconButton>
          <IconButton label={texts.later} onClick={() => onShow(shifted(range, 1, today))}>
            <ChevronRight className="size-5" aria-hidden />
          </IconButton>
          <IconButton label={texts.zoomIn} onClick={() => onShow(zoomed(range, 0.5, today))}>
            <ZoomIn className="size-5" aria-hidden />
          </IconButton>
          <IconButton label={texts.zoomOut} onClick={() => onShow(zoomed(range, 2, today))}>
            <ZoomOut className="size-5" aria-hidden />
          </IconButton>
        </div>
        <Checkbox
          label={texts.compare}
          checked={compared}
          onChange={(event) => onShow(range, event.target.checked)}
          className="min-h-10"
        />
      </div>
      <Loaded query={query} loading={<Skeleton className="mx-5 mb-5 h-72" />}>
        {(series) => <EnergyChart series={series} range={range} timezone={timezone} onShow={onShow} />}
      </Loaded>
    </Card>
  )
}

interface DayFieldProps {
  label: string
  value: string
  onChange: (day: string) => void
}

function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <Field label={label} className="w-40">
      <TextInput
        type="date"
        value={value}
        min="2000-01-01"
        max="2100-12-31"
        onChange={(event) => event.target.value && onChange(event.target.value)}
      />
    </Field>
  )
}
