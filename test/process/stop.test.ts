import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDataDir } from '../support/data-dir.ts'
import { leadBody } from '../support/factories.ts'
import { freezePostgres } from '../support/freeze.ts'
import { newProject } from '../support/new-project.ts'
import { startProcess, temporaryFolder } from '../support/process.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to the group: what was begun is answered, who went away holds up nothing, PostgreSQL stops cleanly`, async () => {
    const folder = await temporaryFolder()
    // A slow outside server keeps a call in flight while the signal comes.
    const outside = createServer()
    outside.listen(0, '127.0.0.1')
    await once(outside, 'listening')
    const host = `localhost:${(outside.address() as AddressInfo).port}`
    const dataDir = join(folder.path, 'data')
    const company = await makeDataDir(dataDir)
    const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0', OUTBOUND_TRUSTED_HOSTS: host })
    try {
      const headers = { authorization: `Bearer ${company.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify(newProject({ company }))
      const sold = await fetch(`${server.url}/legacy/create_project`, { method: 'POST', headers, body })
      const { data } = (await sold.json()) as { data: { project_id: string } }
      const asked = once(outside, 'request')
      const adding = fetch(`${server.url}/v1/projects/${data.project_id}/files`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ folder: 'other', files: [{ url: `http://${host}/note.txt` }] }),
      })
      const [, answer] = await asked
      await goAway(server.url)
      const ending = server.end(signal)
      answer.writeHead(200, { 'content-type': 'text/plain' })
      setTimeout(() => answer.end('a note'), 1_000)
      assert.equal((await adding).status, 201)
      const { code, ms } = await ending
      assert.equal(code, 0, server.output())
      assert.ok(ms < 30_000, `took ${ms} ms`)
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
  for (const name of ['a', 'b']) await makeDataDir(join(folder.path, name))
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

/** Is answered before its body has come, and sends no more of it. */
async function goAway(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
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
}

const linux = { skip: process.platform !== 'linux' && 'needs /proc' }

test(
  'a stop while PostgreSQL is frozen ends in time, with a sentence, and the next start goes on',
  linux,
  async () => {
    const folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    await makeDataDir(dataDir)
    const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0' })
    const headers = { authorization: `Bearer psk_${'0'.repeat(40)}` }
    const thaw = freezePostgres(dataDir)
    try {
      // In the middle of a call, and of jobs that wait for an answer.
      const asked = fetch(`${server.url}/v1/me`, { headers }).then(
        ({ status }) => status,
        () => 'cut off',
      )
      const { code, ms } = await server.end('SIGTERM')
      assert.equal(code, 1, server.output())
      assert.ok(ms < 59_000, `took ${ms} ms`)
      assert.match(server.output(), /^PostgreSQL \(process \d+\) does not answer and was left as it is\. /m)
      assert.ok([503, 'cut off'].includes(await asked))
    } finally {
      thaw()
    }
    const next = await startProcess({ DATA_DIR: dataDir, DEMO: '0' })
    assert.equal((await fetch(`${next.url}/v1/me`, { headers })).status, 401)
    assert.equal((await next.end('SIGTERM')).code, 0, next.output())
    assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
    await folder.remove()
  },
)

test('a PostgreSQL that died ends the server with a failure and a sentence; the next start recovers', async () => {
  const folder = await temporaryFolder()
  const dataDir = join(folder.path, 'data')
  const { key } = await makeDataDir(dataDir)
  const server = await startProcess({ DATA_DIR: dataDir, DEMO: '0' })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = (url: string) => fetch(`${url}/v1/leads?limit=1`, { headers })
  const created = await fetch(`${server.url}/v1/leads`, {
    method: 'POST',
    headers,
    body: JSON.stringify(leadBody),
  })
  assert.equal(created.status, 201)
  const { leadId } = (await created.json()) as { leadId: string }
  const exited = once(server.child, 'exit')
  process.kill(
    Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]),
    'SIGKILL',
  )
  const seen = new Set<number>()
  let gone = false
  const ended = exited.finally(() => {
    gone = true
  })
  while (!gone) seen.add((await read(server.url).catch(() => null))?.status ?? 0)
  const [code] = await ended
  assert.equal(code, 1, server.output())
  assert.match(
    server.output(),
    /^PostgreSQL has stopped unexpectedly; see .*postgres\.log\. Start Sunstead again\.$/m,
  )
  // Until it was noticed calls may have been answered; then they are told to come back.
  assert.deepEqual(
    [...seen].filter((status) => ![0, 200, 503].includes(status)),
    [],
  )
  const next = await startProcess({ DATA_DIR: dataDir, DEMO: '0' })
  assert.equal((await fetch(`${next.url}/v1/leads/${leadId}`, { headers })).status, 200)
  assert.equal((await next.end('SIGTERM')).code, 0)
  await folder.remove()
})
