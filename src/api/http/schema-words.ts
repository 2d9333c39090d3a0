import Type, { type TSchema } from 'typebox'

/** An answer's object: nothing but these, all of them there. */
export const Answer = (properties: Record<string, TSchema>, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const orNull = (schema: TSchema, description?: string) =>
  Type.Unsafe({ ...orNullType(schema), ...(description ? { description } : {}) })
function orNullType(schema: TSchema): object {
  const plain = schema as { type?: string; enum?: unknown[] }
  if (plain.type && !plain.enum) return { ...schema, type: [plain.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
export const oneOf = (values: readonly string[], options: object = {}) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], ...options })
export const text = (description?: string) => Type.String(description ? { description } : {})
export const timestamp = (description?: string) =>
  Type.String({ format: 'date-time', ...(description ? { description } : {}) })
export const number = (description?: string) => Type.Number(description ? { description } : {})
export const ref = (name: string) => Type.Unsafe({ $ref: `${name}#` })
export const refOrNull = (name: string, description?: string) =>
  Type.Unsafe({ anyOf: [{ $ref: `${name}#` }, { type: 'null' }], ...(description ? { description } : {}) })
