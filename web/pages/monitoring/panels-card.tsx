import { useQuery } from '@tanstack/react-query'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { classes } from '../../ui/classes.ts'
import { formatDay, formatNumber } from '../../ui/format.ts'
import { Loaded } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import type { Range } from './range.ts'
import { type Comparison, panelsQuery } from './use-monitoring.ts'

type Panel = Comparison['panels'][number]

/** The panels beside each other: those to look at first stand first. */
export function PanelsCard({ installationId, range }: { installationId: string; range: Range }) {
  const query = useQuery(panelsQuery(installationId, range))
  const { data } = query
  return (
    <Card>
      <CardHeader title={texts.panels}>
        {data && texts.panelsNote(formatDay(data.from), formatDay(data.to))}
      </CardHeader>
      <Loaded query={query}>
        {({ panels, more }) => {
          if (panels.length === 0) return <p className="px-5 pb-5 text-ink-soft">{texts.noPanels}</p>
          const max = panels.reduce((top, { percent }) => Math.max(top, percent ?? 0), 100)
          const inOrder = panels.toSorted((a, b) => Number(b.odd) - Number(a.odd))
          return (
            <div className="px-5 pb-5">
              {more && <p className="pb-2 text-ink-soft">{texts.panelsMore(panels.length)}</p>}
              <ul className="flex max-h-[32rem] flex-col gap-1.5 overflow-y-auto">
                {inOrder.map((panel) => (
                  <PanelBar key={panel.id} panel={panel} max={max} />
                ))}
              </ul>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

function PanelBar({
  panel: { name, percent, odd, status, yield: perKw },
  max,
}: {
  panel: Panel
  max: number
}) {
  return (
    <li className="grid grid-cols-[minmax(4rem,8rem)_1fr_auto] items-center gap-3">
      <span className="truncate" title={name}>
        {name}
      </span>
      <span
        role="img"
        aria-label={texts.panelLabel(name, percent)}
        title={perKw === null ? texts.noData : texts.perKw(formatNumber(perKw))}
        className="h-4 overflow-hidden rounded bg-sunken"
      >
        <span
          className={classes('block h-full rounded', odd ? 'bg-warn' : 'bg-action')}
          style={{ width: `${((percent ?? 0) / max) * 100}%` }}
        />
      </span>
      <span className="inline-flex items-center justify-end gap-2 text-right">
        {status !== 'active' && <Badge>{texts.panelStatuses[status]}</Badge>}
        {odd && <Badge tone="warn">{texts.odd}</Badge>}
        <span className="min-w-14 whitespace-nowrap text-ink-soft tabular-nums">
          {percent === null ? texts.noData : texts.ofMiddle(percent)}
        </span>
      </span>
    </li>
  )
}
