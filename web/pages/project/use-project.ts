import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProjectResponse } from '../../../src/api/console/project-responses.ts'
import { api } from '../../api/client.ts'
import { shownAtOnce } from '../../live/shown-at-once.ts'
import { useToasts } from '../../ui/toast.tsx'

export type { ProjectResponse }
export type Folder = ProjectResponse['folders'][number]['folder']

/** For those who see what was agreed. */
export type AgreedProject = ProjectResponse & {
  contract: NonNullable<ProjectResponse['contract']>
  financing: NonNullable<ProjectResponse['financing']>
}

export function isAgreed(project: ProjectResponse): project is AgreedProject {
  return project.contract !== null && project.financing !== null
}

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['project', id],
    queryFn: ({ signal }) => api.get<ProjectResponse>(`/projects/${encodeURIComponent(id)}`, { signal }),
  })

export interface ProjectChange {
  send: () => Promise<unknown>
  /** How the project will read: shown at once, taken back where it is refused. */
  expect?: (project: ProjectResponse) => ProjectResponse
  onDone?: () => void
  /** Told why it was refused, where a form says it itself. */
  onRefused?: (error: Error) => void
}

/** Changes a project, and whatever else shows something of it. */
export function useProjectChange({ id, leadId }: Pick<ProjectResponse, 'id' | 'leadId'>) {
  const client = useQueryClient()
  const { complain } = useToasts()
  const { queryKey } = projectQuery(id)
  const key = ['change-project', id]
  return useMutation({
    mutationFn: ({ send }: ProjectChange) => send(),
    mutationKey: key,
    meta: shownAtOnce,
    onMutate: async ({ expect }) => {
      // What was asked for before would show the project as it was. Not waited for: a box that somebody ticks is ticked
      // when they let go of it.
      const cancelled = client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before && expect) client.setQueryData(queryKey, expect(before))
      await cancelled
      return { before }
    },
    onError: (error, { expect, onRefused = complain }, kept) => {
      if (expect && kept?.before) client.setQueryData(queryKey, kept.before)
      onRefused(error)
    },
    onSuccess: (_answer, { onDone }) => onDone?.(),
    // While another change is on its way, the server's answer would take back what is shown of that one.
    onSettled: () => {
      if (client.isMutating({ mutationKey: key }) === 1) return refreshProject(client, { id, leadId })
    },
  })
}

/** Everything that shows something of a project is asked for again. */
export function refreshProject(
  client: ReturnType<typeof useQueryClient>,
  { id, leadId }: Pick<ProjectResponse, 'id' | 'leadId'>,
): Promise<unknown> {
  const keys = [
    ['project', id],
    ['activities', leadId],
    ['lead', leadId],
    ['board'],
    ['calendar'],
    ['home'],
    ['notifications'],
  ]
  return Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}
