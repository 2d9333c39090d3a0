import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { fastify } from 'fastify'
import { createBodyBudget, reserveQuota } from '../../../src/api/http/body-budget.ts'
import { hangUp } from '../../../src/api/http/hang-up.ts'

const share = { group: 'inst_1', owner: 'key_1' }
const room = createBodyBudget()
/** All that one owner may hold: there is room for it only where nobody holds anything. */
const allOfOne = 48 * 1_048_576

// Goes on once the caller has gone, as where the database was waited for.
const server = fastify()
const seen: AbortSignal[] = []
let ended = Promise.withResolvers<void>()
server.addHook('onRequest', async (_request, reply) => {
  if (!reply.raw.closed) await once(reply.raw, 'close')
})
reserveQuota(server, room, () => share)
server.setErrorHandler((_error, _request, reply) => {
  ended.resolve()
  return reply.code(499).send()
})
for (const method of ['GET', 'POST'])
  server.route({
    method,
    url: '/',
    handler: async (_request, reply) => {
      seen.push(hangUp(reply))
      ended.resolve()
      return 'done'
    },
  })
await server.listen({ host: '127.0.0.1', port: 0 })
after(() => server.close())

async function sendAndGo(head: string): Promise<void> {
  const arrived = once(server.server, 'request')
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${head}\r\nhost: x\r\n\r\n`)
  await arrived
  ended = Promise.withResolvers()
  socket.resetAndDestroy()
  await ended.promise
}

test('a body that somebody announced who has gone since takes no room', async () => {
  await sendAndGo('POST / HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 1000000')
  assert.equal(seen.length, 0)
  const held = room.hold(share)
  held.grow(allOfOne)
  held.letGo()
})

test('work that begins after its caller has gone is told so at once', async () => {
  await sendAndGo('GET / HTTP/1.1')
  assert.deepEqual(
    seen.map(({ aborted }) => aborted),
    [true],
  )
})
