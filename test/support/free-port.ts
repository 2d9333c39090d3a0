import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port where nobody listens just now: for programs that must be told theirs before they start. Below those that systems give
 * to outgoing connections, of which one could take it in the meantime.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = randomInt(20_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch (error) {
      if (tries < 20) continue
      throw error
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
