import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { parsed } from '../support/app.ts'
import { atFileEnd } from '../support/endings.ts'

/** A request on its way, which a fault may change. */
export interface Asked {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  key: string | null
  // biome-ignore lint/suspicious/noExplicitAny: faults reach into whatever is sent
  body: any
}

export interface Answered {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: faults reach into whatever is answered
  body: any
}

/** One thing that a server does wrong. */
export interface Fault {
  name: string
  /** The rules that must fail by it, and no other of those that are run. */
  fails: string[]
  /** What is run. */
  within: string[]
  when(asked: Asked): boolean
  /** Before it reaches the server. */
  ask?(asked: Asked): void
  /** Before it reaches the caller. */
  answer?(answered: Answered, asked: Asked): void
  /** Instead of any answer. */
  cut?: true
  /** Runs behind a limit of 100 calls a minute. */
  limited?: true
}

export interface FaultyProxy {
  url: string
  plant(fault: Fault | null, target: string): void
}

/** Stands between the kit and our real server, and changes what the planted fault changes. */
export async function startFaultyProxy(): Promise<FaultyProxy> {
  const agent = new Agent({ connections: 32 })
  let planted: Fault | null = null
  let target = ''

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    const url = new URL(request.url!, 'http://proxy')
    const {
      authorization,
      'content-type': contentType,
      ...headers
    } = request.headers as Record<string, string>
    const asked: Asked = {
      method: request.method!,
      path: url.pathname,
      query: url.searchParams,
      key: authorization?.replace('Bearer ', '') ?? null,
      body: parsed(text),
    }
    const fault = planted?.when(asked) ? planted : null
    if (fault?.cut) return void request.socket.destroy()
    const queryBefore = asked.query.toString()
    const bodyBefore = JSON.stringify(asked.body)
    const keyBefore = asked.key
    fault?.ask?.(asked)
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete headers[name]
    const changedBody = JSON.stringify(asked.body) !== bodyBefore
    const changedQuery = asked.query.toString() !== queryBefore
    const sent = asked.key === keyBefore ? authorization : `Bearer ${asked.key}`
    const answer = await agent.request({
      origin: target,
      path: asked.path + (changedQuery ? `?${asked.query}` : url.search),
      method: asked.method as 'GET',
      headers: {
        ...headers,
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...(sent === undefined ? {} : { authorization: sent }),
      },
      body: changedBody ? JSON.stringify(asked.body) : text || null,
    })
    const plain = await answer.body.text()
    const answered: Answered = {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: parsed(plain),
    }
    fault?.answer?.(answered, asked)
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = answered.headers
    response.writeHead(answered.status, rest).end(fault?.answer ? JSON.stringify(answered.body) : plain)
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(async () => {
    server.close()
    server.closeAllConnections()
    await agent.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plant(fault, at) {
      planted = fault
      target = at
    },
  }
}
