import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sunstead } from '../support/commands.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '0', RATE_LIMIT_PER_MINUTE: '0' }
after(() => folder.remove())

async function post(server: ServerProcess, key: string, externalId: string): Promise<string> {
  const address = { line1: '1 A St', city: 'B', state: 'CA', postalCode: '90001' }
  const answer = await fetch(`${server.url}/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'A', lastName: 'B', address, externalId }),
  })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { leadId: string }).leadId
}

/** Writes from several callers until the server is gone; answers what was answered. */
async function writeUntilGone(
  server: ServerProcess,
  key: string,
  name: string,
  killAfter: number,
): Promise<string[]> {
  const answered: string[] = []
  const writer = async (caller: number) => {
    for (let i = 0; ; i++) {
      answered.push(await post(server, key, `${name}-${caller}-${i}`))
      if (answered.length === killAfter) process.kill(server.child.pid!, 'SIGKILL')
    }
  }
  await Promise.allSettled(Array.from({ length: 8 }, (_, caller) => writer(caller)))
  return answered
}

async function assertAllThere(server: ServerProcess, key: string, leadIds: string[]): Promise<void> {
  const there = new Set<string>()
  let next: string | null = ''
  while (next !== null) {
    const url: string = `${server.url}/v1/leads?limit=100${next ? `&cursor=${encodeURIComponent(next)}` : ''}`
    const page = (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()) as {
      data: { id: string }[]
      next: string | null
    }
    for (const lead of page.data) there.add(lead.id)
    next = page.next
  }
  assert.deepEqual(
    leadIds.filter((id) => !there.has(id)),
    [],
  )
}

test('kill -9 during writes, of the server and of PostgreSQL too: every answered write is there', async () => {
  const { key } = await makeDataDir(env.DATA_DIR)
  let server = await startProcess(env)
  const first = await writeUntilGone(server, key, 'first', 150)
  assert.ok(first.length >= 150)

  server = await startProcess(env)
  await assertAllThere(server, key, first)
  const postmaster = Number(
    (await readFile(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  const writing = writeUntilGone(server, key, 'second', 150)
  const second = await writing
  process.kill(postmaster, 'SIGKILL')

  server = await startProcess(env)
  await assertAllThere(server, key, [...first, ...second])
  const health = await sunstead(['doctor'], env)
  assert.equal(health.code, 0, health.stdout)
  await server.end('SIGTERM')
})
