import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { LinkResponse, LinksResponse } from '../../../src/api/console/links.ts'
import { api } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { files as fileTexts } from '../../texts/en/files.ts'
import { links as texts } from '../../texts/en/links.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { formatAgo, formatTime } from '../../ui/format.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { Badge, Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { type ProjectResponse, refreshProject } from './use-project.ts'

/** What was shared of the project, and by whom; ended here. */
export function LinksCard({ project }: { project: ProjectResponse }) {
  const [renewing, setRenewing] = useState(false)
  const query = useInfiniteQuery({
    queryKey: ['links', project.id],
    queryFn: ({ pageParam, signal }) =>
      api.get<LinksResponse>(`/projects/${project.id}/links${pageParam && `?after=${pageParam}`}`, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const links = query.data?.pages.flatMap((page) => page.links) ?? []
  return (
    <Card>
      <CardHeader title={texts.title}>
        <p>{texts.note}</p>
      </CardHeader>
      <div className="px-5 pb-5">
        {query.isSuccess && links.length === 0 && <p className="text-ink-soft">{texts.none}</p>}
        {links.length > 0 && (
          <ul className="divide-y divide-line/70">
            {links.map((link) => (
              <Link key={link.id} projectId={project.id} link={link} />
            ))}
          </ul>
        )}
        <ShowMore query={query} />
        {project.can.renewLinks && (
          <Button small className="mt-3" onClick={() => setRenewing(true)}>
            <RefreshCw className="size-4" aria-hidden />
            {texts.renew}
          </Button>
        )}
      </div>
      {renewing && <RenewDialog project={project} onClose={() => setRenewing(false)} />}
    </Card>
  )
}

function nameOf({ kind, folder, fileName }: LinkResponse): string {
  if (kind === 'proposal') return texts.proposal
  if (kind === 'folder') return texts.folder(fileTexts.folders[folder!])
  return fileName ?? texts.goneFile
}

function Link({ projectId, link }: { projectId: string; link: LinkResponse }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const end = useSubmit({
    mutationFn: (_, submission) => api.delete(`/projects/${projectId}/links/${link.id}`, submission),
    onSuccess: () => say(texts.wasEnded),
    onError: complain,
    onSettled: () => client.invalidateQueries({ queryKey: ['links', projectId] }),
  })
  const name = nameOf(link)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 leading-snug">
        <p className="flex flex-wrap items-center gap-2">
          {name}
          <Badge tone={link.works ? 'good' : 'plain'}>{stateOf(link)}</Badge>
        </p>
        <p className="text-[0.8rem] text-ink-soft">
          {texts.madeBy(link.by, formatAgo(link.createdAt))}
          {link.works && `, ${texts.worksUntil(formatTime(link.expiresAt))}`}
          {' · '}
          {texts.opened(link.opened, link.lastOpenedAt && formatAgo(link.lastOpenedAt))}
        </p>
      </div>
      {link.works && (
        <Button small aria-label={texts.endOf(name)} busy={end.isPending} onClick={() => end.mutate()}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}

function stateOf({ works, endedAt, endedBy }: LinkResponse): string {
  if (works) return texts.works
  if (!endedAt) return texts.expired
  return endedBy ? texts.endedBy(endedBy) : texts.ended
}

function RenewDialog({ project, onClose }: { project: ProjectResponse; onClose: () => void }) {
  const client = useQueryClient()
  const { say, complain } = useToasts()
  const renew = useSubmit({
    mutationFn: (_, submission) => api.post(`/projects/${project.id}/renew-links`, {}, submission),
    onSuccess: () => say(texts.renewed),
    onError: complain,
    onSettled: () => {
      onClose()
      return refreshProject(client, project)
    },
  })
  return (
    <FormDialog
      title={texts.renewTitle}
      description={texts.renewNote}
      sending={renew}
      error={null}
      confirm={texts.renewNow}
      kind="danger"
      onClose={onClose}
    />
  )
}
