import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type {
  AdderSettingResponse,
  EquipmentSettingResponse,
  ItemsResponse,
} from '../../../../src/api/console/catalogue.ts'
import { api, type SubmissionKey } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { catalogue as texts } from '../../../texts/en/catalogue.ts'

export type { AdderSettingResponse, EquipmentSettingResponse }
export type Part = keyof typeof texts.parts
export type SectionName = 'adders' | 'equipment'

export const parts = Object.keys(texts.parts) as Part[]
export const sectionOf = (part: Part): SectionName =>
  part === 'solar' || part === 'hi' ? 'adders' : 'equipment'

export const addersQuery = queryOptions({
  queryKey: ['catalogue-adders'],
  queryFn: ({ signal }) => api.get<ItemsResponse<AdderSettingResponse>>('/adders', { signal }),
})

export const equipmentQuery = queryOptions({
  queryKey: ['catalogue-equipment'],
  queryFn: ({ signal }) => api.get<ItemsResponse<EquipmentSettingResponse>>('/equipment', { signal }),
})

/** Asks for the catalogue again, and for what is offered in sales. */
export function useCatalogueRefresh() {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [name] }) => typeof name === 'string' && name.startsWith('catalogue'),
    })
}

export function useCatalogueChange<V, R>(change: (value: V, submission: SubmissionKey) => Promise<R>) {
  return useSubmit({ mutationFn: change, onSettled: useCatalogueRefresh() })
}
