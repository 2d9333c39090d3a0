import { ApiError } from './api-error.ts'
import { type ApiResponse, apiCall, type ItemOf, type ListCall } from './call.ts'
import type { Pages } from './operation.ts'

export type Query = Record<string, unknown>

interface AnyPage {
  data: unknown[]
  next?: string | null
  meta?: { page?: number; per_page?: number; total?: number; next?: string | null }
  page?: number
  remaining?: number
}

/** The query of the page behind this one; null where it is the last. */
function behind(kind: Pages, query: Query, page: AnyPage): Query | null {
  const { meta } = page
  switch (kind) {
    case 'single':
      return null
    case 'legacy':
      return page.data.length > 0 && page.remaining! > 0 ? { ...query, page: page.page! + 1 } : null
    case 'feed':
      // It has a place to go on from at its end too.
      return page.data.length > 0 ? goneOn(query, 'after', page.next!) : null
    case 'numbered':
      // A list of changes goes by its cursor.
      if (meta!.next !== undefined || query['updated_since'] !== undefined)
        return meta!.next ? goneOn(query, 'cursor', meta!.next) : null
      return page.data.length > 0 && meta!.page! * meta!.per_page! < meta!.total!
        ? { ...query, page: meta!.page! + 1 }
        : null
    case 'cursor': {
      const next = page.next ?? meta?.next
      return next ? goneOn(query, 'cursor', next) : null
    }
  }
}

function goneOn(query: Query, name: string, place: string): Query {
  if (query[name] !== place) return { ...query, [name]: place }
  throw new ApiError({
    code: 'unexpected_response',
    message: 'The list does not go on: its next page is the same.',
  })
}

export function listCall<Page>(
  kind: Pages,
  query: Query,
  read: (query: Query) => Promise<ApiResponse<Page>>,
): ListCall<Page> {
  const first = apiCall(read(query))
  async function* pages(): AsyncGenerator<Page> {
    let page: Page = await first
    for (let at: Query | null = query; ; ) {
      yield page
      at = behind(kind, at, page as AnyPage)
      if (!at) return
      page = (await read(at)).data
    }
  }
  async function* items(): AsyncGenerator<ItemOf<Page>> {
    for await (const page of pages()) yield* (page as { data: ItemOf<Page>[] }).data
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items })
}
