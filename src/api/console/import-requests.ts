import Type, { type Static } from 'typebox'
import { maxColumns } from '../../platform/tables/table-bounds.ts'
import { Fields, limitTo, nextPage, textOrNull } from '../http/schema-words.ts'

export const ImportListQuery = Fields({
  after: nextPage('^imp_[0-9a-z]{10,40}$'),
  limit: limitTo(100),
})

export const ImportUploadQuery = Fields({ name: Type.String({ minLength: 1, maxLength: 1_000 }) })
export type ImportUploadQuery = Static<typeof ImportUploadQuery>

export const MappingBody = Fields({
  /** The field of each column, null where it is left out. */
  mapping: Type.Array(textOrNull({ maxLength: 64 }), {
    minItems: 1,
    maxItems: maxColumns,
  }),
})

/** Nothing, or that the new leads of a table that was imported before are wanted once more. */
export const StartBody = Type.Unsafe<{ again?: boolean } | null | undefined>({
  type: ['object', 'null'],
  properties: { again: { type: 'boolean' } },
  additionalProperties: false,
})
