import { Link } from '@tanstack/react-router'
import { memberName, useSession } from '../../session/session.tsx'
import { common } from '../../texts/en/common.ts'
import { leads as texts } from '../../texts/en/leads.ts'
import { classes } from '../../ui/classes.ts'
import { formatAgo, formatTime } from '../../ui/format.ts'
import { Avatar, Badge } from '../../ui/surface.tsx'
import {
  aboveStretchedLink,
  hasStretchedLink,
  SortedTh,
  type SortProps,
  stretchedLink,
  Table,
  Td,
  Th,
} from '../../ui/table.tsx'
import { useWide } from '../../ui/use-wide.ts'
import type { Selection } from './selection.ts'
import { type LeadListed, leadName, statusTones } from './use-leads.ts'

type Time = 'changed' | 'made'

export interface LeadListProps extends SortProps {
  leads: LeadListed[]
  /** Null for those who may not change many at once. */
  selection: Selection | null
}

/** The list where there is room for a table. */
export function LeadTable({ leads, selection, sort, onSort }: LeadListProps) {
  const session = useSession()
  const times: readonly Time[] = useWide('columns') ? ['changed', 'made'] : [sortTime(sort)]
  const several = session.companies.length > 1
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          {selection && (
            <Th className="w-10 pr-0!">
              <input
                type="checkbox"
                aria-label={texts.selectAll}
                className="block size-4.5 accent-action"
                checked={selection.all}
                onChange={selection.toggleAll}
              />
            </Th>
          )}
          <Th>{texts.columns.name}</Th>
          <Th>{texts.columns.status}</Th>
          <Th>{texts.columns.contact}</Th>
          <Th>{texts.columns.people}</Th>
          {times.map((time) => (
            <SortedTh
              key={time}
              label={texts.columns[time]}
              {...{ by: time, first: 'descending', sort, onSort, right: true }}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => {
          return (
            <tr key={lead.id} className={classes(hasStretchedLink, 'has-checked:bg-action-soft/60')}>
              {selection && (
                <Td className={classes(aboveStretchedLink, 'w-10 pr-0!')}>
                  <input
                    type="checkbox"
                    aria-label={texts.select(leadName(lead))}
                    className="block size-4.5 accent-action"
                    checked={selection.has(lead.id)}
                    onChange={() => selection.toggle(lead.id)}
                  />
                </Td>
              )}
              <Td className="max-w-72">
                <Link
                  to="/leads/$id"
                  params={{ id: lead.id }}
                  className={classes(stretchedLink, 'block truncate font-medium hover:underline')}
                >
                  {leadName(lead)}
                </Link>
                <span className="block truncate text-[0.87rem] text-ink-soft">{placeOf(lead)}</span>
              </Td>
              <Td>
                <span className="flex flex-wrap gap-1">
                  <Badge tone={statusTones[lead.status]}>{texts.statuses[lead.status]}</Badge>
                  {lead.productLine === 'hi' && <LineBadge />}
                  {lead.archived && <Badge>{texts.archived}</Badge>}
                </span>
              </Td>
              <Td className="max-w-60">
                <span className="block truncate">{lead.phone ?? lead.email}</span>
                {lead.phone && lead.email && (
                  <span className="block truncate text-[0.87rem] text-ink-soft">{lead.email}</span>
                )}
              </Td>
              <Td className="max-w-48">
                <People names={[lead.salesRepId, lead.setterId].map((id) => memberName(session, id))} />
              </Td>
              {times.map((time, i) => {
                const at = time === 'made' ? lead.createdAt : lead.updatedAt
                return (
                  <Td key={time} className="max-w-40 text-right whitespace-nowrap text-ink-soft">
                    <time dateTime={at} title={formatTime(at)}>
                      {formatAgo(at)}
                    </time>
                    {several && i === times.length - 1 && (
                      <span className="block truncate text-[0.87rem]">
                        {session.companies.find(({ id }) => id === lead.companyId)?.name}
                      </span>
                    )}
                  </Td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}

/** The time that a list goes by. */
export const sortTime = (sort: string): Time => (sort.startsWith('made') ? 'made' : 'changed')

/** Solar is the rule: the other line is marked, in few letters. */
export function LineBadge() {
  return (
    <Badge>
      <abbr title={common.lines.hi} className="no-underline">
        {texts.hiShort}
      </abbr>
    </Badge>
  )
}

export const placeOf = ({ line1, city, state }: LeadListed) =>
  [line1, [city, state].filter(Boolean).join(', ')].filter(Boolean).join(', ')

function People({ names }: { names: (string | null)[] }) {
  const [rep, setter] = names
  if (!rep && !setter) return <span className="text-ink-soft">{common.nobody}</span>
  return (
    <span className="flex items-center gap-2">
      <Avatar name={(rep ?? setter)!} small />
      <span className="min-w-0 leading-tight">
        <span className="block truncate">{rep ?? setter}</span>
        {rep && setter && <span className="block truncate text-[0.8rem] text-ink-soft">{setter}</span>}
      </span>
    </span>
  )
}
