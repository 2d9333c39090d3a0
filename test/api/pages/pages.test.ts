import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { errorCodes } from '../../../src/api/http/errors.ts'
import { startApp } from '../../support/app.ts'

const app = await startApp({ env: { BASE_URL: 'https://sun.example.com' } })
after(() => app.stop())

test('the first page says what is served and where', async () => {
  const page = await app.send('GET', '/about')
  assert.equal(page.status, 200)
  assert.match(page.headers['content-type']!, /text\/html/)
  assert.match(page.text, /https:\/\/sun\.example\.com\/v1/)
  assert.match(page.text, /href="\/docs"/)
})

test('the addresses that links give open, whatever the id, and show nothing of a record', async () => {
  for (const path of ['/', '/leads/lead_x', '/projects/proj_x', '/leads/%3Cscript%3E']) {
    const page = await app.send('GET', path)
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /lead_x|proj_x|<script>/)
  }
})

test('pages run no script and load nothing from elsewhere', async () => {
  for (const path of ['/', '/docs', '/docs/errors', '/leads/x']) {
    const { headers, text } = await app.send('GET', path)
    assert.match(headers['content-security-policy']!, /default-src 'none'/)
    assert.doesNotMatch(headers['content-security-policy']!, /script-src[^;]*unsafe/)
    for (const [, address] of text.matchAll(/(?:src|href)="([^"]*)"/g))
      assert.match(address!, /^(\/|#|data:)/, path)
  }
})

test('the reference and all that it loads come from this server', async () => {
  const page = await app.send('GET', '/docs')
  const parts = [...page.text.matchAll(/(?:src|href)="(\/[^"#]*)/g)].map((match) => match[1]!)
  assert.ok(parts.length > 20)
  for (const part of new Set(parts)) assert.equal((await app.send('GET', part)).status, 200, part)
  for (const url of ['/v1/openapi.json', '/legacy/openapi.json', '/catalog/v1/openapi.json'])
    assert.equal((await app.send('GET', url)).body.openapi, '3.1.0')
})

test('every error code is explained', async () => {
  const { text } = await app.send('GET', '/docs/errors')
  for (const [code, { status }] of Object.entries(errorCodes)) {
    assert.match(text, new RegExp(`id="${code}".*${status}`))
  }
  assert.match(text, /so does <code>fields<\/code>/)
  assert.doesNotMatch(text, /`/)
})

test('what is not there answers 404 in the one shape', async () => {
  for (const path of ['/nothing', '/docs/assets/../../package.json', '/docs/assets/package.json', '/.env']) {
    const answer = await app.send('GET', path)
    assert.equal(answer.status, 404)
    assert.equal(answer.body.error.code, 'not_found')
    assert.ok(answer.headers['x-request-id'])
  }
})

test('alive, ready and measured', async () => {
  assert.equal((await app.send('GET', '/healthz')).status, 200)
  assert.deepEqual((await app.send('GET', '/readyz')).body, { status: 'ready' })
  const metrics = await app.send('GET', '/metrics')
  assert.match(metrics.text, /http_requests_total\{route="\/readyz",method="GET",status="200"\} 1/)
  assert.match(metrics.headers['content-type']!, /text\/plain/)
})
