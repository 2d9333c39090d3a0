import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../../src/config.ts'
import type { Demo } from '../../src/demo/demo-json.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Server, startServer } from '../../src/server.ts'

export interface Running {
  server: Server
  config: Config
  stop(): Promise<void>
}

export async function start(dataDir: string, env: Record<string, string> = {}): Promise<Running> {
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  })
  const server = await startServer(config, createLog('silent'))
  return {
    server,
    config,
    stop: server.stop,
  }
}

export async function demoFile(dataDir: string): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by what the tests ask of them
export type Answer = any

export function clientOf(demo: Demo, company: number) {
  const headers = { authorization: `Bearer ${demo.companies[company]!.key}` }
  const get = async (path: string): Promise<{ status: number; body: Answer }> => {
    const answer = await fetch(`${demo.baseUrl}/v1${path}`, { headers })
    return { status: answer.status, body: await answer.json() }
  }
  return {
    get,
    async all(path: string): Promise<Answer[]> {
      const rows: Answer[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
        const { body } = await get(`${path}?limit=100${next}`)
        rows.push(...body.data)
        cursor = body.next
      }
      return rows
    },
  }
}
