import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startApp } from '../support/app.ts'
import { createWorld } from '../support/factories.ts'
import { root, temporaryFolder, userEnvironment } from '../support/process.ts'
import { snippetPages } from '../support/snippets.ts'

interface Settings {
  mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>
}

test('the settings that the guide for agents shows start the bridge from any folder', async () => {
  const app = await startApp()
  const { installer } = await createWorld(app.database.db)
  const { snippets } = snippetPages().find(({ name }) => name === 'agents.md')!
  const shown = snippets.find(({ text }) => text.includes('mcpServers'))!.text
  const here = shown
    .replaceAll('/path/to/sunstead', root)
    .replaceAll('http://127.0.0.1:8080', app.url)
    .replaceAll('psk_your_key', installer.key)
  const { command, args, env } = (JSON.parse(here) as Settings).mcpServers['sunstead']!
  const folder = await temporaryFolder()
  const client = new Client({ name: 'test', version: '1' })
  const environment = userEnvironment(env) as Record<string, string>
  await client.connect(new StdioClientTransport({ command, args, env: environment, cwd: folder.path }))
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'who_am_i'))
  await client.close()
  await folder.remove()
})
