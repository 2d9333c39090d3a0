import { exampleOf, isSent, parameterExample, shownBody } from './example.ts'
import type { Call, Interface, Parameter } from './openapi.ts'

/** Which variable holds the address of an interface. */
const variables: Record<string, string> = {
  company: 'baseUrl',
  catalog: 'catalogBaseUrl',
  legacy: 'legacyBaseUrl',
}

const ofKind = (parameters: Parameter[] = [], kind: Parameter['in']) =>
  parameters.filter((one) => one.in === kind)

function urlOf(api: Interface, call: Call) {
  const { path, parameters } = call
  const host = `{{${variables[api.slug]}}}`
  const parts = path
    .split('/')
    .filter(Boolean)
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'))
  const query = ofKind(parameters, 'query').map((one) => ({
    key: one.name,
    value: parameterExample(one.name, one.example),
    description: one.description ?? '',
    disabled: !isSent(call, one),
  }))
  const asked = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `${host}/${parts.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: [host],
    path: parts,
    query,
    variable: ofKind(parameters, 'path').map(({ name, description = '', example }) => ({
      key: name,
      value: parameterExample(name, example),
      description,
    })),
  }
}

function bodyOf(api: Interface, call: Call) {
  const body = shownBody(api, call)
  if (!body) return {}
  const raw = typeof body.value === 'string' ? body.value : JSON.stringify(body.value, null, 2)
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }
}

function itemOf(api: Interface, call: Call) {
  const body = shownBody(api, call)
  const request = {
    method: call.method,
    header: [
      ...(body ? [{ key: 'Content-Type', value: body.type }] : []),
      ...ofKind(call.parameters, 'header').map(({ name, description = '', example }) => ({
        key: name,
        value: parameterExample(name, example),
        description,
        disabled: true,
      })),
    ],
    ...bodyOf(api, call),
    url: urlOf(api, call),
    description: call.description ?? call.summary,
  }
  const answers = Object.entries(call.responses).flatMap(([status, { description, content }]) => {
    const media = content?.['application/json']
    if (Number(status) >= 300 || !media) return []
    return [
      {
        name: description,
        code: Number(status),
        _postman_previewlanguage: 'json',
        header: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
        body: JSON.stringify(exampleOf(api, media), null, 2),
      },
    ]
  })
  return { id: `${api.slug}-${call.operationId}`, name: call.summary, request, response: answers }
}

/** Every call of every interface as a Postman collection of version 2.1. */
export function postmanCollection(interfaces: Interface[]) {
  return {
    info: {
      name: 'Sunstead',
      description:
        'The company-key, catalogue and legacy workflow APIs. Set the variable `apiKey` to a company key.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      ...interfaces.map(({ slug, baseUrl }) => ({ key: variables[slug], value: baseUrl, type: 'string' })),
      { key: 'apiKey', value: '', type: 'string' },
    ],
    item: interfaces.map((api) => ({
      name: api.name,
      description: api.document.info.description,
      item: api.tags.map(({ name, description, calls }) => ({
        name,
        description,
        item: calls.map((call) => itemOf(api, call)),
      })),
    })),
  }
}
