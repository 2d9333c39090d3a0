import {
  type CallToolResult,
  type GetPromptResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { apiError, noteFailure } from '../http/errors.ts'
import { JsonText } from './answer-text.ts'
import { callTool } from './call-tool.ts'
import { instructions } from './instructions.ts'
import { describePrompts, getPrompt } from './prompts.ts'
import { describeResources, describeTemplates, readResource } from './resources.ts'
import { serverInfo } from './server-info.ts'
import type { ToolCall } from './tool.ts'
import { isTool, offerTo } from './tools.ts'

/** One message and whoever sent it. */
export interface Exchange {
  call: ToolCall
  request: FastifyRequest
}

const options = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions,
  // What is asked for is held against our own schemas. Without one given, each server would make a compiler.
  jsonSchemaValidator: {
    getValidator() {
      throw new Error('nothing is asked of clients')
    },
  },
}

/**
 * A server for one message: it is stateless. The lower layer of the library, as the tools are those of the caller, and as
 * the upper one would put their schemas together anew for each message.
 */
export function createServer(exchange: Exchange): Server {
  const { call, request } = exchange
  const { caller } = call
  const server = new Server(serverInfo, options)
  server.setRequestHandler('tools/list', () => ({ tools: offerTo(caller).described }) as ListToolsResult)
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
    const tool = offerTo(caller).tools.get(name)
    if (!tool) throw noSuchTool(name)
    const { structuredContent: structured, ...result } = await callTool(tool, call, args, request)
    if (structured === undefined) return result as CallToolResult
    // The library looks into it, and takes nothing but an ordinary object.
    const structuredContent = structured instanceof JsonText ? structured.toJSON() : structured
    return { ...result, structuredContent } as CallToolResult
  })
  server.setRequestHandler(
    'resources/list',
    () => ({ resources: describeResources(caller) }) as ListResourcesResult,
  )
  server.setRequestHandler(
    'resources/templates/list',
    () => ({ resourceTemplates: describeTemplates(caller) }) as ListResourceTemplatesResult,
  )
  server.setRequestHandler(
    'resources/read',
    ({ params: { uri } }) =>
      readResource(call, uri).catch((error) => {
        throw protocolError(error, request, uri)
      }) as Promise<ReadResourceResult>,
  )
  server.setRequestHandler('prompts/list', () => ({ prompts: describePrompts(caller) }) as ListPromptsResult)
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: args } }) => {
    try {
      return getPrompt(caller, name, args) as GetPromptResult
    } catch (error) {
      throw protocolError(error, request)
    }
  })
  return server
}

function noSuchTool(name: string): ProtocolError {
  const why = isTool(name)
    ? 'This key is not offered that tool. Call who_am_i to see what it may do.'
    : 'There is no such tool. tools/list says which there are.'
  return new ProtocolError(ProtocolErrorCode.InvalidParams, why)
}

/** Where there is no tool whose answer says it. */
function protocolError(error: unknown, request: FastifyRequest, uri?: string): ProtocolError {
  const { code, message } = apiError(error, request)
  noteFailure(error, code, request)
  if (code === 'not_found' && uri !== undefined) return new ResourceNotFoundError(uri)
  const ours = code === 'internal' || code === 'unavailable'
  const kind = ours ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
  return new ProtocolError(kind, `${code}: ${message}`)
}
