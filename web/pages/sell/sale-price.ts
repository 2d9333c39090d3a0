import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PriceBody } from '../../../src/api/console/sale-requests.ts'
import type { PriceShown } from '../../../src/api/console/sales.ts'
import { api } from '../../api/client.ts'

const pauseMs = 250

export const priceQuery = (leadId: string, body: PriceBody) =>
  queryOptions({
    queryKey: ['sale-price', leadId, body],
    queryFn: ({ signal }) =>
      api.post<PriceShown>(`/leads/${encodeURIComponent(leadId)}/sale/price`, body, { signal }),
    staleTime: 60_000,
    retry: false,
  })

/** What the server says a sale comes to, asked for once somebody pauses typing. */
export function useSalePrice(leadId: string, body: PriceBody | null) {
  const wanted = JSON.stringify(body)
  const [asked, setAsked] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(setAsked, pauseMs, wanted)
    return () => clearTimeout(timer)
  }, [wanted])
  const settled = JSON.parse(asked) as PriceBody | null
  const query = useQuery({
    ...priceQuery(leadId, settled ?? {}),
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
