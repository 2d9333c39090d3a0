import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { createServer, type Exchange } from './server.ts'
import { path } from './server-info.ts'
import type { ToolCall } from './tool.ts'

// Nothing is told of itself, so that no answer goes on for long: whoever wants to know what changed asks. So it holds nothing either
// that would have to be closed.
const handler = createMcpHandler(({ authInfo }) => createServer(authInfo!.extra!['exchange'] as Exchange), {
  maxSubscriptions: 0,
})

/** Answers a message as the library of the protocol does: all but ordinary calls of tools. */
export async function answerByLibrary(
  call: ToolCall,
  request: FastifyRequest,
): Promise<{ status: number; text: string }> {
  const { body } = request
  const authInfo = {
    token: '',
    clientId: call.caller.keyPrefix,
    scopes: [],
    extra: { exchange: { call, request } },
  }
  const sent = webRequest(call.deps, request, call.gone())
  const given = { authInfo, ...(body === undefined ? {} : { parsedBody: body }) }
  const isOld = body !== undefined && (await isLegacyRequest(sent, body))
  const response = isOld ? await answerOld(sent, given, { call, request }) : await handler.fetch(sent, given)
  return { status: response.status, text: await response.text() }
}

/** Of a client that still begins with `initialize`. It is answered by a body, never by a stream, like the others. */
async function answerOld(
  sent: Request,
  given: { parsedBody?: unknown },
  exchange: Exchange,
): Promise<Response> {
  const server = createServer(exchange)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(sent, given)
  } finally {
    await server.close()
  }
}

/** What the protocol says in headers. */
const passed = ['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** The call as the library reads it: its body is parsed already. */
function webRequest(
  { addresses }: Deps,
  { method, headers: sent }: FastifyRequest,
  signal: AbortSignal,
): Request {
  const headers: Record<string, string> = {}
  for (const name of passed) {
    const value = sent[name]
    if (typeof value === 'string') headers[name] = value
  }
  return new Request(addresses.baseUrl + path, { method, headers, signal })
}
