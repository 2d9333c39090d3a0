import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { startHttpsServer } from './https-server.ts'

export interface Received {
  path: string
  id: string
  headers: Record<string, string>
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: what a message holds is what the tests find out
  message: any
  at: number
}

/** How the receiver behaves at a path: by default it answers 204. */
export type Behaviour = (response: ServerResponse, received: Received) => void

export interface Receiver {
  url: string
  /** For OUTBOUND_TRUSTED_HOSTS. */
  host: string
  ca: string
  received: Received[]
  at(path: string): Received[]
  behave(path: string, behaviour: Behaviour): void
  /** Settles when `condition` holds; it is asked after each arrival. */
  until(condition: () => boolean, what: string, limitMs?: number): Promise<void>
  /** Settles when so many have arrived at a path. */
  arrived(path: string, count: number, limitMs?: number): Promise<Received[]>
  close(): Promise<void>
}

function createBehaviours() {
  const received: Received[] = []
  const behaviours = new Map<string, Behaviour>()
  const waiting = new Set<() => void>()
  const listener: RequestListener = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    try {
      for await (const part of request.setEncoding('utf8')) body += part
    } catch {
      return
    }
    const headers = request.headers as Record<string, string>
    const one: Received = {
      path: request.url!,
      id: headers['webhook-id']!,
      headers,
      body,
      message: body === '' ? null : JSON.parse(body),
      at: Date.now(),
    }
    received.push(one)
    const behaviour = behaviours.get(one.path) ?? ((answer) => answer.writeHead(204).end())
    behaviour(response, one)
    for (const look of [...waiting]) look()
  }
  const at = (path: string) => received.filter((one) => one.path === path)
  const until = (condition: () => boolean, what: string, limitMs = 180_000) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`${what}: not within ${limitMs} ms; ${received.length} have arrived`))
      }, limitMs)
      const look = () => {
        if (!condition()) return
        waiting.delete(look)
        clearTimeout(timer)
        resolve()
      }
      waiting.add(look)
      look()
    })
  return {
    listener,
    received,
    at,
    until,
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    async arrived(path: string, count: number, limitMs?: number) {
      await until(() => at(path).length >= count, `${count} at ${path}`, limitMs)
      return at(path)
    },
  }
}

/** A receiver of webhooks that speaks HTTPS with a certificate of its own. */
export async function startReceiver(): Promise<Receiver> {
  const { listener, ...rest } = createBehaviours()
  const server = await startHttpsServer(listener)
  return { ...rest, url: server.url, host: `localhost:${server.port}`, ca: server.ca, close: server.close }
}

/** The same without TLS, for a server process that does not know our certificate. */
export async function startPlainReceiver(): Promise<Receiver> {
  const { listener, ...rest } = createBehaviours()
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  return {
    ...rest,
    url: `http://${host}`,
    host,
    ca: '',
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Proves by the package that receivers use that a message was signed with this secret. */
export function verify(received: Received, secret: string, format?: 'raw'): void {
  const webhook = format ? new Webhook(secret, { format }) : new Webhook(secret)
  const message = webhook.verify(received.body, received.headers)
  assert.deepEqual(message, received.message)
}
