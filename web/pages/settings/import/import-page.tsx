import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ImportRowResponse, ImportsResponse } from '../../../../src/api/console/import-responses.ts'
import { api, query as queryText } from '../../../api/client.ts'
import { useSession } from '../../../session/session.tsx'
import { imports as texts } from '../../../texts/en/imports.ts'
import { formatAgo } from '../../../ui/format.ts'
import { ShowMore } from '../../../ui/show-more.tsx'
import { EmptyState, Loaded } from '../../../ui/states.tsx'
import { Card, CardHeader } from '../../../ui/surface.tsx'
import { SettingsHeader } from '../settings-header.tsx'
import { countsInWords } from './counts.tsx'
import { StateBadge } from './state-badge.tsx'
import { UploadCard } from './upload-card.tsx'
import { importsKey } from './use-import.ts'

/** Where files are brought in, and what was brought in before. */
export function ImportPage() {
  const { company } = useSession()
  const query = useInfiniteQuery({
    queryKey: importsKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      api.get<ImportsResponse>(`/imports${queryText({ after: pageParam })}`, { signal }),
    getNextPageParam: ({ next }) => next,
  })
  return (
    <div className="flex flex-col gap-6">
      <div>
        <SettingsHeader title={texts.title} note={texts.note} />
        <UploadCard />
      </div>
      <Card>
        <CardHeader title={texts.history} />
        <Loaded query={query}>
          {({ pages }) => {
            const imports = pages.flatMap((page) => page.imports)
            if (imports.length === 0)
              return (
                <EmptyState icon={<History aria-hidden />} title={texts.empty}>
                  {texts.emptyNote}
                </EmptyState>
              )
            return (
              <ul className="divide-y divide-line pb-2">
                {imports.map((shown) => (
                  <ImportRow key={shown.id} shown={shown} />
                ))}
              </ul>
            )
          }}
        </Loaded>
        <ShowMore query={query} />
      </Card>
      <Card>
        <CardHeader title={texts.exportTitle}>{texts.exportNote}</CardHeader>
        <code className="mx-5 mb-5 block rounded-lg bg-sunken px-3 py-2 font-mono text-[0.87rem]">
          {texts.exportCommand(company.id)}
        </code>
      </Card>
    </div>
  )
}

function ImportRow({ shown }: { shown: ImportRowResponse }) {
  return (
    <li>
      <Link
        to="/settings/import/$id"
        params={{ id: shown.id }}
        className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 basis-48">
          <span className="block truncate font-medium">{shown.name}</span>
          <span className="block text-[0.87rem] text-ink-soft">
            {formatAgo(String(shown.createdAt))} {texts.by(shown.by)}
          </span>
        </span>
        <span className="text-[0.87rem] text-ink-soft tabular-nums">{countsInWords(shown)}</span>
        <StateBadge state={shown.state} />
      </Link>
    </li>
  )
}
