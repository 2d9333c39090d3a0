import { readFileSync } from 'node:fs'

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  contentMediaType?: string
  'x-message'?: string
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}

interface Document {
  info: { title: string; summary: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

/** An operation with where it is: `method` in capitals, `path` without the interface's address. */
export interface Call extends Operation {
  method: string
  path: string
}

export interface Interface {
  /** The last part of its pages' address. */
  slug: string
  name: string
  document: Document
  /** Where it is by default; the server writes its own address over it when it sends a page. */
  baseUrl: string
  tags: { name: string; slug: string; description: string; calls: Call[] }[]
}

const files = [
  { slug: 'company', name: 'Company-key API', file: 'company-key-api.json' },
  { slug: 'catalog', name: 'Catalogue API', file: 'catalogue-api.json' },
  { slug: 'legacy', name: 'Legacy workflow API', file: 'legacy-workflow-api.json' },
]

export const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** The interfaces as openapi/ describes them, which the checks compare with the routes. */
export function readInterfaces(): Interface[] {
  return files.map(({ slug, name, file }) => {
    const document: Document = JSON.parse(
      readFileSync(new URL(`../openapi/${file}`, import.meta.url), 'utf8'),
    )
    const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path })),
    )
    const tags = document.tags.map((tag) => ({
      ...tag,
      slug: slugOf(tag.name),
      calls: calls.filter((call) => call.tags.includes(tag.name)),
    }))
    return { slug, name, document, baseUrl: document.servers[0]!.url, tags }
  })
}

export const refName = ($ref: string) => $ref.split('/').at(-1)!

export function resolved(api: Interface, schema: Schema): Schema {
  return schema.$ref ? api.document.components.schemas[refName(schema.$ref)]! : schema
}
