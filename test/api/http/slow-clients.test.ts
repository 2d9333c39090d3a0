import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp, usualLimits } from '../../../src/app.ts'
import { startApp } from '../../support/app.ts'

// The whole server again, on another port, with limits that a test can wait for.
const { server } = await startApp()
const connections = 20
const app = await buildApp(server.deps, {
  ...usualLimits,
  departure: { lookMs: 1_500, bytesPerSecond: 10_000 },
  connections: { all: connections, ofOneAddress: connections },
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
after(() => {
  app.server.closeAllConnections()
  return app.close()
})

/** The server's end of the next connection. */
async function open(): Promise<{ near: Socket; far: Socket }> {
  const connected = once(app.server, 'connection')
  const near = connect({ host: '127.0.0.1', port }).on('error', () => {})
  const [far] = (await connected) as [Socket]
  return { near, far }
}

const long = 'GET /docs/postman.json HTTP/1.1\r\nhost: x\r\n\r\n'
// Together more than the system holds for a connection.
const times = 60
const longBytes = 200_000

test('who does not take its answers is hung up on', async () => {
  const { near, far } = await open()
  near.pause()
  near.write(long.repeat(times))
  await once(far, 'close')
  near.destroy()
})

test('who takes them little by little, faster than the least, gets them all', async () => {
  const { near, far } = await open()
  let bytes = 0
  near.on('data', (chunk) => {
    bytes += chunk.length
    near.pause()
    setTimeout(() => near.resume(), 5)
  })
  near.write(long.repeat(times))
  while (bytes < times * longBytes && !far.destroyed) await sleep(20)
  assert.ok(bytes >= times * longBytes, `${bytes} bytes`)
  near.destroy()
})

test('connections that are kept for later shut nobody out', async () => {
  const agents: http.Agent[] = []
  const get = () =>
    new Promise<number>((resolve, reject) => {
      const agent = new http.Agent({ keepAlive: true })
      agents.push(agent)
      const asked = http.get({ port, path: '/healthz', agent }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode!))
      })
      asked.on('error', reject)
    })
  try {
    for (let i = 0; i < 3 * connections; i++) assert.equal(await get(), 200)
  } finally {
    for (const agent of agents) agent.destroy()
  }
})

test('one address has its part of the connections, a trusted proxy has all of them', async () => {
  const limits = { ...usualLimits, connections: { all: 100, ofOneAddress: 5 } }
  const count = async (trustedProxies: string[]) => {
    const shared = await buildApp({ ...server.deps, trustedProxies }, limits)
    await shared.listen({ host: '127.0.0.1', port: 0 })
    const { port: sharedPort } = shared.server.address() as AddressInfo
    const sockets = Array.from({ length: 8 }, () => connect(sharedPort, '127.0.0.1').on('error', () => {}))
    let answered = 0
    await Promise.all(
      sockets.map(async (socket) => {
        socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
        const said = await Promise.race([once(socket, 'data'), once(socket, 'end'), once(socket, 'close')])
          .then(([bytes]) => bytes instanceof Buffer)
          .catch(() => false)
        if (said) answered++
      }),
    )
    for (const socket of sockets) socket.destroy()
    shared.server.closeAllConnections()
    await shared.close()
    return answered
  }
  assert.deepEqual([await count([]), await count(['10.0.0.1', '127.0.0.0/8'])], [5, 8])
})
