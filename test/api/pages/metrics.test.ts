import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'

const token = 'a-token-of-the-operator-0123456789'
const closed = await startApp()
const open = await startApp({ env: { METRICS_TOKEN: token, TRUSTED_PROXIES: '127.0.0.1', HOST: '0.0.0.0' } })

const forwarded: Record<string, string>[] = [
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '' },
  { 'x-forwarded-host': 'sun.example.com' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=127.0.0.1' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '127.0.0.1' },
]

test('metrics are for programs of this machine', async () => {
  assert.match((await closed.send('GET', '/metrics')).text, /http_requests_total/)
})

test('and not for who comes through a proxy on it, whatever that says', async () => {
  for (const headers of forwarded) {
    const hidden = await closed.send('GET', '/metrics', { headers })
    assert.equal(hidden.status, 404, JSON.stringify(headers))
    assert.doesNotMatch(hidden.text, /http_requests|METRICS/)
    const asked = await open.send('GET', '/metrics', { headers })
    assert.equal(asked.status, 401, JSON.stringify(headers))
    assert.equal(asked.headers['www-authenticate'], 'Bearer')
    assert.doesNotMatch(asked.text, /http_requests/)
  }
})

test('the token opens them to others, nothing like it does', async () => {
  const [headers] = forwarded
  assert.match(
    (await open.send('GET', '/metrics', { headers: headers!, key: token })).text,
    /http_requests_total/,
  )
  for (const key of [`${token}x`, token.slice(1), 'null', 'undefined', ''])
    assert.equal((await open.send('GET', '/metrics', { headers: headers!, key })).status, 401, key)
  assert.equal((await closed.send('GET', '/metrics', { headers: headers!, key: 'null' })).status, 404)
})

test('a connection from another address is no program of this machine', async (t) => {
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4')
  if (!own) return t.skip('this machine has no address but loopback')
  const answer = await fetch(`http://${own.address}:${open.server.port}/metrics`)
  assert.equal(answer.status, 401)
})
