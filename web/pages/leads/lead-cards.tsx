import { Link } from '@tanstack/react-router'
import { memberName, useSession } from '../../session/session.tsx'
import { leads as texts } from '../../texts/en/leads.ts'
import { formatAgo } from '../../ui/format.ts'
import { Badge } from '../../ui/surface.tsx'
import { type LeadListProps, LineBadge, placeOf, sortTime } from './lead-table.tsx'
import { leadName, statusTones } from './use-leads.ts'

/** The list on a phone. */
export function LeadCards({ leads, selection, sort }: LeadListProps) {
  const session = useSession()
  return (
    <ul aria-label={texts.title} className="divide-y divide-line/70">
      {leads.map((lead) => (
        <li key={lead.id} className="flex gap-1 has-checked:bg-action-soft/60">
          {selection && (
            <label className="flex w-11 shrink-0 items-start justify-center pt-4">
              <input
                type="checkbox"
                aria-label={texts.select(leadName(lead))}
                className="size-4.5 accent-action"
                checked={selection.has(lead.id)}
                onChange={() => selection.toggle(lead.id)}
              />
            </label>
          )}
          <Link
            to="/leads/$id"
            params={{ id: lead.id }}
            className={selection ? 'min-w-0 flex-1 py-3 pr-4' : 'min-w-0 flex-1 px-4 py-3'}
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-medium">{leadName(lead)}</span>
              <span className="shrink-0 text-[0.8rem] text-ink-soft">
                {formatAgo(sortTime(sort) === 'made' ? lead.createdAt : lead.updatedAt)}
              </span>
            </span>
            <span className="block truncate text-[0.87rem] text-ink-soft">{placeOf(lead)}</span>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-1.5">
              <Badge tone={statusTones[lead.status]}>{texts.statuses[lead.status]}</Badge>
              {lead.productLine === 'hi' && <LineBadge />}
              {lead.archived && <Badge>{texts.archived}</Badge>}
              <span className="truncate text-[0.87rem] text-ink-soft">
                {memberName(session, lead.salesRepId) ?? texts.noRep}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
