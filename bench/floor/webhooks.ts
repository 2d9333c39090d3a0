import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Agent } from 'undici'

// A bare loop of posts: the bodies that were really sent, with as many headers, which nobody signs or keeps.

const client = new pg.Client({ connectionString: process.env['DATABASE_URL']! })
await client.connect()
const agent = new Agent()
let posts = 0

/** By the leanest way that the library has, as ours. */
function post(origin: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    agent.dispatch(
      {
        origin,
        path: '/floor',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Sunstead-Webhooks/0.0.0',
          'webhook-id': `dlv_${String(++posts).padStart(24, '0')}`,
          'webhook-timestamp': '1700000000',
          'webhook-signature': `v1,${'0'.repeat(43)}=`,
        },
        body,
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status) {
          if (status !== 200) reject(new Error(`answered ${status}`))
        },
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}

/** Posts each body to each port, `atOnce` at a time to each. Answers how long that took. */
async function postAll(bodies: readonly string[], ports: readonly number[], atOnce: number): Promise<number> {
  const startedAt = performance.now()
  const loops = ports.flatMap((port) => {
    let next = 0
    const loop = async () => {
      while (next < bodies.length) await post(`http://127.0.0.1:${port}`, bodies[next++]!)
    }
    return Array.from({ length: atOnce }, loop)
  })
  await Promise.all(loops)
  return performance.now() - startedAt
}

const server = createServer(async (request, response) => {
  const [, name, installerId, count, atOnce, ports] = request.url!.split('/')
  if (name === 'readyz') return response.end()
  const { rows } = await client.query<{ body: string }>(
    'select body from webhook_messages where installer_id = $1 order by event_at desc, event_ordinal limit $2',
    [installerId, count],
  )
  const bodies = rows.map(({ body }) => body)
  response.end(String(await postAll(bodies, ports!.split(',').map(Number), Number(atOnce))))
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
