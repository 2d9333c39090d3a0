import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { atFileEnd } from './endings.ts'

/**
 * What happens to a call on its way. `before`: the server never hears of it. `after`: it has been done, and its answer is
 * lost. `within`: the answer is cut half-way.
 */
export type Fault =
  | { answer: number; retryAfter?: number | string; location?: string; when: 'before' | 'after' }
  | { cut: 'before' | 'after' | 'within' }

export interface Passed {
  method: string
  path: string
  headers: Record<string, string | undefined>
  fault: Fault | undefined
}

export interface FaultyProxy {
  url: string
  /** Every attempt that has come by, in order. */
  passed: Passed[]
}

/** Of this connection, not of the one behind. */
const ofConnection = new Set(['connection', 'transfer-encoding', 'content-length', 'keep-alive'])

/** A way to a server on which calls fail as `faultOf` says; the others pass as they are. */
export async function startFaultyProxy(
  target: string,
  faultOf: (call: Passed) => Fault | undefined,
): Promise<FaultyProxy> {
  const agent = new Agent({ connections: 64 })
  const passed: Passed[] = []
  const cut = (request: IncomingMessage) => request.socket.resetAndDestroy()

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = await buffer(request)
    const { method = '', url: path = '' } = request
    const call: Passed = { method, path, headers: request.headers as Passed['headers'], fault: undefined }
    call.fault = faultOf(call)
    passed.push(call)
    const { fault } = call
    const when = fault && ('cut' in fault ? fault.cut : fault.when)
    if (when === 'before') return fail(request, response, fault!)
    const kept = Object.entries(call.headers).filter(([name]) => !ofConnection.has(name))
    const answer = await agent.request({
      origin: target,
      path,
      method: method as 'GET',
      headers: Object.fromEntries(kept),
      body: body.length > 0 ? body : null,
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    if (when === 'after') return fail(request, response, fault!)
    response.writeHead(answer.statusCode, answer.headers)
    if (when !== 'within') return response.end(bytes)
    return response.write(bytes.subarray(0, bytes.length / 2), () => cut(request))
  }

  function fail(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
    if ('cut' in fault) return void cut(request)
    const { answer, retryAfter, location } = fault
    const error = { code: answer === 429 ? 'rate_limited' : 'unavailable', message: 'Not now.', docs: '' }
    if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
    if (location !== undefined) response.setHeader('location', location)
    response.writeHead(answer, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error }))
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => cut(request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atFileEnd(async () => {
    server.closeAllConnections()
    server.close()
    await agent.destroy()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed }
}

/** The first calls fail so, one after the other; whatever follows passes. */
export function firstFail(...faults: Fault[]): () => Fault | undefined {
  return () => faults.shift()
}
