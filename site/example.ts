import {
  type Call,
  type Interface,
  type Media,
  type Parameter,
  refName,
  resolved,
  type Schema,
} from './openapi.ts'

const texts: Record<string, string> = {
  'date-time': '2026-10-14T21:05:40.117Z',
  date: '2026-10-14',
  uri: 'https://example.com/',
}

/** What an answer or a body may look like: what the description shows, else what its schema says. */
export function exampleOf(api: Interface, { schema, example, examples }: Media): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value ?? exampleOfSchema(api, schema)
}

function exampleOfSchema(api: Interface, given: Schema, name = '', within: string[] = []): unknown {
  const schema = resolved(api, given)
  if (schema.examples) return schema.examples[0]
  if (given.$ref && within.includes(given.$ref)) return null
  const inside = given.$ref ? [...within, given.$ref] : within
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice) return exampleOfSchema(api, choice, name, inside)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => exampleOfSchema(api, part, name, inside)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {})
    return Object.fromEntries(fields.map(([key, one]) => [key, exampleOfSchema(api, one, key, inside)]))
  }
  if (type === 'array') return schema.items ? [exampleOfSchema(api, schema.items, name, inside)] : []
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'string') return texts[schema.format ?? ''] ?? legacyText(name)
  return null
}

/** The legacy API's fields are all texts, whatever they hold. */
function legacyText(name: string): string {
  if (/date/i.test(name)) return '10/14/2026'
  if (/email/i.test(name)) return 'ada@example.com'
  if (/url|file/i.test(name)) return 'https://example.com/'
  if (/phone/i.test(name)) return '+16195550100'
  if (/^(id|project_id|lead_id|leaduid|reference)$/i.test(name)) return 'Xb93kQ7LmZ'
  if (/price|cost|amount|payment|total/i.test(name)) return '12,345.67'
  if (/first/i.test(name)) return 'Ada'
  if (/last/i.test(name)) return 'Moreno'
  return ''
}

const queryExamples: Record<string, string> = {
  id: 'Xb93kQ7LmZ',
  org_id: '1001',
  installer_id: '1001',
  page: '1',
  project_stage_name: 'Permitting',
  start_date: '2026-01-01',
  end_date: '2026-12-31',
}

export const parameterExample = (name: string, example: unknown): string =>
  String(example ?? queryExamples[name] ?? '')

/** Of calls that need one of several fields, the one that is shown. */
const chosen: Record<string, string> = { listReadings: 'installation_id' }

/** Whether an example sends a field of the query. */
export const isSent = ({ operationId }: Call, { name, required = false }: Parameter) =>
  required || chosen[operationId] === name

/** The address of a call with made-up ids and what it must be given. */
export function exampleAddress(api: Interface, call: Call): string {
  const { path, parameters = [] } = call
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    parameterExample(name, parameters.find((one) => one.in === 'path' && one.name === name)?.example),
  )
  const query = parameters
    .filter((one) => one.in === 'query' && isSent(call, one))
    .map(({ name, example }) => `${name}=${encodeURIComponent(parameterExample(name, example))}`)
  return `${api.baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** The body that is shown first: JSON where the call takes it. */
export function shownBody(api: Interface, { requestBody }: Call): { type: string; value: unknown } | null {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return type && media ? { type, value: exampleOf(api, media) } : null
}

/** The call as a command of a shell. The key is taken from the environment, so that it stands in no history. */
export function curlOf(api: Interface, call: Call): string {
  const body = shownBody(api, call)
  const method = call.method === 'GET' || (call.method === 'POST' && body) ? '' : ` -X ${call.method}`
  const parts = [
    `curl -s${method} "${exampleAddress(api, call)}"`,
    '-H "Authorization: Bearer $SUNSTEAD_KEY"',
    ...(body
      ? [
          `-H "Content-Type: ${body.type}"`,
          `-d '${JSON.stringify(body.value, null, 2).replaceAll("'", `'\\''`)}'`,
        ]
      : []),
  ]
  return parts.join(' \\\n  ')
}

/** The name of the schema that an answer or body is, where it has one. */
export function schemaName({ schema }: Media): string | null {
  return schema.$ref ? refName(schema.$ref) : null
}
