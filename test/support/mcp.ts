import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { atFileEnd } from './endings.ts'
import { root, userEnvironment } from './process.ts'

export type Era = 'modern' | 'legacy'

export interface Agent {
  client: Client
  /** Calls a tool that must not be refused; answers what it says. */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests find out
  does(name: string, args?: Record<string, unknown>): Promise<any>
  /** Calls a tool that must be refused; answers why. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>
}

const pinned = '2026-07-28'

function clientOf(era: Era): Client {
  const mode = era === 'modern' ? { pin: pinned } : 'legacy'
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
}

/** The official client over HTTP, by this key. */
export async function connectAgent(url: string, key: string, era: Era = 'modern'): Promise<Agent> {
  const client = clientOf(era)
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  atFileEnd(() => client.close())
  return agentOf(client)
}

/** The official client over the command line's standard input and output. */
export async function connectByCommand(
  url: string,
  key: string,
  era: Era = 'modern',
): Promise<Agent & { transport: StdioClientTransport; errors(): string }> {
  const client = clientOf(era)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/sunstead.js'), 'mcp', '--base-url', url],
    env: userEnvironment({ SUNSTEAD_KEY: key }) as Record<string, string>,
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk) => {
    errors += chunk
  })
  await client.connect(transport)
  atFileEnd(() => client.close())
  return { ...agentOf(client), transport, errors: () => errors }
}

function agentOf(client: Client): Agent {
  const call = (name: string, args: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: args }) as Promise<CallToolResult>
  const textOf = ({ content }: CallToolResult) => {
    const [first] = content
    assert.equal(first?.type, 'text')
    return first.text
  }
  return {
    client,
    async does(name, args) {
      const result = await call(name, args)
      assert.notEqual(result.isError, true, `${name}: ${textOf(result)}`)
      // Old clients read the text, others what is structured: it is the same.
      assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent)
      return result.structuredContent
    },
    async refused(name, args) {
      const result = await call(name, args)
      assert.equal(result.isError, true, `${name}: ${textOf(result)}`)
      return textOf(result)
    },
  }
}
