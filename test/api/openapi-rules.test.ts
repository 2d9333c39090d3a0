import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isEventId } from '../../src/domain/journal/events/event-id.ts'
import { isId, newId } from '../../src/platform/ids.ts'
import { root } from '../support/process.ts'

/** What generators of clients and agents need of a description, each by a rule that names what breaks it. */

interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
  format?: string
  examples?: unknown[]
}
interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}
interface Header {
  $ref?: string
  description?: string
}
interface Operation {
  operationId: string
  summary?: string
  tags?: string[]
  parameters?: { name: string; in: string; description?: string; example?: unknown }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<
    string,
    { description: string; headers?: Record<string, Header>; content?: Record<string, Media> }
  >
}
interface Document {
  openapi: string
  info: { title: string; description: string; contact?: { name: string; url: string }; license?: object }
  servers: { url: string }[]
  security: object[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, Header>
    securitySchemes: Record<string, { type: string; scheme: string; description?: string }>
  }
}

const names = ['company-key-api', 'catalogue-api', 'legacy-workflow-api']

for (const name of names) {
  const document: Document = JSON.parse(readFileSync(join(root, `openapi/${name}.json`), 'utf8'))
  const { schemas, headers } = document.components
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
  const told = Object.entries(document.webhooks ?? {}).map(([event, { post }]) => ({
    event,
    operation: post,
  }))
  /** Nothing is found that breaks a rule. */
  const rule = (what: string, broken: () => string[]) =>
    test(`${name}: ${what}`, () => assert.deepEqual(broken(), []))

  rule('it says what it is, where it is served and how to sign in', () => {
    const { openapi, info, servers, security, components } = document
    const found: [boolean, string][] = [
      [openapi.startsWith('3.1.'), 'openapi'],
      [URL.canParse(info.contact?.url ?? '') && Boolean(info.contact?.name), 'info.contact'],
      [Boolean(info.license && info.description && info.title), 'info'],
      [servers.length === 1 && URL.canParse(servers[0]!.url), 'servers'],
      [JSON.stringify(security) === '[{"companyKey":[]}]', 'security'],
      [components.securitySchemes['companyKey']?.scheme === 'bearer', 'security scheme'],
      [Boolean(components.securitySchemes['companyKey']?.description), 'security scheme described'],
    ]
    return found.filter(([holds]) => !holds).map(([, what]) => what)
  })

  rule('operations have a name of their own, a summary, and tags that are described', () => {
    const all = [...operations, ...told].map(({ operation }) => operation)
    const ids = all.map(({ operationId }) => operationId)
    const known = new Set(document.tags.filter(({ description }) => description).map((tag) => tag.name))
    return [
      ...ids.filter((id, i) => ids.indexOf(id) !== i || !/^[a-z][A-Za-z_]+$/.test(id ?? '')),
      ...all.filter((one) => !one.summary || !one.tags?.length).map(({ operationId }) => operationId),
      ...all.flatMap(({ tags = [] }) => tags.filter((tag) => !known.has(tag))),
    ]
  })

  rule('every schema, property and parameter is described', () => [
    ...Object.entries(schemas).flatMap(([schema, one]) => [
      ...(one.description || isSent(schema) ? [] : [schema]),
      ...undescribed(one, schema),
    ]),
    ...operations.flatMap(({ method, path, operation }) =>
      (operation.parameters ?? [])
        .filter((one) => !one.description)
        .map((one) => `${method} ${path} ${one.name}`),
    ),
  ])

  rule('no schema has the name of a class that every language has', () =>
    Object.keys(schemas).filter((one) =>
      ['Error', 'Object', 'Date', 'Map', 'Record', 'Response'].includes(one),
    ),
  )

  rule('bodies have a name, say whether they may be absent, and take nothing that is not described', () =>
    operations.flatMap(({ method, path, operation: { requestBody: body } }) => {
      if (!body) return []
      const media = body.content['application/json']?.schema
      const named = media?.$ref && schemas[media.$ref.split('/').at(-1)!]
      const where = `${method} ${path}`
      return [
        ...(typeof body.required === 'boolean' ? [] : [`${where}: required`]),
        ...(media && !(named && media.$ref!.endsWith('Request')) ? [`${where}: not named`] : []),
        ...(named && [named.type].flat().includes('null') ? [`${where}: null is no body`] : []),
        // Old clients send what they like.
        ...(named && named.additionalProperties !== false && name !== 'legacy-workflow-api'
          ? [`${where}: open`]
          : []),
      ]
    }),
  )

  rule('answers are open to new fields', () => {
    return Object.entries(schemas)
      .filter(([schema]) => !isSent(schema))
      .flatMap(([schema, one]) => closed(one, schema))
  })

  rule('answers describe their headers', () => {
    const described = (header: Header) =>
      Boolean(header.description ?? headers[header.$ref?.split('/').at(-1) ?? '']?.description)
    return operations.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { headers: own = {} }]) => {
        const counted = !['401', '500', '503'].includes(status)
        const needed = [
          'X-Request-Id',
          ...(counted ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
          ...(['429', '503'].includes(status) ? ['Retry-After'] : []),
        ]
        return [
          ...needed.filter((one) => !own[one]),
          ...Object.keys(own).filter((one) => !described(own[one]!)),
        ].map((one) => `${method} ${path} ${status} ${one}`)
      }),
    )
  })

  rule('errors have one shape', () =>
    operations.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => status >= '400')
        .filter(
          ([, { content }]) =>
            content?.['application/json']?.schema.$ref !== '#/components/schemas/ErrorResponse',
        )
        .map(([status]) => `${method} ${path} ${status}`),
    ),
  )

  rule('what is not JSON is binary, and no path is swallowed by another', () => {
    const forms = Object.keys(document.paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
    return [
      ...operations.flatMap(({ path, operation }) =>
        Object.values(operation.responses).flatMap(({ content = {} }) =>
          Object.entries(content)
            .filter(([media, { schema }]) => media !== 'application/json' && schema.format !== 'binary')
            .map(([media]) => `${path} ${media}`),
        ),
      ),
      // A segment is a parameter or none of it is.
      ...forms.filter((form, i) => /[^/]\{\}|\{\}[^/]/.test(form) || forms.indexOf(form) !== i),
    ]
  })

  rule('what is told of an event has a type of its own', () =>
    told.flatMap(({ event, operation }) => {
      const { $ref = '' } = operation.requestBody!.content['application/json']!.schema
      const schema = schemas[$ref.split('/').at(-1)!]
      const { type, data } = schema?.properties ?? {}
      const parts = (data?.allOf ?? []).filter((part) => part.$ref)
      const known = parts.every(({ $ref }) => schemas[$ref!.split('/').at(-1)!])
      return type?.enum?.join() === event && parts.length >= 2 && known ? [] : [event]
    }),
  )

  rule('examples are what the schemas say, with ids as they are', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false })
    ajv.addSchema(document, 'openapi')
    const found = new Map<object, string>()
    for (const [schema, { examples = [] }] of Object.entries(schemas))
      for (const example of examples) found.set(example as object, `schemas/${schema}`)
    for (const { operation } of operations)
      for (const { schema, example } of Object.values(operation.requestBody?.content ?? {}))
        if (schema.$ref && example) found.set(example as object, schema.$ref.replace('#/components/', ''))
    return [
      ...[...found].flatMap(([example, at]) =>
        ajv.validate({ $ref: `openapi#/components/${at}` }, example) ? [] : [`${at}: ${ajv.errorsText()}`],
      ),
      ...[...found].flatMap(([example, at]) => strangeIds(example).map((id) => `${at}: ${id}`)),
      ...operations.flatMap(({ operation: { parameters = [] } }) =>
        parameters.flatMap(({ name: field, example }) => strangeIds({ [field]: example })),
      ),
    ]
  })

  rule('whoever syncs is told to go on from the newest only at the end', () =>
    name === 'legacy-workflow-api' ||
    /until `(meta\.)?next` is null\. Only then/.test(document.info.description)
      ? []
      : ['info.description'],
  )
}

const isSent = (schema: string) => /(Request|Form)$/.test(schema)

function undescribed(schema: Schema, at: string): string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([field, one]) => [
      ...(one.description || one.$ref ? [] : [`${at}.${field}`]),
      ...undescribed(one, `${at}.${field}`),
    ]),
    ...partsOf(schema).flatMap((one) => undescribed(one, at)),
  ]
}

function closed(schema: Schema, at: string): string[] {
  return [
    ...(schema.additionalProperties === false ? [at] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, one]) => closed(one, `${at}.${field}`)),
    ...partsOf(schema).flatMap((one) => closed(one, at)),
  ]
}

function partsOf({ items, allOf = [], anyOf = [] }: Schema): Schema[] {
  return [...(items ? [items] : []), ...allOf, ...anyOf]
}

/** Which ids a field holds, where its name says so. */
const prefixes: Record<string, string> = {
  panel_id: 'pnl',
  installation_id: 'inst',
  invoice_id: 'inv',
  webhook_id: 'we',
  leadId: 'lead',
}
const length = newId('x').length - 2
const alphabet = new RegExp(`^[a-z]+_[0-9a-hj-km-np-tv-z]{${length}}$`)

/** Texts that look like ids and are not made as ours are. */
function strangeIds(value: unknown, field = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => strangeIds(one, field))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, one]) => strangeIds(one, name))
  if (typeof value !== 'string') return []
  const prefix = prefixes[field]
  if (prefix && !isId(value, prefix)) return [value]
  const looksLikeOne = isId(value, value.split('_')[0]!) && /\d/.test(value)
  return looksLikeOne && !alphabet.test(value) && !isEventId(value) ? [value] : []
}
