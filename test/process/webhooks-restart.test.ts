import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeDataDir } from '../support/data-dir.ts'
import { leadBody } from '../support/factories.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'
import { startPlainReceiver, verify } from '../support/webhook-receiver.ts'

const folder = await temporaryFolder()
const receiver = await startPlainReceiver()
const env = {
  DATA_DIR: join(folder.path, 'data'),
  DEMO: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  OUTBOUND_TRUSTED_HOSTS: receiver.host,
}
after(async () => {
  await receiver.close()
  await folder.remove()
})

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
async function post(server: ServerProcess, key: string, path: string, body: object): Promise<any> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201)
  return answer.json()
}

test('a server stops although a receiver hangs, and its next start delivers what was under way', async () => {
  const { key } = await makeDataDir(env.DATA_DIR)
  let server = await startProcess(env)
  const register = (path: string) =>
    post(server, key, '/catalog/v1/webhooks', { url: receiver.url + path, events: ['lead.created'] })
  const hanging = await register('/hanging')
  await register('/prompt')
  receiver.behave('/hanging', () => {})
  for (let i = 0; i < 3; i++) await post(server, key, '/v1/leads', leadBody)
  const before = await receiver.arrived('/hanging', 3)
  await receiver.arrived('/prompt', 3)
  const { code, ms } = await server.end('SIGTERM')
  assert.equal(code, 0)
  // A delivery may take 15 seconds.
  assert.ok(ms < 15_000, `it took ${ms} ms to stop`)

  receiver.behave('/hanging', (response) => response.writeHead(204).end())
  server = await startProcess(env)
  const all = await receiver.arrived('/hanging', 6)
  const ids = (messages: typeof all) => messages.map((one) => one.id).toSorted()
  assert.deepEqual(ids(all.slice(3)), ids(before))
  for (const one of all) verify(one, hanging.secret)
  assert.equal((await server.end('SIGTERM')).code, 0)
  // What had arrived and was written down was not sent again.
  assert.equal(receiver.at('/prompt').length, 3)
})
