import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ConcernedResponse, PrivacyResponse, RetentionResponse } from '../../src/api/console/privacy.ts'
import { api } from '../api/client.ts'

export type { PrivacyResponse, RetentionResponse }

export const privacyQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['privacy', leadId],
    queryFn: ({ signal }) => api.get<PrivacyResponse>(`/leads/${leadId}/privacy`, { signal }),
  })

export const archiveAddress = (leadId: string, others: boolean) =>
  `/console/api/leads/${leadId}/privacy/archive${others ? '?others=yes' : ''}`

/** What shows something of a customer is asked for again. */
export function useErased(leadId: string): () => Promise<unknown> {
  const client = useQueryClient()
  const keys = [
    ['lead', leadId],
    ['privacy', leadId],
    ['activities', leadId],
    ['leads'],
    ['project'],
    ['board'],
  ]
  return () =>
    Promise.all([...keys, ['calendar'], ['home']].map((queryKey) => client.invalidateQueries({ queryKey })))
}

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => api.get<RetentionResponse>('/retention', { signal }),
})

export type Lengths = Pick<RetentionResponse, 'unsoldMonths' | 'mailMonths' | 'requestDays'>

export const concernedQuery = (lengths: Lengths) =>
  queryOptions({
    queryKey: ['retention-preview', lengths],
    queryFn: ({ signal }) => api.post<ConcernedResponse>('/retention/preview', lengths, { signal }),
    retry: false,
  })

const pauseMs = 300

/** How many a rule would concern, asked for once the typing pauses. */
export function useConcerned(lengths: Lengths) {
  const wanted = JSON.stringify(lengths)
  const [text, setText] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(setText, pauseMs, wanted)
    return () => clearTimeout(timer)
  }, [wanted])
  const asked = JSON.parse(text) as Lengths
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...concernedQuery(asked),
    placeholderData: keepPreviousData,
  })
  return { data, error, isPlaceholderData, isCurrent: text === wanted && !isFetching }
}
