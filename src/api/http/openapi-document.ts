type Paths = Record<string, Record<string, Operation>>

interface Operation {
  operationId: string
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> } | undefined
  responses: Record<string, { headers?: Record<string, object> }>
}

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, unknown>
}

const header = (type: string, description: string, rest: object = {}) => ({
  description,
  schema: { type, ...rest },
})
const count = { minimum: 0 }

/** Headers that answers of all operations share. */
const sharedHeaders: Record<string, object> = {
  'X-Request-Id': header('string', 'Names this call when you report it; a sane one that you sent is kept'),
  'Retry-After': header('integer', 'Seconds after which to retry', { minimum: 1 }),
  'RateLimit-Limit': header('integer', 'How many calls the key may make in any 60 seconds', count),
  'RateLimit-Remaining': header('integer', 'How many of these are left', count),
  'RateLimit-Reset': header('integer', 'Seconds after which all of them are', count),
}
const limitHeaders = Object.keys(sharedHeaders).filter((name) => name.startsWith('RateLimit-'))
/** Given before the key is known, or when nothing is. */
const uncounted = ['401', '500', '503']

/**
 * What is written into a description beyond what the routes say of themselves: it names the bodies of requests, says which may
 * be absent, and describes the headers of every answer, so that whoever generates a client from the description has types for all of it.
 */
export function finished(paths: Paths, components: object = {}): { paths: Paths; components: object } {
  const schemas: Record<string, Schema> = 'schemas' in components ? { ...(components.schemas as object) } : {}
  const described = mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      ...namedBody(operation, schemas),
      responses: mapValues(operation.responses, (response, status) => ({
        ...response,
        headers: headersOf(status, response.headers ?? {}),
      })),
    })),
  )
  return { paths: described, components: { ...components, schemas, headers: sharedHeaders } }
}

function namedBody(
  { operationId, requestBody }: Operation,
  schemas: Record<string, Schema>,
): { requestBody?: Operation['requestBody'] } {
  if (!requestBody) return {}
  const content = mapValues(requestBody.content, (media, type) => {
    if (media.schema.properties === undefined) return media
    const kind = type === 'application/json' ? 'Request' : 'Form'
    const name = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}${kind}`
    schemas[name] = withoutNull(media.schema)
    return { ...media, schema: { $ref: `#/components/schemas/${name}` } }
  })
  const sent = Object.values(requestBody.content)
  // What takes no field needs no body.
  if (sent.every(({ schema }) => schema.properties && Object.keys(schema.properties).length === 0)) {
    for (const { schema } of Object.values(content)) delete schemas[schema.$ref!.split('/').at(-1)!]
    return { requestBody: undefined }
  }
  return {
    requestBody: { ...requestBody, required: !sent.some(({ schema }) => isOptional(schema)), content },
  }
}

const isOptional = ({ type }: Schema) => Array.isArray(type) && type.includes('null')

function withoutNull(schema: Schema): Schema {
  return isOptional(schema) ? { ...schema, type: 'object' } : schema
}

function headersOf(status: string, own: Record<string, object>): Record<string, object> {
  const limits = uncounted.includes(status) ? [] : limitHeaders
  const names = [...Object.keys(own), 'X-Request-Id', ...limits]
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      name in sharedHeaders ? { $ref: `#/components/headers/${name}` } : own[name]!,
    ]),
  )
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
