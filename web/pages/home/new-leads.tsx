import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { HomeResponse } from '../../../src/api/console/home.ts'
import { common } from '../../texts/en/common.ts'
import { home as texts } from '../../texts/en/home.ts'
import { buttonClass } from '../../ui/button.tsx'
import { formatAgo } from '../../ui/format.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'

/** The newest of the leads that nobody has spoken to yet. */
export function NewLeads({ home: { waiting } }: { home: HomeResponse }) {
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={texts.fresh}
        actions={
          waiting.leads.length > 0 && (
            <Link to="/leads" search={{ status: 'new' }} className={buttonClass('quiet', true)}>
              {texts.allNew}
            </Link>
          )
        }
      />
      {waiting.leads.length === 0 ? (
        <EmptyState icon={<Users aria-hidden />} title={texts.noNew}>
          {texts.noNewNote}
        </EmptyState>
      ) : (
        <ul className="pb-2">
          {waiting.leads.map((lead) => (
            <li key={lead.id}>
              <Link
                to="/leads/$id"
                params={{ id: lead.id }}
                className="flex items-center gap-3 px-5 py-2 hover:bg-sunken"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">
                    {[lead.firstName, lead.lastName].filter(Boolean).join(' ') || texts.unnamed}
                  </span>
                  <span className="block truncate text-[0.87rem] text-ink-soft">
                    {[lead.city, lead.source, lead.rep ?? texts.noRep, lead.dealer]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span className="flex shrink-0 flex-col items-end gap-1">
                  <Badge>{common.lines[lead.productLine]}</Badge>
                  <span className="text-[0.8rem] text-ink-soft">{formatAgo(lead.createdAt)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
