import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'
import { createTestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/process.ts'

test('who serves other machines without encryption is warned', async () => {
  const database = await createTestDatabase()
  const folder = await temporaryFolder()
  after(() => folder.remove())
  const exposed = /HOST=\S+ lets other machines in/
  for (const [env, warned] of [
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '::', BASE_URL: 'http://sun.example.com' }, true],
    [{ HOST: '0.0.0.0', BASE_URL: 'https://sun.example.com' }, false],
    [{ HOST: '127.0.0.1', BASE_URL: 'http://sun.example.com' }, false],
    [{}, false],
  ] as const) {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const config = readConfig({
      DATABASE_URL: database.url,
      DATA_DIR: folder.path,
      PORT: '0',
      DRAIN_SECONDS: '0',
      ...env,
    })
    const server = await startServer(config, log)
    await server.stop()
    assert.equal(
      lines.some((line) => exposed.test(line)),
      warned,
      JSON.stringify(env),
    )
  }
  await database.drop()
})
