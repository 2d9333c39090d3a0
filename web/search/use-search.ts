import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SearchResponse } from '../../src/api/console/search.ts'
import { api, query } from '../api/client.ts'

const typingMs = 150

/** What is found for what is typed, asked for once the typing pauses. */
export function useSearch(typed: string) {
  const [q, setQ] = useState(typed.trim())
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => api.get<SearchResponse>(`/search${query({ q })}`, { signal }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  return { q, found }
}
