import Type, { type Static, type TSchema } from 'typebox'
import { Answer, ref } from '../http/schema-words.ts'

const positiveInteger = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }))

/** The fields by which a list is asked for, page by page. */
export const pageFields = {
  page: positiveInteger(999_999_999, 'Pages are counted from 1'),
  per_page: positiveInteger(100, 'Records a page; 20 when absent'),
}
const PageQuery = Type.Object(pageFields)

export interface PageWanted {
  page: number
  perPage: number
  /** How many records come before it. */
  before: number
}

export function pageWanted({ page = 1, per_page = 20 }: Static<typeof PageQuery>): PageWanted {
  return { page, perPage: per_page, before: (page - 1) * per_page }
}

/** A list's envelope around its records, which are JSON already. */
export function listBody({ page, perPage }: PageWanted, records: string, total: number): string[] {
  return ['{"data":[', records, `],"meta":{"page":${page},"per_page":${perPage},"total":${total}}}`]
}

export function listSchema(name: string, item: string): TSchema {
  return Answer(
    {
      data: Type.Array(ref(item)),
      meta: Answer({ page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() }),
    },
    { $id: name },
  )
}
