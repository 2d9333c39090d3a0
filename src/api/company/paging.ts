import type { FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../../domain/deals/renderings/page.ts'
import { type RenderedBytes, renderedBytes } from '../../domain/deals/renderings/rendered-bytes.ts'
import type { Deps } from '../deps.ts'
import { instant } from '../http/instant.ts'
import type { ListQuery } from './request-schemas.ts'

const defaultLimit = 50

/** A list's query as the domain takes it, and what its cursors are bound to. */
export function pageRequest(deps: Deps, request: FastifyRequest, list: string) {
  const query = request.query as ListQuery
  const limit = query.limit ?? defaultLimit
  const since = query.updatedSince === undefined ? null : instant(query.updatedSince)
  const productLine = query.productLine ?? null
  const binding = [list, request.caller!.actor.companyId, limit, since?.getTime() ?? null, productLine]
  const page: PageRequest = {
    limit,
    since,
    before: query.cursor === undefined ? null : deps.cursors.read(query.cursor, binding).at,
  }
  return { page, productLine, binding }
}

export function pageBody(
  deps: Deps,
  page: Page,
  binding: readonly unknown[],
): [string, RenderedBytes, string] {
  const next = page.next === null ? 'null' : `"${deps.cursors.write({ at: page.next, ordinal: 0 }, binding)}"`
  return ['{"data":[', renderedBytes(page.rows, deps.addresses.baseUrl), `],"next":${next}}`]
}
