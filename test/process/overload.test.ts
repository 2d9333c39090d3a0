import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createTestDatabase } from '../support/database.ts'
import { createWorld } from '../support/factories.ts'
import { startProcess, temporaryFolder } from '../support/process.ts'

const folder = await temporaryFolder()
const database = await createTestDatabase()
const { installer } = await createWorld(database.db)
const server = await startProcess({
  DATABASE_URL: database.url,
  DATA_DIR: join(folder.path, 'data'),
  DEMO: '0',
  RATE_LIMIT_PER_MINUTE: '0',
})
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
after(async () => {
  agent.destroy()
  await server.end('SIGTERM')
  await database.drop()
  await folder.remove()
})

interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

function ask(path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(server.url + path, { agent, headers: { authorization: `Bearer ${installer.key}` } })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'], text })
    })
    asked.end()
  })
}

/** In MB; null where it cannot be looked up. */
function memory(): number | null {
  if (process.platform !== 'linux') return null
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024
}

const calls = 4_000
const served = 1_000

test('of more than it can serve it turns the rest away at once, and stays within its memory', async () => {
  // As many as ever wait at once are served, however slow it is.
  await ask('/v1/leads')
  const before = memory()
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin; lock table leads in access exclusive mode')
  const seen: Answer[] = []
  const asked = Array.from({ length: calls }, async () => {
    seen.push(await ask('/v1/leads'))
  })
  // Who is turned away is told so while the others still wait.
  while (seen.length < calls / 2) await sleep(10)
  assert.deepEqual([...new Set(seen.map(({ status }) => status))], [503], server.output())
  assert.deepEqual([(await ask('/healthz')).status, (await ask('/readyz')).status], [200, 200])
  await holder.end()
  await Promise.all(asked)

  const refused = seen.filter(({ status }) => status === 503)
  assert.ok(
    refused.every(({ retryAfter, text }) => /^[1-9]\d*$/.test(retryAfter!) && text.includes('"unavailable"')),
  )
  assert.equal(seen.filter(({ status }) => status === 200).length + refused.length, calls)
  const grown = (memory() ?? 0) - (before ?? 0)
  assert.ok(grown < 200, `grew by ${grown} MB`)
  // It is told once in a while, not four thousand times.
  while (!server.output().includes('calls are answered 503')) await sleep(20)
  assert.ok(server.output().split('\n').length < 20)

  const honest = await Promise.all(Array.from({ length: served / 4 }, () => ask('/v1/leads')))
  assert.ok(honest.every(({ status }) => status === 200))
})
