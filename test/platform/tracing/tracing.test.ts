import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { isTracing, startTracing, tracedCall } from '../../../src/platform/tracing/tracing.ts'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { startCollector } from '../../support/otlp-collector.ts'

const collector = await startCollector()
after(collector.close)

test('without the variables nothing is traced, and they may say so themselves', () => {
  const traces = (env: Record<string, string>) => readConfig(env).tracing
  assert.equal(traces({}), null)
  assert.equal(isTracing(), false)
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  assert.equal(traces({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), null)
  assert.equal(traces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }), null)
  assert.equal(traces(endpoint)?.endpoint, 'http://collector:4318/v1/traces')
  assert.equal(traces({ OTEL_TRACES_EXPORTER: 'otlp' })?.endpoint, 'http://localhost:4318/v1/traces')
  const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in' }
  assert.equal(traces(own)?.endpoint, 'https://traces.example.com/in')
})

test('a mistake in them is named, and no secret is shown', () => {
  const wrong = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_HEADERS: 'my-secret',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '2',
    OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
  }
  assert.throws(
    () => readConfig(wrong),
    ({ message }: Error) => {
      for (const name of Object.keys(wrong)) assert.match(message, new RegExp(`- ${name} must`))
      return !message.includes('my-secret')
    },
  )
})

test('a call, its statements and what follows from it are spans of one trace', async () => {
  const lines: string[] = []
  const app = await startApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
      OTEL_SERVICE_NAME: 'sun',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
    log: (await import('pino')).default({ level: 'info' }, { write: (line: string) => lines.push(line) }),
  })
  const world = await createWorld(app.database.db)
  const { key } = world.installer
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const parentId = 'b7ad6b7169203331'
  const headers = { traceparent: `00-${traceId}-${parentId}-01` }
  const address = { line1: '1 Private St', city: 'San Diego', state: 'CA', postalCode: '92101' }
  const body = { firstName: 'Zoë', lastName: 'Private', email: 'zoe@private.example', address }
  const created = await app.call('POST', '/v1/leads', { key, body, headers })
  assert.equal(created.status, 201)
  const missing = await app.call('GET', '/v1/leads/lead_nobody?x=private.example', { key })
  assert.ok(missing.status >= 400)
  await app.stop()
  assert.equal(isTracing(), false)

  const [first] = collector.calls
  assert.equal(first!.path, '/v1/traces')
  assert.equal(first!.headers.authorization, 'Bearer abc')
  assert.equal(first!.resource['service.name'], 'sun')
  assert.equal(first!.resource['deployment.environment.name'], 'test')

  const call = collector.spans.find(({ name }) => name === 'POST /v1/leads')!
  assert.equal(call.traceId, traceId)
  assert.equal(call.parentId, parentId)
  assert.equal(call.attributes['http.response.status_code'], '201')
  assert.equal(call.attributes['sunstead.request_id'], created.headers['x-request-id'])
  assert.equal(call.attributes['sunstead.installer'], world.installer.company.id)
  const write = collector.spans.find(
    ({ parentId, attributes }) =>
      parentId === call.spanId && /insert into leads/.test(attributes['db.query.text'] ?? ''),
  )
  assert.ok(write, 'the statement that writes the lead is a child of the call')
  assert.ok(collector.spans.some(({ name }) => name === 'job count what waits'))
  assert.ok(collector.spans.some(({ name }) => name === 'GET /v1/leads/:id'))
  assert.doesNotMatch(JSON.stringify(collector.spans), /private|Zoë|lead_nobody|psk_/i)
  const line = lines
    .map((one) => JSON.parse(one))
    .find(({ route, method }) => route === '/v1/leads' && method === 'POST')
  assert.equal(line.traceId, traceId)
})

test('that a caller wants a call traced does not make it so', async () => {
  const tracing = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).tracing!
  const { stop } = await startTracing({ ...tracing, sampler: { name: 'parentbased_always_off', ratio: 1 } })
  const before = collector.spans.length
  const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  tracedCall('GET', headers, (call) => call.end('GET /v1/me', {}, false))
  await stop()
  assert.equal(collector.spans.length, before)
})

test('nor does a trace id that a caller has chosen', async () => {
  const tracing = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).tracing!
  const sampler = { name: 'parentbased_traceidratio', ratio: 1e-7 } as const
  const { stop } = await startTracing({ ...tracing, sampler })
  const before = collector.spans.length
  // Below any ratio.
  const headers = { traceparent: '00-00000001000000010000000100000001-b7ad6b7169203331-01' }
  for (let i = 0; i < 20; i++) tracedCall('GET', headers, (call) => call.end('GET /v1/me', {}, false))
  await stop()
  assert.equal(collector.spans.length, before)
})
