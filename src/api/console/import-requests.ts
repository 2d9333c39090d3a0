import Type, { type Static, type TSchema } from 'typebox'
import { mostColumns } from '../../platform/tables/table-bounds.ts'

const Fields = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

export const ImportParams = Type.Object({ id: Type.String() })

export const ImportListQuery = Fields({
  after: Type.Optional(
    Type.String({
      pattern: '^imp_[0-9a-z]{10,40}$',
      'x-message': 'must be the "next" of the page before, as it is',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})
export type ImportListQuery = Static<typeof ImportListQuery>

export const ImportUploadQuery = Fields({ name: Type.String({ minLength: 1, maxLength: 1_000 }) })
export type ImportUploadQuery = Static<typeof ImportUploadQuery>

export const MappingBody = Fields({
  /** The field of each column, null where it is left out. */
  mapping: Type.Array(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 64 }), {
    minItems: 1,
    maxItems: mostColumns,
  }),
})
export type MappingBody = Static<typeof MappingBody>

/** Nothing, or that the new leads of a table that was imported before are wanted once more. */
export const StartBody = Type.Unsafe<{ again?: boolean } | null | undefined>({
  type: ['object', 'null'],
  properties: { again: { type: 'boolean' } },
  additionalProperties: false,
})
export type StartBody = Static<typeof StartBody>
