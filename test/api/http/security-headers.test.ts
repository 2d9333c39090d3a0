import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type App, startApp } from '../../support/app.ts'
import { createWorld, project, type World } from '../../support/factories.ts'
import { addPerson, signedIn } from '../../support/people.ts'
import { pdf } from '../../support/sample-files.ts'

interface Route {
  method: string
  url: string
}

const routes: Route[] = []
// Tells of every server that is made, before it has any route.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
})

let app: App
let world: World
let cookie: string

before(async () => {
  app = await startApp({ env: { BASE_URL: 'https://sun.example.com' } })
  world = await createWorld(app.database.db)
  cookie = (await signedIn(app, await addPerson(app, world.installer.company.id, 'owner'))).cookie
})

/** Only the head: some answers go on for as long as somebody listens. */
async function head(method: string, path: string, headers: Record<string, string> = {}) {
  const hangUp = new AbortController()
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    signal: hangUp.signal,
  })
  hangUp.abort()
  return { status: answer.status, headers: answer.headers }
}

const kept = /^\/(assets|docs\/assets|favicon\.ico)/
const ofAddresses = /^\/(files|thumbnails|calendar|proposals)\//
const privateFaces = /^\/(v1|legacy|catalog|console|metrics)(\/|$)/

function check(path: string, status: number, headers: Headers, what: string): void {
  assert.equal(headers.get('x-content-type-options'), 'nosniff', what)
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin)$/, what)
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000', what)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/, what)
  assert.match(policy, /frame-ancestors '(none|self)'/, what)
  assert.doesNotMatch(policy, /script-src[^;]*('unsafe|\*|http)/, what)
  const cache = headers.get('cache-control') ?? ''
  if (status >= 400 || privateFaces.test(path)) assert.match(cache, /\bno-store\b/, what)
  else if (ofAddresses.test(path)) assert.match(cache, /\b(private|no-store)\b/, what)
  else if (!kept.test(path)) assert.match(cache, /\b(no-store|no-cache)\b/, what)
}

describe('what every answer says to a browser', () => {
  test('on each route, to strangers', async () => {
    const unique = new Map(routes.map((route) => [`${route.method} ${route.url}`, route]))
    assert.ok(unique.size > 200, `${unique.size} routes`)
    for (const [what, { method, url }] of unique) {
      const path = url.replace(/:\w+/g, 'none').replace('*', 'none')
      const { status, headers } = await head(method, path)
      assert.notEqual(status, 500, what)
      check(path, status, headers, `${what} → ${status}`)
    }
  })

  test('on each route that is read, to those who may', async () => {
    const { leadId, projectId } = await project(world.installer)
    const credentials = { cookie, authorization: `Bearer ${world.installer.key}` }
    const file = (await (
      await fetch(`${app.url}/console/api/projects/${projectId}/files?folder=permit&name=a.pdf`, {
        method: 'PUT',
        body: new Uint8Array(pdf),
        headers: { cookie, 'x-sunstead-console': '1' },
      })
    ).json()) as { id: string }
    let answered = 0
    for (const { method, url } of routes.filter(({ method }) => method === 'GET')) {
      const path = url
        .replace(':fileId', file.id)
        .replace(':id', url.includes('project') ? projectId : leadId)
        .replace(/:\w+/g, 'none')
      const { status, headers } = await head(method, path, credentials)
      if (status === 200) answered++
      assert.notEqual(status, 500, path)
      check(path, status, headers, `${method} ${path} → ${status}`)
    }
    assert.ok(answered > 60, `${answered} were answered`)
  })

  test('where no route is, and where no request is', async () => {
    for (const path of [
      '/nothing',
      '/v1/nothing',
      '/legacy/nothing',
      '/console/api/nothing',
      '/files/%',
      '/assets/no.js',
    ]) {
      const { status, headers } = await head('GET', path, { 'accept-encoding': 'br' })
      assert.ok(status >= 400, path)
      check(path, status, headers, path)
    }
    const socket = connect(app.server.port, '127.0.0.1')
    socket.end('NOT HTTP\r\n\r\n')
    const [bytes] = await once(socket, 'data')
    for (const line of [
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'strict-transport-security',
    ])
      assert.ok(String(bytes).includes(line), line)
  })

  test('a missing part of the console is not remembered as missing for a year', async () => {
    const { headers } = await head('GET', '/assets/index-OLD.js')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('etag'), null)
  })
})
