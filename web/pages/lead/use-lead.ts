import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { LeadPatchBody } from '../../../src/api/console/lead-requests.ts'
import type { LeadResponse } from '../../../src/api/console/lead-responses.ts'
import { api, type Value } from '../../api/client.ts'
import { useOvertaken } from '../../ui/overtaken.ts'

export type { LeadPatchBody, LeadResponse }

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: ['lead', id],
    queryFn: ({ signal }) => api.get<LeadResponse>(`/leads/${encodeURIComponent(id)}`, { signal }),
  })

/** Changes a lead by the fields that are named, and asks again for whatever else shows something of it. */
export function useLeadChange({ id, project }: Pick<LeadResponse, 'id' | 'project'>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (patch: LeadPatchBody) => api.patch<LeadResponse>(`/leads/${id}`, patch),
    onSuccess: (lead) => {
      client.setQueryData(leadQuery(id).queryKey, lead)
      const keys = [['leads'], ['activities', id], ['duplicates', id], ['home'], ['board'], ['calendar']]
      if (project) keys.push(['project', project.id])
      for (const queryKey of keys) client.invalidateQueries({ queryKey })
    },
    // Where others were quicker, what they made of it is shown.
    onError: () => client.invalidateQueries({ queryKey: leadQuery(id).queryKey }),
  })
}

interface FieldChange {
  field: 'status' | 'salesRepId' | 'setterId'
  to: Value
  label: string
  /** How a value of it reads. */
  words: (value: string) => string
}

/** Sets a field of a lead where it stands; where others were quicker, the person says which holds. */
export function useLeadField(lead: LeadResponse) {
  const { mutate, isPending } = useLeadChange(lead)
  const overtaken = useOvertaken()
  const set = ({ field, to, label, words }: FieldChange) => {
    const send = (seen: Value) =>
      mutate({ [field]: to, seen: { [field]: seen } } as LeadPatchBody, {
        onError: (error) => overtaken(error, { field, label, words, again: send }),
      })
    send(lead[field])
  }
  return { set, isPending }
}
