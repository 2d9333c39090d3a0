import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BoardResponse, CardsResponse, ColumnResponse } from '../../../src/api/console/board.ts'
import { api, query } from '../../api/client.ts'

export interface BoardFilters {
  line?: string | undefined
  search?: string | undefined
  rep?: string | undefined
  company?: string | undefined
  late?: string | undefined
  sort?: string | undefined
}

const maxAtOnce = 100

async function moreCards(column: ColumnResponse, filters: BoardFilters, limit: number, signal?: AbortSignal) {
  const { line: _line, ...rest } = filters
  const path = `/board/${column.stage.id}${query({ ...rest, after: column.next, limit })}`
  const { cards, next } = await api.get<CardsResponse>(path, signal ? { signal } : {})
  const known = new Set(column.cards.map(({ id }) => id))
  return { ...column, cards: [...column.cards, ...cards.filter(({ id }) => !known.has(id))], next }
}

/** The board under filters. Fetched again, each column is as long as it was, so that nobody loses their place. */
export function boardQuery(filters: BoardFilters) {
  const key = ['board', filters] as const
  return queryOptions({
    queryKey: key,
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<BoardResponse>(key)
      const board = await api.get<BoardResponse>(`/board${query({ ...filters })}`, { signal })
      const columns = board.columns.map(async (first) => {
        const length = before?.columns.find(({ stage }) => stage.id === first.stage.id)?.cards.length ?? 0
        let column = first
        while (column.next && column.cards.length < length) {
          const missing = Math.min(maxAtOnce, length - column.cards.length)
          const longer = await moreCards(column, filters, missing, signal)
          if (longer.cards.length === column.cards.length) break
          column = longer
        }
        return column
      })
      return { columns: await Promise.all(columns) }
    },
  })
}

export function useBoard(filters: BoardFilters) {
  return useQuery({
    ...boardQuery(filters),
    // While the answer to other filters is on its way; another product line has other columns.
    placeholderData: (before, of) => (of?.queryKey[1].line === filters.line ? before : undefined),
  })
}

/** A column with its next cards; null where there are none. */
export async function lengthen(
  column: ColumnResponse,
  filters: BoardFilters,
): Promise<ColumnResponse | null> {
  return column.next ? moreCards(column, filters, maxAtOnce / 4) : null
}
