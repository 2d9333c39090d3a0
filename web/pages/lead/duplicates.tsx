import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { LeadDuplicates } from '../../../src/api/console/lead-responses.ts'
import { api } from '../../api/client.ts'
import { common } from '../../texts/en/common.ts'
import { lead as texts } from '../../texts/en/lead.ts'
import { leads } from '../../texts/en/leads.ts'
import { Badge } from '../../ui/surface.tsx'
import { leadName, statusTones } from '../leads/use-leads.ts'

const shownAtFirst = 3

/** Other leads of the same phone or house. Nothing where there are none, or where they could not be asked for. */
export function Duplicates({ leadId }: { leadId: string }) {
  const { data } = useQuery({
    queryKey: ['duplicates', leadId],
    queryFn: ({ signal }) => api.get<LeadDuplicates>(`/leads/${leadId}/duplicates`, { signal }),
  })
  const [all, setAll] = useState(false)
  const found = data?.duplicates ?? []
  if (found.length === 0) return null
  return (
    <section
      aria-label={texts.duplicates(found.length)}
      className="mb-5 flex gap-3 rounded-xl bg-warn-soft px-5 py-3.5"
    >
      <Copy className="mt-1 size-4 shrink-0 text-warn" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-warn">{texts.duplicates(found.length)}</p>
        <ul>
          {found.slice(0, all ? undefined : shownAtFirst).map((one) => (
            <li key={one.id} className="flex min-h-8 flex-wrap items-center gap-x-2">
              <Link to="/leads/$id" params={{ id: one.id }} className="font-medium underline">
                {leadName(one)}
              </Link>
              <Badge tone={statusTones[one.status]}>{leads.statuses[one.status]}</Badge>
              {one.archived && <Badge>{leads.archived}</Badge>}
              <span className="text-[0.87rem]">
                {[one.samePhone && texts.samePhone, one.sameAddress && texts.sameAddress]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
        {!all && found.length > shownAtFirst && (
          <button
            type="button"
            onClick={() => setAll(true)}
            className="min-h-7 font-medium text-warn hover:underline"
          >
            {common.showMore}
          </button>
        )}
      </div>
    </section>
  )
}
