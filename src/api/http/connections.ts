import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isIn, networkOf } from '../../platform/network.ts'

export interface ConnectionLimits {
  /** Each takes some 15 kB, whether anything is asked over it or not. */
  all: number
  /** From one address, unless it is a trusted proxy's. */
  ofOneAddress: number
}

export const connectionLimits: ConnectionLimits = { all: 10_000, ofOneAddress: 5_000 }

/** Why one was ended that its caller would have kept; idle ones that are closed in time are not counted. */
export type EndReason = 'slow head' | 'slow body' | 'answer not taken' | 'idle' | 'too many'
export type ConnectionEnded = (reason: EndReason) => void

const crowded = 0.9
/** Looking for idle ones goes over all connections: not for each that comes. */
const lookEvery = 0.05

/**
 * Bounds how many connections there are. One address has half of them at most, and before the last are taken those that
 * nobody asks anything over are closed: whoever opens thousands and says nothing shuts nobody out.
 */
export function limitConnections(
  server: Server,
  { all, ofOneAddress }: ConnectionLimits,
  trustedProxies: readonly string[],
  ended: ConnectionEnded,
): void {
  server.maxConnections = all
  server.on('drop', () => ended('too many'))
  const byAddress = new Map<string, number>()
  const open = new Set<Socket>()
  let sinceLook = all
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const from = networkOf(address)
    const others = byAddress.get(from) ?? 0
    open.add(socket)
    sinceLook++
    byAddress.set(from, others + 1)
    socket.once('close', () => {
      open.delete(socket)
      const left = byAddress.get(from)! - 1
      if (left === 0) byAddress.delete(from)
      else byAddress.set(from, left)
    })
    if (others >= ofOneAddress && !isIn(address, trustedProxies)) {
      ended('too many')
      socket.destroy()
    }
    if (open.size < all * crowded || sinceLook < all * lookEvery) return
    sinceLook = 0
    for (const one of open) {
      if (!isIdle(one)) continue
      ended('idle')
      one.destroy()
    }
  })
}

/** Something was asked, and nothing is any more. Node's own closing of idle ones takes those too that just came. */
function isIdle(socket: Socket): boolean {
  return socket.bytesRead > 0 && !(socket as { _httpMessage?: unknown })._httpMessage
}
