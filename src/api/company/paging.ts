import type { FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../../domain/renderings/page.ts'
import { withBaseUrl } from '../../domain/renderings/rendering.ts'
import type { Parts } from '../parts.ts'
import type { ListQuery } from './request-schemas.ts'

const defaultLimit = 50

/** A list's query as the domain takes it, and what its cursors are bound to. */
export function pageRequest(parts: Parts, request: FastifyRequest, list: string) {
  const query = request.query as ListQuery
  const limit = query.limit ?? defaultLimit
  const since = query.updatedSince === undefined ? null : instant(query.updatedSince)
  const productLine = query.productLine ?? null
  const binding = [list, request.caller!.actor.companyId, limit, since?.getTime() ?? null, productLine]
  const page: PageRequest = {
    limit,
    since,
    before: query.cursor === undefined ? null : parts.cursors.read(query.cursor, binding).at,
  }
  return { page, productLine, binding }
}

// An offset can carry a time out of the years that the database's text form has.
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** A comma may stand for the decimal point, and an offset be written without colon or minutes. */
function instant(text: string): Date {
  const time = Date.parse(
    text
      .toUpperCase()
      .replace(',', '.')
      .replace(/(T.*[+-]\d\d)(\d\d)?$/, (_whole, hours: string, minutes = '00') => `${hours}:${minutes}`),
  )
  return new Date(Math.min(Math.max(time, earliest), latest))
}

export function pageBody(parts: Parts, page: Page, binding: readonly unknown[]): string {
  const next =
    page.next === null ? 'null' : `"${parts.cursors.write({ at: page.next, ordinal: 0 }, binding)}"`
  return `{"data":[${withBaseUrl(page.rows, parts.addresses.baseUrl)}],"next":${next}}`
}
