import type { Command } from 'commander'
import { bridge } from './mcp-bridge.ts'

interface Options {
  baseUrl?: string
  key?: string
}

const defaultBaseUrl = 'http://127.0.0.1:8080'

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'speak MCP on standard input and output, for a program that starts it, and hand it on to a server',
    )
    .option('--base-url <url>', `the server; SUNSTEAD_BASE_URL when absent, else ${defaultBaseUrl}`)
    .option(
      '--key <key>',
      'a company key; SUNSTEAD_KEY when absent, where the list of processes does not show it',
    )
    .action(({ baseUrl, key }: Options) => {
      const secret = (key ?? process.env['SUNSTEAD_KEY'] ?? '').trim()
      if (!secret) throw new Error('A company key is needed: set SUNSTEAD_KEY, or give --key.')
      // Else it would be refused as a header, in words that hold it.
      if (!/^[\x21-\x7e]+$/.test(secret))
        throw new Error('The key must be one word, as it was shown when it was made.')
      return bridge(addressOf(baseUrl ?? process.env['SUNSTEAD_BASE_URL'] ?? defaultBaseUrl), secret)
    })
}

function addressOf(baseUrl: string): URL {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, '')}/mcp`)
  if (url && /^https?:$/.test(url.protocol) && url.username === '') return url
  throw new Error(
    '--base-url must be an http or https address without a password, such as https://sunstead.example.com.',
  )
}
