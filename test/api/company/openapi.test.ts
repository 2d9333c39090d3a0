import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'

const app = await startApp()
const { body: document, status, headers } = await app.send('GET', '/v1/openapi.json')

const operations = [
  'DELETE /v1/projects/{id}/files/{fileId}',
  'GET /v1/adders',
  'GET /v1/equipment',
  'GET /v1/events',
  'GET /v1/leads',
  'GET /v1/leads/{id}',
  'GET /v1/leads/{id}/activities',
  'GET /v1/me',
  'GET /v1/members',
  'GET /v1/projects',
  'GET /v1/projects/{id}',
  'GET /v1/projects/{id}/checklist',
  'GET /v1/projects/{id}/files',
  'GET /v1/stages',
  'PATCH /v1/leads/{id}',
  'PATCH /v1/projects/{id}',
  'POST /v1/batch/leads',
  'POST /v1/leads',
  'POST /v1/leads/{id}/activity',
  'POST /v1/leads/{id}/sale',
  'POST /v1/projects/{id}/files',
  'POST /v1/projects/{id}/stage',
]

interface Operation {
  operationId: string
  responses: Record<string, { content: Record<string, { schema: object }> }>
  security?: object[]
}
const described = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const prefix = new URL(document.servers[0].url).pathname.replace(/\/$/, '')

test('the description is OpenAPI 3.1, open without a key, and lists exactly the operations there are', () => {
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.match(document.openapi, /^3\.1\./)
  assert.deepEqual(described.map(({ method, path }) => `${method} ${prefix}${path}`).sort(), operations)
  assert.equal(new Set(described.map((d) => d.operation.operationId)).size, operations.length)
})

test('each described address is one that is served, behind a key', async () => {
  assert.equal(new URL(document.servers[0].url).origin, app.url)
  for (const { method, path } of described) {
    assert.equal(
      (await app.call(method, prefix + path.replace('{id}', 'x'))).status,
      401,
      `${method} ${path}`,
    )
  }
})

test('each operation describes its errors by one shape, in JSON', () => {
  const expected: Record<string, string[]> = {
    'GET /v1/me': ['200'],
    'POST /v1/leads': ['200', '201'],
    'POST /v1/leads/{id}/activity': ['201'],
    'POST /v1/leads/{id}/sale': ['200', '201'],
    'DELETE /v1/projects/{id}/files/{fileId}': ['204'],
    'POST /v1/projects/{id}/files': ['200', '201'],
  }
  for (const { method, path, operation } of described) {
    const name = `${method} ${prefix}${path}`
    const statuses = Object.keys(operation.responses)
    assert.deepEqual(
      statuses.filter((s) => s < '300'),
      expected[name] ?? ['200'],
      name,
    )
    for (const needed of ['401', '429', '500', '503', ...(path.includes('{id}') ? ['404'] : [])]) {
      assert.ok(statuses.includes(needed), `${name} ${needed}`)
    }
    for (const [code, { content }] of Object.entries(operation.responses)) {
      if (code === '204' || code === '304') continue
      assert.deepEqual(Object.keys(content), ['application/json'])
      if (code >= '400') assert.match(JSON.stringify(content), /schemas\/ErrorResponse"/)
    }
  }
})

test('every reference in it leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((m) => m[1]!)
  assert.ok(references.length > 20)
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce((at, part) => at?.[part.replaceAll('~1', '/')], document)
    assert.equal(typeof found, 'object', reference)
  }
})
