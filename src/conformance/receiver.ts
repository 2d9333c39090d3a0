import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fail, NotApplicable } from './outcome.ts'

export interface Received {
  headers: Record<string, string>
  body: string
  json: unknown
}

export interface Receiver {
  /** A new address of its own, and its path. */
  address(): { url: string; path: string }
  at(path: string): Received[]
  /** The first at a path for which it holds; a failure where none comes in time. */
  until(path: string, what: string, holds: (received: Received) => boolean): Promise<Received>
  close(): Promise<void>
}

const limitMs = 30_000
const maxBodyBytes = 1024 * 1024

/** Listens for webhooks. What leads to it from the server's side, a tunnel for instance, is the operator's. */
export async function openReceiver(listen: { url: string; host: string; port: number }): Promise<Receiver> {
  const received = new Map<string, Received[]>()
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBodyBytes) request.destroy()
      chunks.push(chunk)
    })
    request.on('error', () => {})
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const path = new URL(request.url ?? '/', 'http://receiver').pathname
      const before = received.get(path)
      before?.push({ headers: request.headers as Record<string, string>, body, json: parsed(body) })
      response.writeHead(before ? 204 : 404).end()
      for (const look of [...waiting]) look()
    })
  })
  server.listen(listen.port, listen.host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new NotApplicable(`the kit cannot listen there (--receiver-listen): ${(error as Error).message}`)
  }
  const prefix = new URL(listen.url).pathname.replace(/\/$/, '')
  return {
    address() {
      const path = `${prefix}/conformance-${randomBytes(8).toString('hex')}`
      received.set(path, [])
      return { url: new URL(path, listen.url).href, path }
    },
    at: (path) => received.get(path) ?? [],
    until: (path, what, holds) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = received.get(path)?.find(holds)
          if (!found) return
          end()
          resolve(found)
        }
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        const timer = setTimeout(() => {
          end()
          try {
            fail(`${what} did not arrive within ${limitMs / 1000} s`)
          } catch (error) {
            reject(error)
          }
        }, limitMs)
        waiting.add(look)
        look()
      }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
