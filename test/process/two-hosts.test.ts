import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, secretKey, type TestDatabase } from '../support/database.ts'
import { createWorld, leadBody } from '../support/factories.ts'
import { type ServerProcess, startProcess, temporaryFolder } from '../support/process.ts'
import { type Receiver, startPlainReceiver } from '../support/webhook-receiver.ts'

const folder = await temporaryFolder()
after(() => folder.remove())

describe('two hosts on one database', () => {
  let database: TestDatabase
  let receiver: Receiver
  let key: string
  let hosts = 0

  const start = (env: Record<string, string> = {}) =>
    startProcess({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder.path, `host-${hosts++}`),
      SECRET_KEY: secretKey,
      DEMO: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      OUTBOUND_TRUSTED_HOSTS: receiver.host,
      LOG_LEVEL: 'info',
      ...env,
    })
  const leads = (server: ServerProcess) => server.output().includes('"leads: jobs')
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  async function post(server: ServerProcess, path: string, body: object): Promise<any> {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 201)
    return answer.json()
  }
  const write = async (server: ServerProcess, count: number): Promise<string[]> => {
    const made = await Promise.all(Array.from({ length: count }, () => post(server, '/v1/leads', leadBody)))
    return made.map(({ leadId }) => leadId)
  }
  const times = (id: string) => receiver.received.filter((one) => one.message.data.id === id).length

  before(async () => {
    database = await createTestDatabase()
    receiver = await startPlainReceiver()
    key = (await createWorld(database.db)).installer.key
  })
  after(async () => {
    await receiver.close()
    await database.drop()
  })

  test('one leads, and nothing is told twice; it dies by kill -9, and the other delivers all that is left', async (t) => {
    const a = await start()
    const b = await start()
    assert.deepEqual([leads(a), leads(b)], [true, false])
    await post(a, '/catalog/v1/webhooks', { url: receiver.url, events: ['lead.created'] })
    const first = (await Promise.all([write(a, 30), write(b, 30)])).flat()
    await receiver.until(() => first.every((id) => times(id) > 0), 'all of both hosts')
    assert.deepEqual([...new Set(first.map(times))], [1])

    const second = write(b, 60)
    await receiver.until(() => receiver.received.length > first.length + 5, 'some of the second')
    process.kill(a.child.pid!, 'SIGKILL')
    const killedAt = performance.now()
    let takenAt = 0
    const ids = await second
    await receiver.until(() => {
      if (takenAt === 0 && leads(b)) takenAt = performance.now()
      return ids.every((id) => times(id) > 0)
    }, 'all of the second')
    t.diagnostic(
      `the other leads after at most ${Math.round(takenAt - killedAt)} ms, all is delivered after ${Math.round(performance.now() - killedAt)} ms`,
    )
    await b.end('SIGTERM')
  })

  test('ROLE=web serves and runs no job, ROLE=worker runs them and serves nobody', async () => {
    const web = await start({ ROLE: 'web' })
    const [id] = await write(web, 1)
    const sessions = () =>
      database.rows<{ name: string }>(
        `select application_name as name from pg_stat_activity where datname = current_database()
         and application_name in ('sunstead-leader', 'sunstead-queue')`,
      )
    assert.deepEqual(await sessions(), [])
    const worker = await start({ ROLE: 'worker' })
    await receiver.until(() => times(id!) === 1, 'what the one wrote, by the other')
    const status = async (path: string) => (await fetch(worker.url + path)).status
    for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal(await status(path), 200, path)
    for (const path of ['/v1/me', '/', '/docs', '/console/api/me'])
      assert.equal(await status(path), 404, path)
    assert.equal(leads(web), false)
    await Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')])
  })
})
