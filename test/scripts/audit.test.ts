import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { auditDependencies } from '../../scripts/audit.ts'

// npm remembers what it was told of a vulnerability.
const cache = await mkdtemp(join(tmpdir(), 'sunstead-npm-'))
after(() => rm(cache, { recursive: true, force: true }))

/** A registry that answers what is asked about vulnerabilities, as npm's does. */
async function registry(answer: RequestListener): Promise<NodeJS.ProcessEnv> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return asking(`http://127.0.0.1:${port}/`)
}

const asking = (url: string) => ({ ...process.env, npm_config_registry: url, npm_config_cache: cache })

const advisory = (id: number, severity: string) => ({
  id,
  url: 'https://example.com/advisory',
  title: 'A hole',
  severity,
  vulnerable_versions: '>=0',
  cwe: [],
  cvss: { score: 9, vectorString: null },
})

test('fails on what is grave, of what runs in production', async () => {
  for (const [id, severity, grave] of [
    [1, 'high', true],
    [3, 'moderate', false],
  ] as const) {
    let asked: Record<string, string[]> = {}
    const env = await registry(async (request, response) => {
      // Which versions there are is not known here.
      if (request.method !== 'POST') return response.writeHead(404).end('{}')
      const bytes = Buffer.concat(await request.toArray())
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      asked = JSON.parse(String(body))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ fastify: [advisory(id, severity)], knip: [advisory(id + 1, severity)] }))
    })
    const audit = await auditDependencies(env)
    assert.ok(audit.asked, JSON.stringify(audit))
    assert.equal(
      audit.grave.some((line) => line.startsWith('fastify ')),
      grave,
    )
    assert.match(asked['fastify']![0]!, /^\d+\.\d+\.\d+$/)
    assert.ok(!audit.grave.some((line) => line.startsWith('knip ')), 'a tool of ours is not served')
  }
})

test('a registry that refuses, says nothing or is not there is no fault of the code', async () => {
  const refusing = await registry((_request, response) => response.writeHead(405).end())
  const refused = await auditDependencies(refusing)
  assert.ok(!refused.asked && /405/.test(refused.why), JSON.stringify(refused))
  const silent = await auditDependencies(await registry(() => {}), 2_000)
  assert.deepEqual(silent, { asked: false, why: 'no answer within 2 seconds' })
  assert.equal((await auditDependencies(asking('http://127.0.0.1:9/'))).asked, false)
})
