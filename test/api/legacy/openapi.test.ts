import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, project } from '../../support/factories.ts'
import { startHttpsServer } from '../../support/https-server.ts'
import { legacyOperations, requiredFields } from '../../support/legacy-operations.ts'
import { png } from '../../support/sample-files.ts'

const outside = await startHttpsServer((_request, response) => response.end(png))
const app = await startApp({
  env: { OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}` },
  outside: { ca: outside.ca },
})
after(() => outside.close())
const { body: document, status, headers } = await app.send('GET', '/legacy/openapi.json')

const operations = [
  'GET /fetch_all_adders',
  'GET /fetch_all_inverter',
  'GET /fetch_all_lead',
  'GET /fetch_all_lead_hi',
  'GET /fetch_all_lead_hi_installer',
  'GET /fetch_all_lead_installer',
  'GET /fetch_all_panel',
  'GET /fetch_all_project',
  'GET /fetch_all_project_hi',
  'GET /fetch_all_project_installer',
  'GET /fetch_all_project_installer_hi',
  'GET /fetch_lead',
  'GET /fetch_lead_hi',
  'GET /fetch_project',
  'GET /fetch_project_hi',
  'POST /create-lead',
  'POST /create_activity',
  'POST /create_activity_hi',
  'POST /create_project',
  'POST /project_upload_file',
  'POST /project_upload_file_hi',
  'POST /update_lead',
  'POST /update_stage',
  'POST /update_stage_hi',
]

interface Operation {
  operationId: string
  parameters?: { in: string; name: string; required: boolean; example?: string }[]
  requestBody?: {
    content: { 'application/json': { schema: { $ref: string }; example: Record<string, unknown> } }
  }
  responses: Record<string, { content: Record<string, { schema: object }> }>
}
interface BodySchema {
  required: string[]
  properties: Record<string, object>
  additionalProperties?: boolean
}
interface Description {
  paths: Record<string, Record<string, Operation>>
}
const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
const described = operationsOf(document)

test('the description is OpenAPI 3.1, open without a key, and lists exactly the 24 operations', async () => {
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  assert.match(document.openapi, /^3\.1\./)
  assert.deepEqual(described.map(({ method, path }) => `${method} ${path}`).sort(), operations)
  assert.equal(new Set(described.map((d) => d.operation.operationId)).size, 24)
  const wrongKey = { key: 'psk_0000000000000000000000000000000000000000' }
  assert.equal((await app.send('GET', '/legacy/openapi.json', wrongKey)).status, 200)
  assert.deepEqual(document.security, [{ companyKey: [] }])
})

test('each described address is one that is served under the described server, behind a key', async () => {
  assert.equal(document.servers.length, 1)
  assert.equal(document.servers[0].url, `${app.url}/legacy`)
  for (const { method, path } of described) {
    const { pathname } = new URL(document.servers[0].url + path)
    assert.equal((await app.call(method, pathname)).status, 401, `${method} ${path}`)
  }
})

test('the described server is LEGACY_BASE_URL, wherever that is; the paths are the same', async () => {
  const servers: [Record<string, string>, string][] = [
    [{ LEGACY_BASE_URL: 'https://legacy.example.com' }, 'https://legacy.example.com'],
    [{ LEGACY_BASE_URL: 'https://example.com/workflow/v2/' }, 'https://example.com/workflow/v2'],
    [{ BASE_URL: 'https://sunstead.example.com' }, 'https://sunstead.example.com/legacy'],
    [{ BASE_URL: 'https://a.example.com', LEGACY_BASE_URL: 'http://b.example.com' }, 'http://b.example.com'],
  ]
  for (const [env, url] of servers) {
    const elsewhere = await startApp({ database: app.database, env })
    const { body } = await elsewhere.send('GET', '/legacy/openapi.json')
    const company = await elsewhere.send('GET', '/v1/openapi.json')
    await elsewhere.stop()
    assert.deepEqual(
      body.servers.map((server: { url: string }) => server.url),
      [url],
    )
    assert.deepEqual(body.paths, document.paths)
    assert.equal(company.body.servers[0].url.startsWith(env.BASE_URL ?? elsewhere.url), true)
  }
})

test('each operation describes the fields that it takes, and which of them it needs', () => {
  for (const { method, path, operation } of described) {
    const known = legacyOperations.find((one) => one.method === method && one.path === `/legacy${path}`)!
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
    const named = operation.requestBody?.content['application/json'].schema.$ref.split('/').at(-1)
    const body: BodySchema | undefined = named && document.components.schemas[named]
    const names = body ? Object.keys(body.properties) : query.map(({ name }) => name)
    const needed = body ? body.required : query.filter(({ required }) => required).map(({ name }) => name)
    assert.equal(known.in, body ? 'body' : 'query', path)
    assert.deepEqual(names.sort(), Object.keys(known.fields).sort(), path)
    assert.deepEqual(needed.sort(), requiredFields(known).sort(), path)
    // Other fields are ignored, so a description that forbade them would be wrong.
    assert.notEqual(body?.additionalProperties, false, path)
  }
})

test('each operation describes its errors by one shape, in JSON', () => {
  for (const { method, path, operation } of described) {
    const codes = Object.keys(operation.responses)
    const needed = ['200', '400', '401', '403', '404', '429', '500', '503']
    // A new lead names no record of anybody.
    const expected = path === '/create-lead' ? needed.filter((code) => code !== '404') : needed
    assert.deepEqual(codes.sort(), expected, `${method} ${path}`)
    for (const [code, { content }] of Object.entries(operation.responses)) {
      assert.deepEqual(Object.keys(content), ['application/json'])
      if (code >= '400') assert.match(JSON.stringify(content), /schemas\/ErrorResponse"/)
    }
  }
  const { required, properties, additionalProperties } = document.components.schemas.ErrorResponse
  assert.deepEqual(required.sort(), ['code', 'message', 'success'])
  assert.equal(additionalProperties, undefined)
  const codes = [
    'forbidden',
    'internal',
    'invalid',
    'not_found',
    'rate_limited',
    'unauthorized',
    'unavailable',
  ]
  assert.deepEqual(properties.code.enum.sort(), codes)
})

test('every reference in it leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((m) => m[1]!)
  assert.ok(references.length > 100)
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce((at, part) => at?.[part.replaceAll('~1', '/')], document)
    assert.equal(typeof found, 'object', reference)
  }
})

test('the examples are calls that the server takes', async () => {
  const { installer } = await createWorld(app.database.db)
  // The examples name the first company and one record, for both lines: a solar lead and an HI project.
  assert.equal(installer.company.number, 1001)
  await project(installer, { reference: 'Xb93kQ7LmZ' })
  const hi = await project(installer, { productLine: 'hi' }, { reference: 'Xb93kQ7LmZ' })
  const good: Record<string, string> = { id: 'Xb93kQ7LmZ', org_id: '1001', installer_id: '1001' }
  let bodies = 0
  let parameters = 0
  for (const { method, path, operation } of described) {
    const example = operation.requestBody?.content['application/json'].example
    if (method === 'POST' && !path.startsWith('/update_stage')) {
      assert.ok(example, `${path} has no example`)
      bodies++
      const raw = JSON.stringify(example).replaceAll('https://files.example.com', outside.url)
      const call = { key: installer.key, raw, headers: { 'content-type': 'application/json' } }
      const answer = await app.call('POST', `/legacy${path}`, call)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    }
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
    if (!query.some((parameter) => parameter.example !== undefined)) continue
    parameters++
    const sent = query.map(({ name, example }) => `${name}=${encodeURIComponent(example ?? good[name]!)}`)
    const answer = await app.get(`/legacy${path}?${sent.join('&')}`, installer.key)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  }
  assert.deepEqual([bodies, parameters], [7, 8])
  const read = await app.get(`/legacy/fetch_project_hi?id=${hi.projectId}`, installer.key)
  assert.equal(read.body.data.allFilesURL.permits.length, 1)
})
