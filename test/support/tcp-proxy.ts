import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atFileEnd } from './endings.ts'

export type Target = { port: number } | { path: string }

interface Pair {
  near: Socket
  far: Socket | null
  /** Bytes of the answers that may still pass. */
  left: number
}

export interface TcpProxy {
  port: number
  /** Connections under way. */
  connections(): number
  /** Resets all that are under way, as a router does that starts again. */
  cut(): void
  /** Resets each connection that is under way once so many bytes more have come back through it. */
  cutAfter(bytes: number): void
  /** Nothing passes any more and nobody is told, also of new connections, until it is called off. */
  stall(): () => void
  /** Nobody listens, until it is called off; what is under way goes on. */
  refuse(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** A way between two programs that can be cut. Of several targets the first that takes the connection has it, by turns. */
export async function startTcpProxy(targets: () => Target[]): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const waiting = new Set<() => void>()
  let stalled = false
  let turn = 0

  async function reach(): Promise<Socket | null> {
    const all = targets()
    const first = turn++
    for (let i = 0; i < all.length; i++) {
      const far = connect(all[(first + i) % all.length]! as { port: number; host?: string })
      const isThere = await new Promise<boolean>((resolve) => {
        far.once('connect', () => resolve(true)).once('error', () => resolve(false))
      })
      if (isThere) return far
    }
    return null
  }

  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, async (near) => {
    const pair: Pair = { near, far: null, left: Number.POSITIVE_INFINITY }
    pairs.add(pair)
    near.setNoDelay()
    near.on('error', () => near.destroy())
    near.once('close', () => {
      pairs.delete(pair)
      pair.far?.destroy()
    })
    while (stalled) await new Promise<void>((resolve) => waiting.add(resolve))
    const far = await reach()
    if (!far || near.destroyed) {
      far?.destroy()
      if (!near.destroyed) near.resetAndDestroy()
      return
    }
    pair.far = far
    far.setNoDelay()
    far.on('error', () => near.destroyed || near.resetAndDestroy())
    far.once('close', () => near.destroy())
    near.on('data', (bytes) => {
      if (!far.write(bytes)) near.pause()
    })
    far.on('drain', () => stalled || near.resume())
    near.on('end', () => far.end())
    far.on('data', (bytes: Buffer) => {
      pair.left -= bytes.length
      if (pair.left < 0) {
        near.write(bytes.subarray(0, bytes.length + pair.left), () => reset(pair))
        return
      }
      if (!near.write(bytes)) far.pause()
    })
    near.on('drain', () => stalled || far.resume())
    far.on('end', () => near.end())
    if (stalled) far.pause()
    else near.resume()
  })

  function reset({ near, far }: Pair): void {
    if (!near.destroyed) near.resetAndDestroy()
    // A socket of the file system cannot be reset.
    far?.destroy()
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const pair of pairs) reset(pair)
  }
  const stop = () => {
    // No callback of it waits for the connections, which may go on.
    server.close()
  }
  const close = async () => {
    if (server.listening) stop()
    cut()
  }
  atFileEnd(close)
  return {
    port,
    connections: () => pairs.size,
    cut,
    cutAfter(bytes) {
      for (const pair of pairs) pair.left = bytes
    },
    stall() {
      stalled = true
      for (const { near, far } of pairs) {
        near.pause()
        far?.pause()
      }
      return () => {
        stalled = false
        for (const { near, far } of pairs) {
          far?.resume()
          if (far) near.resume()
        }
        for (const go of waiting) go()
        waiting.clear()
      }
    },
    async refuse() {
      stop()
      return () => listen(port)
    },
    close,
  }
}
