import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from '../../support/endings.ts'

/** A host of the outside world whose files the server may copy. */
export interface FileHost {
  url: string
  /** For OUTBOUND_TRUSTED_HOSTS. */
  host: string
  /** What it answers at a path. */
  contentOf(path: string): Buffer
  /** Answers in its place, until null. */
  behave(behaviour: RequestListener | null): void
}

export async function startFileHost(): Promise<FileHost> {
  let behaviour: RequestListener | null = null
  const contentOf = (path: string) => Buffer.from(`What stands at ${path}.\n`.repeat(200))
  const server = createServer((request, response) => {
    if (behaviour) return behaviour(request, response)
    response.writeHead(200, { 'content-type': 'text/plain' }).end(contentOf(request.url!))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    contentOf,
    behave: (next) => {
      behaviour = next
    },
  }
}
