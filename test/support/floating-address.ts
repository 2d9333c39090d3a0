import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atFileEnd } from './endings.ts'

/** An address that leads to whichever server is the primary just now, as one of a cluster does. */
export interface FloatingAddress {
  port: number
  /** New connections lead there; those that are open go on. */
  moveTo(port: number): void
}

export async function floatingAddress(first: number): Promise<FloatingAddress> {
  let target = first
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    moveTo(port) {
      target = port
    },
  }
}
