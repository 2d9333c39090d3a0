import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ImportResponse } from '../../../../src/api/console/import-responses.ts'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { useToasts } from '../../../ui/toast.tsx'

export const importsKey = ['imports']
const importKey = (id: string) => ['import', id]

const working: ImportResponse['state'][] = ['checking', 'running', 'undoing']
const lookMs = 700

const importQuery = (id: string) =>
  queryOptions({
    queryKey: importKey(id),
    queryFn: ({ signal }) => api.get<ImportResponse>(`/imports/${id}`, { signal }),
    // Looked at again and again while something is done with it.
    refetchInterval: ({ state }) => (state.data && working.includes(state.data.state) ? lookMs : false),
  })

export function useImport(id: string) {
  return useQuery(importQuery(id))
}

export function refreshImport(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: importKey(id) })
  refresh(client)
}

export type ImportStep = 'check' | 'start' | 'undo'

/** What a step changes besides the import itself. */
function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: importsKey })
  void client.invalidateQueries({ queryKey: ['leads'] })
}

/** Takes a step with an import; what comes of it is shown at once. */
export function useImportStep(id: string) {
  const client = useQueryClient()
  const { complain } = useToasts()
  return useSubmit({
    mutationFn: ({ step, body }: { step: ImportStep; body?: object }, submission) =>
      api.post<ImportResponse>(`/imports/${id}/${step}`, body, submission),
    onSuccess: (shown) => {
      client.setQueryData(importKey(id), shown)
      refresh(client)
    },
    onError: (error) => {
      complain(error)
      void client.invalidateQueries({ queryKey: importKey(id) })
    },
  })
}
