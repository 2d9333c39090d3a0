import Type, { type TSchema } from 'typebox'

/** An object: nothing but these fields. */
export const Fields = <T extends Record<string, TSchema>>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })
export const optional = Type.Optional

/** An answer's object: all of them are there, and others may join them. */
export const Answer = (properties: Record<string, TSchema>, options: object = {}): TSchema =>
  Type.Object(properties, { ...options })

export const IdParams = Type.Object({ id: Type.String() })

export const NoQuery = Fields({})

/** An action without fields: no body at all, or an empty object. */
export const NoBody = Type.Unsafe<undefined>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
})

/** Where the page begins. */
export const nextPage = (pattern: string) =>
  optional(Type.String({ pattern, 'x-message': 'must be the "next" of the page before, as it is' }))
export const limitTo = (maximum: number) => optional(Type.Integer({ minimum: 1, maximum }))

export const orNull = (schema: TSchema, description?: string) =>
  Type.Unsafe({ ...orNullType(schema), ...(description ? { description } : {}) })
function orNullType(schema: TSchema): object {
  const plain = schema as { type?: string; enum?: unknown[] }
  if (plain.type && !plain.enum) return { ...schema, type: [plain.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
export const oneOf = <T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })
export const textOrNull = (options: object) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })
export const text = (description?: string) => Type.String(description ? { description } : {})
export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })
export const number = (description?: string) => Type.Number(description ? { description } : {})
export const ref = (name: string) => Type.Unsafe({ $ref: `${name}#` })
export const refOrNull = (name: string, description?: string) =>
  Type.Unsafe({ anyOf: [{ $ref: `${name}#` }, { type: 'null' }], ...(description ? { description } : {}) })
