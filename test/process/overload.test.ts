import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, lead } from '../support/factories.ts'
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

/** So many callers, each sending as soon as it is answered; answers by status. */
async function flood(callers: number, answers: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  const { port } = new URL(server.url)
  const asked = `GET /v1/leads HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${installer.key}\r\n\r\n`
  let left = answers
  const caller = (): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      let head = ''
      let missing = -1
      const socket = connect(Number(port), '127.0.0.1')
      const send = () => {
        if (left-- > 0) socket.write(asked)
        else socket.destroy()
      }
      socket.on('connect', send)
      socket.on('data', (chunk) => {
        let taken = chunk.length
        if (missing < 0) {
          const before = head.length
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)![1])
          taken = before + chunk.length - end - 4
        }
        missing -= taken
        if (missing > 0) return
        const status = head.slice(9, 12)
        const isPublished = status !== '503' || /\r\nretry-after: [1-9]/i.test(head)
        seen.set(isPublished ? status : 'no Retry-After', (seen.get(status) ?? 0) + 1)
        head = ''
        missing = -1
        send()
      })
      // Who comes while those of the test before are still leaving is one too many, and comes again.
      socket.on('error', (error) => (socket.bytesRead > 0 ? reject(error) : resolve(caller())))
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: callers }, caller))
  return seen
}

// As many as one address may have connections, nearly.
const callers = 4_500

test('with far more callers at once than it can serve, it serves some, sends the others away, and is well after', async () => {
  agent.destroy()
  for (let i = 0; i < 50; i++) await lead(installer)
  await flood(50, 500)
  const before = memory()
  const seen = await flood(callers, 10_000)
  assert.deepEqual([...seen.keys()].sort(), ['200', '503'], JSON.stringify([...seen]))
  const grown = (memory() ?? 0) - (before ?? 0)
  // Some 50 kB for each caller that is connected and asks, whatever it is told.
  assert.ok(grown < 350, `grew by ${grown} MB`)
  assert.deepEqual([...(await flood(50, 200)).keys()], ['200'])
})
