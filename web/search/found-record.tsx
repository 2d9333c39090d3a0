import { Kanban, UserRound } from 'lucide-react'
import type { SearchResponse } from '../../src/api/console/search.ts'
import { leads } from '../texts/en/leads.ts'
import { search as texts } from '../texts/en/search.ts'
import { Badge } from '../ui/surface.tsx'

/** A lead or a project that was found, in one shape. */
export interface FoundRecord {
  kind: 'leads' | 'projects'
  id: string
  customer: string | null
  place: string | null
  contact: string | null
  dealer: string | null
  /** Status or stage. */
  mark: string | null
}

/** Everything that was found, in the order in which it is shown. */
export function recordsOf(found: SearchResponse): FoundRecord[] {
  return [
    ...found.projects.map((one) => ({ ...one, kind: 'projects' as const, mark: one.stage })),
    ...found.leads.map((one) => ({ ...one, kind: 'leads' as const, mark: leads.statuses[one.status] })),
  ]
}

export function FoundLine({ record }: { record: FoundRecord }) {
  const Icon = record.kind === 'leads' ? UserRound : Kanban
  return (
    <span className="flex items-center gap-3">
      <Icon className="size-4 shrink-0 text-ink-soft" aria-hidden />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{record.customer ?? texts.unnamed}</span>
        <span className="block truncate text-[0.87rem] text-ink-soft">
          {[record.place, record.contact, record.dealer].filter(Boolean).join(' · ')}
        </span>
      </span>
      {record.mark && <Badge>{record.mark}</Badge>}
    </span>
  )
}
