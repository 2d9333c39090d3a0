import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { consoleRoutes } from '../support/console-routes.ts'
import { type DataDir, makeDataDir } from '../support/data-dir.ts'
import { freezePostgres } from '../support/freeze.ts'
import { newProject } from '../support/new-project.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

// PostgreSQL is really stopped where it stands. Other systems have no /proc to find its processes by.
const skip = process.platform !== 'linux' && 'needs /proc'

/** It gives up after five seconds; a busy machine takes its time to say so. */
const limitMs = 60_000
const believedMs = 600
const folder = await temporaryFolder()
const dataDir = join(folder.path, 'data')
const agent = new Agent({ connections: 512, headersTimeout: limitMs })
let server: ServerProcess
let key: string
let cookie: string
let calls: Call[]

interface Call {
  method: string
  path: string
  headers?: Record<string, string>
  body?: unknown
}

before(async () => {
  const company = await makeDataDir(dataDir)
  server = await startProcess({ DATA_DIR: dataDir, DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' })
  key = company.key
  cookie = await signIn(company.owner)
  calls = [
    ...(await interfaceCalls()),
    ...consoleCalls(),
    ...(await openCalls(company)),
    signInCall(company.owner),
  ]
})

after(async () => {
  await agent.destroy()
  if (server.child.exitCode === null) await server.end('SIGTERM')
  await folder.remove()
})

async function send({ method, path, headers, body }: Call) {
  const begun = performance.now()
  const answer = await agent.request({
    origin: server.url,
    path,
    method: method as 'GET',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const stream = answer.headers['content-type']?.toString().startsWith('text/event-stream')
  if (stream) answer.body.destroy()
  const text = stream ? '' : await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text, ms: performance.now() - begun }
}

const signInCall = ({ email, password }: DataDir['owner']): Call => ({
  method: 'POST',
  path: '/console/auth/sign-in/email',
  headers: { origin: server.url },
  body: { email, password },
})

async function signIn(owner: DataDir['owner']): Promise<string> {
  const { status, headers, text } = await send(signInCall(owner))
  assert.equal(status, 200, text)
  return [headers['set-cookie']]
    .flat()
    .map((value) => value!.split(';')[0])
    .join('; ')
}

interface Description {
  servers: { url: string }[]
  paths: Record<string, Record<string, unknown>>
}

/** Every operation that the three interfaces describe. */
async function interfaceCalls(): Promise<Call[]> {
  const documents = ['/v1', '/legacy', '/catalog/v1'].map(async (prefix) => {
    const { text } = await send({ method: 'GET', path: `${prefix}/openapi.json` })
    const { servers, paths } = JSON.parse(text) as Description
    const base = new URL(servers[0]!.url).pathname.replace(/\/$/, '')
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: base + path.replaceAll(/\{\w+\}/g, 'lead_000000000000'),
        headers: { authorization: `Bearer ${key}` },
        ...(['get', 'delete'].includes(method) ? {} : { body: {} }),
      })),
    )
  })
  const found = (await Promise.all(documents)).flat()
  return found.filter(({ path }) => !path.endsWith('/openapi.json'))
}

function consoleCalls(): Call[] {
  return Object.entries(consoleRoutes).flatMap(([route, { open, query = '' }]) => {
    const [method, path] = route.split(' ')
    // These look at the body first.
    if (open && method === 'POST') return []
    return {
      method: method!,
      path: `/console/api${path!.replaceAll(/:\w+/g, 'none_000000000000')}${query}`,
      headers: { cookie, 'x-sunstead-console': '1' },
      ...(['GET', 'DELETE'].includes(method!) ? {} : { body: {} }),
    }
  })
}

/** What is opened by its address alone, and what an operator asks. */
async function openCalls(company: DataDir): Promise<Call[]> {
  const headers = { authorization: `Bearer ${key}` }
  const sale = { method: 'POST', path: '/legacy/create_project', headers, body: newProject({ company }) }
  assert.equal((await send(sale)).status, 200)
  const { text } = await send({ method: 'GET', path: '/v1/projects?limit=1', headers })
  const project = JSON.parse(text).data[0].id
  const token = 'a'.repeat(40)
  return [
    '/readyz',
    `/files/1000/${token}/a.pdf`,
    `/thumbnails/1000/${token}/a.pdf`,
    `/folders/1000/${project}/contract/${token}`,
    `/proposals/${token}`,
    `/proposals/${token}/logo`,
    `/calendar/${token}.ics`,
  ].map((path) => ({ method: 'GET', path }))
}

test('while PostgreSQL says nothing every call is 503 before long, and all is well when it is back', {
  skip,
}, async () => {
  for (const path of ['/readyz', '/healthz']) assert.equal((await send({ method: 'GET', path })).status, 200)
  assert.ok(calls.length > 150, `${calls.length} calls`)
  // Until a key that was just used must be looked up again.
  await sleep(believedMs)
  const thaw = freezePostgres(dataDir)
  try {
    const answers = await Promise.all(calls.map(async (call) => ({ call, ...(await send(call)) })))
    const wrong = answers.filter(
      ({ status, headers, ms }) =>
        status !== 503 || !/^[1-9]\d*$/.test(String(headers['retry-after'])) || ms > limitMs,
    )
    assert.deepEqual(
      wrong.map(({ call, status, ms }) => `${call.method} ${call.path}: ${status} after ${ms} ms`),
      [],
    )
    const alive = await send({ method: 'GET', path: '/healthz' })
    assert.equal(alive.status, 200)
    assert.ok(alive.ms < limitMs)
  } finally {
    thaw()
  }
  await wellAgain()
})

/** Soon, and without a start: nothing that hung is left, and nobody gets another's answer. */
async function wellAgain(): Promise<void> {
  const authorization = `Bearer ${key}`
  const until = performance.now() + limitMs
  const asked = [
    { method: 'GET', path: '/readyz' },
    { method: 'GET', path: '/v1/me', headers: { authorization } },
    { method: 'GET', path: '/console/api/session', headers: { cookie } },
  ]
  for (const call of asked) {
    for (;;) {
      const { status, text } = await send(call)
      if (status === 200) break
      assert.ok(status === 503 && performance.now() < until, `${call.path}: ${status} ${text}`)
    }
  }
  // All at once they may be too many for a busy machine, which then says so.
  const patiently = async (call: Call) => {
    for (;;) {
      const answer = await send(call)
      if (answer.status !== 503 || performance.now() > until) return { call, ...answer }
    }
  }
  for (const { call, status, text } of await Promise.all(calls.map(patiently)))
    assert.ok(status < 500, `${call.method} ${call.path} ${status} ${text} ${server.output()}`)
}
