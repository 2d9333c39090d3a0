import type { FastifyRequest } from 'fastify'
import type { ToolResult } from './errors.ts'
import { serverInfo } from './server-info.ts'
import type { Tool } from './tool.ts'
import { offerTo } from './tools.ts'

const revision = '2026-07-28'

export interface OrdinaryCall {
  id: string | number
  tool: Tool
  args: unknown
}

const fields = new Set(['jsonrpc', 'id', 'method', 'params'])
const params = new Set(['name', 'arguments', '_meta'])
const only = (object: object, names: ReadonlySet<string>) =>
  Object.keys(object).every((name) => names.has(name))
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * A call of a tool that is offered, in the current protocol and with nothing unusual about it: nearly all are. It is answered without a
 * server of the library, which would take longer than all the rest (docs/performance.md). Null for all else, which is the library's.
 */
export function ordinaryCall({ headers, body, caller }: FastifyRequest): OrdinaryCall | null {
  if (headers['mcp-protocol-version'] !== revision || !isObject(body)) return null
  const { jsonrpc, id, method: asked, params: given } = body
  if (jsonrpc !== '2.0' || asked !== 'tools/call' || !isObject(given) || !only(body, fields)) return null
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null
  const { name, arguments: args } = given
  if (typeof name !== 'string' || !only(given, params) || (args !== undefined && !isObject(args))) return null
  if (headers['mcp-method'] !== asked || headers['mcp-name'] !== name) return null
  if (!isPlain(given['_meta'])) return null
  const tool = offerTo(caller!).tools.get(name)
  return tool ? { id: id as string | number, tool, args } : null
}

const about = 'io.modelcontextprotocol/'
const envelope = new Set([`${about}protocolVersion`, `${about}clientInfo`, `${about}clientCapabilities`])
const client = new Set(['name', 'version', 'title'])

/** What comes with each message of the current protocol, where it says nothing that has to be looked at. */
function isPlain(meta: unknown): boolean {
  if (!isObject(meta) || !only(meta, envelope) || meta[`${about}protocolVersion`] !== revision) return false
  const info = meta[`${about}clientInfo`]
  if (!isObject(meta[`${about}clientCapabilities`]) || !isObject(info) || !only(info, client)) return false
  return 'name' in info && 'version' in info && Object.values(info).every((text) => typeof text === 'string')
}

const meta = JSON.stringify({ [`${about}serverInfo`]: serverInfo })

/** As the library writes it. What is structured is the text of the content already. */
export function answerOf({ id }: OrdinaryCall, { content, structuredContent, isError }: ToolResult): string {
  const structured = structuredContent ? `,"structuredContent":${content[0]!.text}` : ''
  const failed = isError ? ',"isError":true' : ''
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":${JSON.stringify(content)}${structured}${failed},"resultType":"complete","_meta":${meta}}}`
}
