import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PriceResponse } from '../../src/api/console/sales.ts'
import { api } from '../api/client.ts'

const pauseMs = 250

/** What the server at `path` says it comes to. */
export const priceQuery = (path: string, body: object) =>
  queryOptions({
    queryKey: ['items-price', path, body],
    queryFn: ({ signal }) => api.post<PriceResponse>(path, body, { signal }),
    staleTime: 60_000,
    retry: false,
  })

/** The price as somebody fills a form in, asked for once they pause; null where it is not enough for a price. */
export function useItemsPrice(path: string, body: object | null) {
  const wanted = JSON.stringify(body)
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(setAsked, pauseMs, wanted)
    return () => clearTimeout(timer)
  }, [wanted])
  const settled = JSON.parse(asked) as object | null
  const query = useQuery({
    ...priceQuery(path, settled ?? {}),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
  })
  return {
    priced: body === null ? null : (query.data ?? null),
    error: body === null ? null : query.error,
    /** What is shown is of what was filled in before. */
    behind: body !== null && (asked !== wanted || query.isFetching),
  }
}
