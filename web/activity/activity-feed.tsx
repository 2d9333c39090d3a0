import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import type { ActivityList } from '../../src/api/console/activities.ts'
import { api, query } from '../api/client.ts'
import { activity as texts } from '../texts/en/activity.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { EmptyState, Loaded } from '../ui/states.tsx'
import { Entry } from './entry.tsx'
import { NoteForm } from './note-form.tsx'

interface ActivityFeedProps {
  leadId: string
  /** Nothing new is written to it. */
  readOnly?: boolean
}

/** A lead's feed with its notes; a project's is its lead's. */
export function ActivityFeed({ leadId, readOnly = false }: ActivityFeedProps) {
  const feed = useInfiniteQuery({
    queryKey: ['activities', leadId],
    queryFn: ({ pageParam, signal }) =>
      api.get<ActivityList>(`/leads/${leadId}/activities${query({ after: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  })
  return (
    <div className="flex flex-col gap-5">
      {!readOnly && <NoteForm leadId={leadId} />}
      <Loaded query={feed}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.activities)
          return entries.length === 0 ? (
            <EmptyState icon={<History aria-hidden />} title={texts.empty}>
              {texts.emptyNote}
            </EmptyState>
          ) : (
            <ol aria-label={texts.title} className="flex flex-col gap-4">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} leadId={leadId} readOnly={readOnly} />
              ))}
            </ol>
          )
        }}
      </Loaded>
      <ShowMore query={feed} />
    </div>
  )
}
