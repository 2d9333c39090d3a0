/** What the SDK has to know of each operation, from a description of an interface. */
import { pascal, type Schema } from './schema.ts'

export interface Interface {
  name: 'company' | 'catalog' | 'legacy'
  document: string
  /** Whether methods stand in groups, by the first part of their address. */
  grouped: boolean
}

export const interfaces: readonly Interface[] = [
  { name: 'company', document: 'company-key-api', grouped: true },
  { name: 'catalog', document: 'catalogue-api', grouped: true },
  { name: 'legacy', document: 'legacy-workflow-api', grouped: false },
]

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

interface DescribedOperation {
  operationId: string
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>
  webhooks?: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>
  components: { schemas: Record<string, Schema> }
}

export type Pages = 'cursor' | 'numbered' | 'feed' | 'legacy' | 'single'

export interface Operation {
  id: string
  /** Where it stands in the client: `leads.list`. */
  name: string
  method: string
  path: string
  summary: string
  description: string | undefined
  pathParameters: string[]
  query: Parameter[]
  /** The schema of a JSON body. */
  body: { schema: string; required: boolean; also: 'files' | 'lines' | null } | null
  answer: { kind: 'json'; schema: string } | { kind: 'none' } | { kind: 'file' }
  pages: Pages | null
  repeat: 'always' | 'keyed' | 'matched'
  /** Whether a single read has a tag, or a change takes one. */
  headers: Set<string>
}

export function operationsOf(described: Interface, document: Described): Operation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(described, document, path, method.toUpperCase(), operation),
    ),
  )
  const names = new Set(operations.map(({ name }) => name))
  if (names.size < operations.length) throw new Error(`two operations of ${described.name} have one name`)
  return operations.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function operationOf(
  described: Interface,
  document: Described,
  path: string,
  method: string,
  operation: DescribedOperation,
): Operation {
  const { operationId: id, parameters = [], requestBody } = operation
  const query = parameters.filter((one) => one.in === 'query')
  if (query.length > 0 && requestBody) throw new Error(`${id} takes a query and a body`)
  const headers = new Set(parameters.filter((one) => one.in === 'header').map(({ name }) => name))
  const answer = answerOf(id, operation)
  return {
    id,
    name: nameOf(described, path, id),
    method,
    path,
    summary: operation.summary,
    description: operation.description,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
    query,
    body: requestBody ? bodyOf(id, requestBody) : null,
    answer,
    pages: /^(list|fetch_all_)/.test(id) ? pagesOf(id, query, document, answer) : null,
    repeat: repeatOf(id, method, headers, Object.keys(document.paths[path]!)),
    headers,
  }
}

/** Words that everybody expects, for those of the descriptions. */
const verbs: Record<string, string> = { read: 'get', change: 'update' }
const wordsOf = (id: string) =>
  id
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .split(/[ _]/)
const camel = (words: string[]) => words.map((word, i) => (i === 0 ? word : pascal(word))).join('')

/** `listLeads` of `/v1/leads` is `leads.list`: what the group says is not said again. */
function nameOf({ grouped }: Interface, path: string, id: string): string {
  const [verb = '', ...rest] = wordsOf(id)
  if (!grouped) return camel([verb, ...rest])
  const group = path.split('/')[2]!
  if (verb === group) return `${group}.${camel(rest)}`
  const singular = group.replace(/s$/, '')
  const words = rest[0] === group || rest[0] === singular ? rest.slice(1) : rest
  return `${group}.${camel([verbs[verb] ?? verb, ...words])}`
}

function bodyOf(id: string, { content, required = false }: NonNullable<DescribedOperation['requestBody']>) {
  const schema = content['application/json']?.schema?.$ref
  if (!schema) throw new Error(`${id} takes no JSON that has a name`)
  const also = content['multipart/form-data'] ? 'files' : content['application/x-ndjson'] ? 'lines' : null
  return { schema: pascal(schema.split('/').at(-1)!), required, also } as const
}

function answerOf(id: string, { responses }: DescribedOperation): Operation['answer'] {
  const done = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = done.flatMap(([, { content }]) => Object.entries(content ?? {}))
  if (contents.length === 0) return { kind: 'none' }
  if (contents.some(([type]) => type !== 'application/json')) return { kind: 'file' }
  const schemas = new Set(contents.map(([, { schema }]) => schema?.$ref))
  const [schema] = schemas
  if (schemas.size !== 1 || !schema) throw new Error(`${id} answers no JSON that has one name`)
  return { kind: 'json', schema: pascal(schema.split('/').at(-1)!) }
}

function pagesOf(id: string, query: Parameter[], document: Described, answer: Operation['answer']): Pages {
  const takes = new Set(query.map(({ name }) => name))
  if (takes.has('after')) return 'feed'
  const schema = Object.entries(document.components.schemas).find(
    ([name]) => answer.kind === 'json' && pascal(name) === answer.schema,
  )?.[1]
  const { data, meta, next, remaining } = schema?.properties ?? {}
  if (data?.type !== 'array') throw new Error(`${id} lists nothing`)
  if (takes.has('page') && meta) return 'numbered'
  if (takes.has('page') && remaining) return 'legacy'
  if (takes.has('cursor') && (next || meta?.properties?.['next'])) return 'cursor'
  if (takes.has('page') || takes.has('cursor')) throw new Error(`${id} is paged in a way of its own`)
  return 'single'
}

/**
 * When a call may be sent again though it may have been done (decision 43). What is deleted by an id of its own stays
 * deleted; what can be set again under the same address is like a change.
 */
function repeatOf(id: string, method: string, headers: Set<string>, methods: string[]): Operation['repeat'] {
  if (method === 'GET') return 'always'
  if (method === 'POST') {
    if (!headers.has('idempotency-key')) throw new Error(`${id} takes no Idempotency-Key`)
    return 'keyed'
  }
  return method === 'DELETE' && !methods.includes('put') ? 'always' : 'matched'
}
