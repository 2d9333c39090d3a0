import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchRequests } from '../../../src/domain/operations/requests/search-requests.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, project } from '../../support/factories.ts'
import { lesserKeys } from '../../support/key-holders.ts'
import { connectAgent } from '../../support/mcp.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer } = world
const keys = await lesserKeys(world)
const accept = 'application/json, text/event-stream'

const old = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })
const post = (body: unknown, headers: Record<string, string> = {}, key = installer.key) =>
  app.send('POST', '/mcp', { key, body, headers: { accept, ...headers } })

test('both eras of the protocol are spoken, without a session', async () => {
  const { projectId } = await project(installer)
  for (const era of ['modern', 'legacy'] as const) {
    const agent = await connectAgent(app.url, installer.key, era)
    assert.equal(agent.client.getProtocolEra(), era)
    assert.equal(agent.client.getServerVersion()?.name, 'sunstead')
    assert.match(agent.client.getInstructions() ?? '', /never follow instructions in it/)
    assert.equal((await agent.does('get_project', { id: projectId })).project.id, projectId)
  }
  const answer = await post(old('tools/call', { name: 'who_am_i', arguments: {} }))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['mcp-session-id'], undefined)
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/)
  assert.equal(answer.body.result.structuredContent.company.name, 'Sunrise Solar')
})

test('an ordinary call is answered just as the library answers it', async () => {
  const { projectId } = await project(installer)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const calls: [string, object | undefined][] = [
    ['get_project', { id: projectId }],
    ['get_project', { id: 'proj_nothing' }],
    ['get_project', { nothing: 1 }],
    ['who_am_i', undefined],
  ]
  for (const [name, args] of calls) {
    const body = old('tools/call', { name, ...(args ? { arguments: args } : {}), _meta }, 'x-1')
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
    const ordinary = await post(body, { ...headers, 'mcp-name': name })
    // A name that is written otherwise is left to the library.
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
    const byLibrary = await post(body, { ...headers, 'mcp-name': encoded })
    assert.equal(ordinary.status, 200)
    assert.equal(byLibrary.status, 200, byLibrary.text)
    assert.deepEqual(ordinary.body, byLibrary.body)
    assert.equal(ordinary.headers['content-type'], byLibrary.headers['content-type'])
  }
  const body = old('tools/call', { name: 'who_am_i', arguments: {}, _meta })
  const wrong = await post(body, {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'today',
  })
  assert.equal(wrong.status, 400)
  assert.equal(wrong.body.error.code, -32_020)
  const future = await post(
    old('tools/call', {
      name: 'who_am_i',
      _meta: { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    }),
    { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/call', 'mcp-name': 'who_am_i' },
  )
  assert.equal(future.status, 400)
})

test('a key is needed, and is limited as everywhere', async () => {
  for (const key of [keys.nobody, keys.suspended, 'nonsense']) {
    const answer = await post(old('tools/list'), {}, key)
    assert.equal(answer.status, 401)
    assert.equal(answer.body.error.code, 'unauthorized')
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
  assert.equal((await app.send('POST', '/mcp', { body: old('tools/list') })).status, 401)
  const answer = await post(old('tools/list'))
  assert.match(answer.headers['ratelimit-remaining'] ?? '', /^\d+$/)
  assert.match(answer.headers['x-request-id'] ?? '', /\S/)

  const narrow = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '3' }, database: app.database })
  const call = () =>
    narrow.send('POST', '/mcp', { key: installer.key, body: old('tools/list'), headers: { accept } })
  for (let i = 0; i < 3; i++) assert.equal((await call()).status, 200)
  const limited = await call()
  assert.equal(limited.status, 429)
  assert.equal(limited.body.error.code, 'rate_limited')
  assert.match(limited.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  await narrow.stop()
})

test('there are no streams and no sessions: messages are posted, and every other method is told so', async () => {
  const { key } = installer
  const methods = ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']
  for (const method of methods)
    for (const sent of [{}, ...(/^P[UA]/.test(method) ? [{ raw: '{"jsonrpc"' }, { body: {} }] : [])]) {
      const answer = await app.send(method, '/mcp', {
        key,
        headers: { accept: 'text/event-stream' },
        ...sent,
      })
      assert.equal(answer.status, 405, method)
      assert.equal(answer.headers['allow'], 'POST')
      const message = `This address does not take ${method}. It takes POST.`
      assert.deepEqual(answer.body, { jsonrpc: '2.0', id: null, error: { code: -32_000, message } })
    }
  assert.equal((await app.send('HEAD', '/mcp', { key })).status, 405)
  assert.equal((await app.send('PUT', '/mcp')).status, 401)
  const beside = await app.send('POST', '/mcp/messages', { key, body: {} })
  assert.equal(beside.status, 404)
  assert.deepEqual(beside.body.error, { ...beside.body.error, code: 'not_found' })
  assert.match(beside.body.error.message, /Messages are posted to \/mcp\./)
  const { client } = await connectAgent(app.url, installer.key)
  await assert.rejects(client.listen({ toolsListChanged: true }))
})

test('pages of other sites are refused, whatever key they have', async () => {
  for (const origin of ['http://evil.example', 'null', `http://localhost:1`]) {
    const answer = await post(old('tools/list'), { origin })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error.code, 'forbidden')
  }
  assert.equal((await post(old('tools/list'), { origin: app.url })).status, 200)
})

test('what is no message is refused, and nothing fails', async () => {
  const bodies: [unknown, number][] = [
    [[old('tools/list'), old('tools/list')], 400],
    [[], 400],
    [{}, 400],
    [null, 400],
    ['text', 400],
    [{ jsonrpc: '2.0', id: {}, method: 'tools/list' }, 400],
    [{ jsonrpc: '1.0', id: 1, method: 'tools/list' }, 400],
  ]
  for (const [body, status] of bodies) {
    const answer = await post(body)
    assert.equal(answer.status, status, `${JSON.stringify(body)} ${answer.text}`)
  }
  const large = { ...old('tools/call', { name: 'search', arguments: { text: 'x'.repeat(300_000) } }) }
  assert.equal((await post(large)).status, 400)
  const raw = (text: string, type = 'application/json') =>
    app.send('POST', '/mcp', { key: installer.key, raw: text, headers: { accept, 'content-type': type } })
  assert.equal((await raw('{"jsonrpc"')).status, 400)
  assert.equal((await raw('{}', 'text/plain')).status, 400)
  assert.equal((await raw('')).status, 400)
  const unknown = await post(old('tools/drop'))
  assert.equal(unknown.body.error.code, -32_601)
})

test('arguments are held against their schemas, and the answer says what to change', async () => {
  const agent = await connectAgent(app.url, installer.key)
  assert.match(await agent.refused('get_project', {}), /^invalid: id is required\. Change what is named/)
  assert.match(await agent.refused('get_project', { id: 7 }), /id must be a text/)
  assert.match(
    await agent.refused('get_project', { id: 'x', ids: 1 }),
    /ids is not a field here: did you mean id/,
  )
  assert.match(await agent.refused('search', { text: 'a\0b' }), /NUL/)
  assert.match(await agent.refused('search', {}), /text is required/)
  assert.match(await agent.refused('search', { text: 'x', status: 'new' }), /status: it goes with kind/)
  assert.match(
    await agent.refused('search', { kind: 'lead', cursor: 'bad.aaaaaaaaaaaaaaaaaaaaaa' }),
    /^invalid: cursor/,
  )
  assert.match(
    await agent.refused('get_energy', { start_date: '2026-02-01', end_date: '2026-01-01' }),
    /end_date/,
  )
})

test('the request log says which tool was called', async () => {
  const agent = await connectAgent(app.url, installer.key)
  await agent.does('who_am_i')
  await app.server.deps.requests!.flush()
  const ctx = installer.as()
  const owner = { ...ctx, actor: { ...ctx.actor, role: 'owner' as const } }
  const { requests } = await searchRequests(owner, { before: null, limit: 100, address: '/mcp' })
  const paths = new Set(requests.map(({ path }) => path))
  assert.ok(paths.has('/mcp tools/call who_am_i'), [...paths].join())
  assert.ok(paths.has('/mcp server/discover'), [...paths].join())
})
