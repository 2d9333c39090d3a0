import { Link } from '@tanstack/react-router'
import { monitoring as texts } from '../../texts/en/monitoring.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import { classes } from '../../ui/classes.ts'
import { formatDay, formatNumber } from '../../ui/format.ts'
import { Badge } from '../../ui/surface.tsx'
import { hasStretchedLink, SortedTh, type SortProps, stretchedLink, Table, Td, Th } from '../../ui/table.tsx'
import { type FleetEntry, severityTones } from './use-monitoring.ts'

interface ListProps extends SortProps {
  installations: FleetEntry[]
}

/** The list where there is room for a table. */
export function FleetTable({ installations, sort, onSort }: ListProps) {
  const sorting = { sort, onSort }
  return (
    <Table label={texts.list}>
      <thead>
        <tr>
          <SortedTh label={texts.columns.name} by="name" first="ascending" {...sorting} />
          <SortedTh label={texts.columns.trouble} by="trouble" first="descending" {...sorting} />
          <Th>{texts.columns.days}</Th>
          <Th>{texts.columns.last}</Th>
          <SortedTh label={texts.columns.size} by="size" first="descending" {...sorting} />
        </tr>
      </thead>
      <tbody>
        {installations.map((entry) => (
          <tr key={entry.id} className={hasStretchedLink}>
            <Td className="max-w-72">
              <Link
                to="/monitoring/$id"
                params={{ id: entry.id }}
                className={classes(stretchedLink, 'block truncate font-medium hover:underline')}
              >
                {entry.name}
              </Link>
              <span className="block truncate text-[0.87rem] text-ink-soft">{entry.address}</span>
            </Td>
            <Td>
              <Trouble entry={entry} />
            </Td>
            <Td>
              <Days entry={entry} />
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">
              {entry.lastDay ? formatDay(entry.lastDay) : texts.never}
            </Td>
            <Td className="whitespace-nowrap text-ink-soft">
              {texts.size(formatNumber(entry.capacityKw), entry.panelCount)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The list on a phone. */
export function FleetCards({ installations }: ListProps) {
  return (
    <ul aria-label={texts.list} className="divide-y divide-line/70">
      {installations.map((entry) => (
        <li key={entry.id}>
          <Link to="/monitoring/$id" params={{ id: entry.id }} className="block px-4 py-3">
            <span className="block truncate font-medium">{entry.name}</span>
            <span className="block truncate text-[0.87rem] text-ink-soft">{entry.address}</span>
            <span className="flex items-center justify-between gap-3 pt-2">
              <Days entry={entry} />
              <Trouble entry={entry} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Days({ entry: { spark, lastDay } }: { entry: FleetEntry }) {
  if (lastDay === null) return null
  const known = spark.filter((kwh) => kwh !== null)
  const kwh = known.reduce((sum, day) => sum + day, 0)
  return (
    <Spark values={spark} label={texts.spark(formatNumber(Math.round(kwh)), spark.length - known.length)} />
  )
}

/** The worst of it in words. */
function Trouble({ entry: { severity, kinds, alerts, silentDays, lastDay } }: { entry: FleetEntry }) {
  if (severity) {
    return (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <Badge tone={severityTones[severity]}>
          {texts.severities[severity]} · {texts.kinds[kinds[0]!]}
        </Badge>
        {alerts > 1 && <span className="text-[0.87rem] text-ink-soft">{texts.more(alerts - 1)}</span>}
      </span>
    )
  }
  if (lastDay === null) return <Badge>{texts.never}</Badge>
  if (silentDays > 0) return <Badge tone="warn">{texts.silent(silentDays)}</Badge>
  return <Badge tone="good">{texts.fine}</Badge>
}
