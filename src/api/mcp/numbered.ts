import Type from 'typebox'
import { optional } from '../http/schema-words.ts'
import { maxRows } from './words.ts'

export const page = optional(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 1,
    description: 'The `next_page` of the answer before',
  }),
)

export const nextPage = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'Send it as `page` for more; null where this is all',
})

/** The fields by which a list is read on that counts its pages. */
export const numberedPaging = {
  limit: optional(
    Type.Integer({ minimum: 1, maximum: maxRows, default: 10, description: 'How many at most' }),
  ),
  page,
}

export function pageAsked({ limit = 10, page: number = 1 }: { limit?: number; page?: number }) {
  const page = { perPage: limit, before: (number - 1) * limit }
  return { page, nextOf: (total: number) => (page.before + limit < total ? number + 1 : null) }
}
