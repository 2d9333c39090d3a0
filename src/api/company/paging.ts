import type { FastifyRequest } from 'fastify'
import type { LookedPage } from '../../domain/deals/renderings/looked-page.ts'
import type { Page, PageRequest } from '../../domain/deals/renderings/page.ts'
import { type RenderedBytes, renderedBytes } from '../../domain/deals/renderings/rendered-bytes.ts'
import { withBaseUrl } from '../../domain/deals/renderings/rendering.ts'
import type { Deps } from '../deps.ts'
import { instant } from '../http/instant.ts'
import type { PagingQuery } from './list-requests.ts'

const defaultLimit = 50
const pagingFields = new Set(['limit', 'cursor', 'updatedSince', 'productLine', 'order'])

/** A list's query as the domain takes it, and what its cursors are bound to; `filtered`: it asks for more than a page. */
export function pageRequest(deps: Deps, request: FastifyRequest, list: string) {
  const query = request.query as PagingQuery
  const limit = query.limit ?? defaultLimit
  const since = query.updatedSince === undefined ? null : instant(query.updatedSince)
  const productLine = query.productLine ?? null
  const ascending = query.order === 'asc'
  const binding = [list, request.caller!.actor.companyId, limit, since?.getTime() ?? null, productLine]
  if (ascending) binding.push('asc')
  const others = Object.entries(query).filter(([name]) => !pagingFields.has(name))
  if (others.length > 0) binding.push(JSON.stringify(others.sort()))
  const page: PageRequest = {
    limit,
    since,
    ascending,
    after: query.cursor === undefined ? null : deps.cursors.read(query.cursor, binding).at,
  }
  return { page, productLine, binding, filtered: others.length > 0 }
}

export function pageBody(
  deps: Deps,
  { rows, next }: Page | LookedPage,
  binding: readonly unknown[],
): (string | RenderedBytes)[] {
  const { baseUrl } = deps.addresses
  const cursor = next === null ? 'null' : `"${deps.cursors.write({ at: next, ordinal: 0 }, binding)}"`
  const data = typeof rows === 'string' ? withBaseUrl(rows, baseUrl) : renderedBytes(rows, baseUrl)
  return ['{"data":[', data, `],"next":${cursor}}`]
}
