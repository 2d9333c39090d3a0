import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDir } from '../support/data-dir.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'
import { startPlainReceiver, verify } from '../support/webhook-receiver.ts'

const folder = await temporaryFolder()
const receiver = await startPlainReceiver()
const env = {
  DATA_DIR: join(folder.path, 'data'),
  DEMO: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  OUTBOUND_TRUSTED_HOSTS: receiver.host,
  WEBHOOK_RETRY_SECONDS: Array.from({ length: 60 }, () => '0.3').join(),
}
after(async () => {
  await receiver.close()
  await folder.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
async function call(server: ServerProcess, key: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(server.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  assert.ok(answer.status < 300, `${path}: ${answer.status}`)
  return answer.json()
}

const lead = {
  firstName: 'A',
  lastName: 'B',
  address: { line1: '1 A St', city: 'B', state: 'CA', postalCode: '90001' },
}

/** Writes from several callers; once so many more have arrived, the server dies. */
async function writeUntilKilled(server: ServerProcess, key: string, arrivals: number): Promise<void> {
  const dies = receiver.received.length + arrivals
  const killed = receiver
    .until(() => receiver.received.length >= dies, 'arrivals before the kill', 60_000)
    .then(() => process.kill(server.child.pid!, 'SIGKILL'))
  const writer = async () => {
    for (;;) {
      await call(server, key, '/v1/leads', lead)
      // A little more than is delivered meanwhile.
      await sleep(10)
    }
  }
  await Promise.allSettled([killed, ...Array.from({ length: 4 }, writer)])
  await killed
}

async function leadsThere(server: ServerProcess, key: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const cursor: string = next ? `&cursor=${encodeURIComponent(next)}` : ''
    const page = await call(server, key, `/v1/leads?limit=100${cursor}`)
    ids.push(...page.data.map((one: { id: string }) => one.id))
    next = page.next
  }
  return ids
}

test('kill -9, again and again, while events are written and delivered: each arrives, well signed', async () => {
  const { key } = await makeDataDir(env.DATA_DIR)
  let server = await startProcess(env)
  const register = (path: string) =>
    call(server, key, '/catalog/v1/webhooks', { url: receiver.url + path, events: ['lead.created'] })
  const hooks = [
    { path: '/good', ...(await register('/good')) },
    { path: '/flaky', ...(await register('/flaky')) },
  ]
  let calls = 0
  receiver.behave('/flaky', (response) => {
    if (++calls % 3 === 0) response.destroy()
    else response.writeHead(calls % 3 === 1 ? 200 : 500).end()
  })
  // Moments when few, many, and very many deliveries are under way; the last time PostgreSQL dies too.
  for (const arrivals of [1, 40]) {
    await writeUntilKilled(server, key, arrivals)
    server = await startProcess(env)
  }
  const postmaster = Number(
    (await readFile(join(env.DATA_DIR, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  await writeUntilKilled(server, key, 150)
  process.kill(postmaster, 'SIGKILL')

  server = await startProcess(env)
  const ids = await leadsThere(server, key)
  assert.ok(ids.length > 50, `only ${ids.length} leads`)
  for (const { path, secret } of hooks) {
    const told = () => new Set(receiver.at(path).map((one) => one.message.data.id))
    await receiver.until(() => ids.every((id) => told().has(id)), `all ${ids.length} at ${path}`, 60_000)
    for (const one of receiver.at(path)) verify(one, secret)
  }
  // What was delivered and written down is not sent again: only what was under way when it died is.
  const good = receiver.at('/good')
  assert.ok(good.length < ids.length + 3 * 120, `${good.length} arrivals of ${ids.length} events`)
  assert.equal(new Set(good.map((one) => one.id)).size, ids.length)
  assert.equal((await server.end('SIGTERM')).code, 0)
})
