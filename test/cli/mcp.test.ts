import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { createWorld, project } from '../support/factories.ts'
import { lesserKeys } from '../support/key-holders.ts'
import { connectAgent, connectByCommand } from '../support/mcp.ts'
import { root, userEnvironment } from '../support/process.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const keys = await lesserKeys(world)

function start(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'bin/sunstead.js'), 'mcp', ...args], {
    env: userEnvironment(env),
    stdio: 'pipe',
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output, ended: once(child, 'close') as Promise<[number | null, string | null]> }
}

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('the official client speaks to the server through the command, in both eras', async () => {
  const { projectId } = await project(dealer)
  for (const era of ['modern', 'legacy'] as const) {
    const agent = await connectByCommand(app.url, installer.key, era)
    assert.equal(agent.client.getProtocolEra(), era)
    const direct = await connectAgent(app.url, installer.key, era)
    assert.deepEqual((await agent.client.listTools()).tools, (await direct.client.listTools()).tools)
    assert.equal((await agent.does('get_project', { id: projectId })).project.id, projectId)
    assert.match(await agent.refused('get_project', { id: 'proj_nothing' }), /^not_found/)
    const { contents } = await agent.client.readResource({ uri: `sunstead://projects/${projectId}` })
    assert.equal(contents.length, 1)
    await assert.rejects(agent.client.readResource({ uri: 'sunstead://größe/ä' }), /not found/i)
    assert.equal((await agent.client.listPrompts()).prompts.length, 3)
    await Promise.all(Array.from({ length: 30 }, () => agent.does('who_am_i')))
    assert.equal(agent.errors(), '')
    await agent.client.close()
  }
  const seller = await connectByCommand(app.url, dealer.key)
  assert.equal((await seller.does('who_am_i')).company.kind, 'dealer')
  const reader = await connectByCommand(app.url, keys.readOnly)
  assert.ok((await reader.client.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint))
})

test('it ends when its input does, after what is under way is answered', async () => {
  const { child, output, ended } = start({ SUNSTEAD_KEY: installer.key, SUNSTEAD_BASE_URL: app.url })
  const call = { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'who_am_i', arguments: {} } }
  // The last line needs no end.
  child.stdin.end(`nonsense\n\n${JSON.stringify(call)}`)
  assert.deepEqual(await ended, [0, null])
  const answers = output.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  assert.equal(byId.get('a').result.structuredContent.company.name, 'Sunrise Solar')
  assert.equal(byId.get(null).error.code, -32_700)
})

test('it ends on a signal', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, ended, output } = start({ SUNSTEAD_KEY: installer.key }, '--base-url', app.url)
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
    await once(child.stdout, 'data')
    child.kill(signal)
    assert.deepEqual(await ended, [0, null])
    assert.equal(output.stderr, '')
  }
})

test('what goes wrong is said without the key', async () => {
  const refused = start({ SUNSTEAD_KEY: keys.nobody }, '--base-url', app.url)
  refused.child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
  assert.equal((await refused.ended)[0], 0)
  assert.match(JSON.parse(refused.output.stdout).error.message, /wrong, revoked or expired/)

  const away = start({}, '--base-url', 'http://127.0.0.1:9', '--key', installer.key)
  away.child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
  assert.equal((await away.ended)[0], 0)
  assert.match(JSON.parse(away.output.stdout).error.message, /cannot be reached/)

  const keyless = start({}, '--base-url', app.url)
  assert.equal((await keyless.ended)[0], 1)
  assert.match(keyless.output.stderr, /SUNSTEAD_KEY/)
  const nowhere = start({ SUNSTEAD_KEY: installer.key }, '--base-url', 'ftp://x')
  assert.equal((await nowhere.ended)[0], 1)
  assert.match(nowhere.output.stderr, /--base-url must be/)
  const broken = start({ SUNSTEAD_KEY: `${installer.key}\nx` }, '--base-url', app.url)
  broken.child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`)
  assert.equal((await broken.ended)[0], 1)
  assert.match(broken.output.stderr, /must be one word/)
  for (const { output } of [refused, away, keyless, nowhere, broken])
    assert.doesNotMatch(output.stdout + output.stderr, /psk_[0-9a-f]{9}/)
})

test('a server that never answers or never ends holds it up no longer than it is used', async () => {
  const silent = await listening((_request, response) => response.flushHeaders())
  const endless = await listening((_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  })
  try {
    const begin = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })}\n`
    const waiting = start({ SUNSTEAD_KEY: installer.key }, '--base-url', silent.url)
    waiting.child.stdin.end(begin)
    assert.deepEqual(await waiting.ended, [0, null])
    const flooded = start({ SUNSTEAD_KEY: installer.key }, '--base-url', endless.url)
    flooded.child.stdin.end(begin)
    assert.deepEqual(await flooded.ended, [0, null])
    assert.match(JSON.parse(flooded.output.stdout).error.message, /longer than 8 MiB/)
  } finally {
    await Promise.all([silent.close(), endless.close()])
  }
})
