import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deps } from '../../src/api/deps.ts'
import { buildApp } from '../../src/app.ts'
import { addressesOf, readConfig } from '../../src/config.ts'
import { createParts, ownLimits } from '../../src/parts.ts'
import { createLog } from '../../src/platform/log.ts'
import { openConfiguredDatabase } from '../../src/platform/open-database.ts'
import { secretKey } from '../database.ts'
import { createRecorder, type Recorder } from './recording.ts'
import { type GrowthTenant, password, type Reader } from './tenant.ts'

/** The server's own parts over a database whose statements are kept. */
export interface GrowthApp {
  deps: Deps
  recorder: Recorder
  /** A call by key or by session. */
  get(path: string, by: { key: string } | { reader: Reader }): Promise<void>
  close(): Promise<void>
}

export async function openGrowthApp(url: string, tenant: GrowthTenant): Promise<GrowthApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-growth-'))
  const log = createLog('silent')
  const config = readConfig({
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' },
    SECRET_KEY: secretKey,
  })
  const opened = await openConfiguredDatabase(config, 'tool', () => {})
  const recorder = createRecorder()
  const db = recorder.watch(opened.db)
  const parts = await createParts(config, log, { ...opened, db, jobsDb: db }, ownLimits(config))
  const { deps } = parts
  const app = await buildApp(deps)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  deps.addresses = addressesOf(config, port)
  const { baseUrl } = deps.addresses
  deps.state.phase = 'ready'
  const cookies = new Map<Reader, string>()

  async function signIn(reader: Reader): Promise<string> {
    const known = cookies.get(reader)
    if (known) return known
    const response = await fetch(`${baseUrl}/console/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: tenant.people[reader].email, password }),
    })
    if (response.status !== 200)
      throw new Error(`could not sign in: ${response.status} ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    cookies.set(reader, cookie)
    return cookie
  }

  return {
    deps,
    recorder,
    async get(path, by) {
      const headers =
        'key' in by
          ? { authorization: `Bearer ${by.key}` }
          : { cookie: await signIn(by.reader), 'x-sunstead-console': '1' }
      const response = await fetch(`${baseUrl}${path}`, { headers })
      const body = await response.text()
      if (response.status !== 200)
        throw new Error(`${path} answers ${response.status}: ${body.slice(0, 300)}`)
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await parts.close()
      await opened.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
