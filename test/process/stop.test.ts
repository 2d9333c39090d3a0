import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { startProcess, temporaryFolder } from '../support/process.ts'

interface DemoJson {
  companies: { key: string }[]
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to the group: what was begun is answered, PostgreSQL stops cleanly, within 10 s`, async () => {
    const folder = await temporaryFolder()
    // A slow outside server keeps a call in flight while the signal comes.
    const outside = createServer()
    outside.listen(0, '127.0.0.1')
    await once(outside, 'listening')
    const host = `localhost:${(outside.address() as AddressInfo).port}`
    const dataDir = join(folder.path, 'data')
    const server = await startProcess({ DATA_DIR: dataDir, OUTBOUND_TRUSTED_HOSTS: host })
    try {
      const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoJson
      const headers = {
        authorization: `Bearer ${demo.companies[0]!.key}`,
        'content-type': 'application/json',
      }
      const list = (await (await fetch(`${server.url}/v1/projects?limit=1`, { headers })).json()) as {
        data: { id: string }[]
      }
      const asked = once(outside, 'request')
      const adding = fetch(`${server.url}/v1/projects/${list.data[0]!.id}/files`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ folder: 'other', files: [{ url: `http://${host}/note.txt` }] }),
      })
      const [, answer] = await asked
      const ending = server.end(signal)
      answer.writeHead(200, { 'content-type': 'text/plain' })
      setTimeout(() => answer.end('a note'), 1_000)
      assert.equal((await adding).status, 201)
      const { code, ms } = await ending
      assert.equal(code, 0, server.output())
      assert.ok(ms < 10_000, `took ${ms} ms`)
      assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
      const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
      assert.match(log, /database system is shut down/)
    } finally {
      if (server.child.exitCode === null) await server.end('SIGKILL')
      outside.closeAllConnections()
      outside.close()
      await folder.remove()
    }
  })
}

test('a second server on the same DATA_DIR is refused, one on another runs beside it', async () => {
  const folder = await temporaryFolder()
  const first = await startProcess({ DATA_DIR: join(folder.path, 'a'), DEMO: '0' })
  await assert.rejects(
    startProcess({ DATA_DIR: join(folder.path, 'a'), DEMO: '0' }),
    /in use by another Sunstead server/,
  )
  const { port } = new URL(first.url)
  await assert.rejects(
    startProcess({ DATA_DIR: join(folder.path, 'b'), DEMO: '0', PORT: port }),
    /set PORT to another port/,
  )
  const second = await startProcess({ DATA_DIR: join(folder.path, 'b'), DEMO: '0' })
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200)
  assert.equal((await fetch(`${second.url}/readyz`)).status, 200)
  await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
  await folder.remove()
})

test('who was answered before the body had come, and went away, holds up no stop', async () => {
  const folder = await temporaryFolder()
  const server = await startProcess({ DATA_DIR: join(folder.path, 'data'), DEMO: '0' })
  const { hostname, port } = new URL(server.url)
  const caller = connect(Number(port), hostname)
  const head = [
    'POST /v1/leads HTTP/1.1',
    'host: sunstead',
    'content-type: application/json',
    'content-length: 9',
  ]
  caller.write(`${head.join('\r\n')}\r\n\r\n{`)
  const [answer] = await once(caller, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 401 /)
  caller.destroy()
  const { code, ms } = await server.end('SIGTERM')
  assert.equal(code, 0, server.output())
  assert.ok(ms < 10_000, `took ${ms} ms`)
  await folder.remove()
})
