import Type, { type Static, type TSchema } from 'typebox'
import { countedChanges } from '../../domain/kernel/changed-lists.ts'
import { Answer, orNull, ref, text } from '../http/schema-words.ts'

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

/** A list's envelope around its records, which are JSON already; `next` is where a list of changes goes on. */
export function listBody(
  { page, perPage }: PageWanted,
  records: string,
  total: number,
  next?: string | null,
): string[] {
  const place = next === undefined ? '' : `,"next":${JSON.stringify(next)}`
  return ['{"data":[', records, `],"meta":{"page":${page},"per_page":${perPage},"total":${total}${place}}}`]
}

const meta = {
  page: Type.Integer({ minimum: 1, description: 'The number of this page' }),
  per_page: Type.Integer({ minimum: 1, description: 'How many records a page has' }),
  total: Type.Integer({ minimum: 0, description: 'How many records the list has' }),
}

export function listSchema(name: string, item: string): TSchema {
  return Answer(
    {
      data: Type.Array(ref(item), { description: 'The records of this page' }),
      meta: Answer(meta, { description: 'Where in the list the page is' }),
    },
    { $id: name, description: 'A page of a list' },
  )
}

/** Of a list that can also be asked for what changed. */
export function changesSchema(name: string, item: string): TSchema {
  return Answer(
    {
      data: Type.Array(ref(item), { description: 'The records of this page' }),
      meta: Answer(
        {
          ...meta,
          total: Type.Integer({
            minimum: 0,
            description: `How many records the list has; with \`updated_since\` counted among the first ${countedChanges} changes`,
          }),
          next: Type.Optional(
            orNull(
              text(),
              'With `updated_since`: the `cursor` of the next page; null when there are no more. A page that is narrowed by other fields may have few records, or none, before that',
            ),
          ),
        },
        { description: 'Where in the list the page is' },
      ),
    },
    { $id: name, description: 'A page of a list' },
  )
}
