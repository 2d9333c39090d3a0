import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deps } from '../src/api/deps.ts'
import { buildApp } from '../src/app.ts'
import { addressesOf, readConfig } from '../src/config.ts'
import { createParts, ownLimits } from '../src/parts.ts'
import type { PooledDatabase } from '../src/platform/db.ts'
import { createLog } from '../src/platform/log.ts'
import { openConfiguredDatabase } from '../src/platform/open-database.ts'
import { secretKey } from './database.ts'

/** The server's own parts in this process, without jobs. */
export interface BenchApp {
  deps: Deps
  baseUrl: string
  close(): Promise<void>
}

type Watch = (db: PooledDatabase) => PooledDatabase

/** Over a database whose statements somebody looks at. */
export async function openBenchApp(url: string, watch: Watch): Promise<BenchApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sunstead-bench-'))
  const log = createLog('silent')
  const config = readConfig({
    ...{ DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' },
    SECRET_KEY: secretKey,
  })
  const opened = await openConfiguredDatabase(config, 'tool', () => {})
  const db = watch(opened.db)
  const parts = await createParts(config, log, { ...opened, db, jobsDb: db }, ownLimits(config))
  const { deps } = parts
  const app = await buildApp(deps)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  deps.addresses = addressesOf(config, port)
  deps.state.phase = 'ready'
  return {
    deps,
    baseUrl: deps.addresses.baseUrl,
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await parts.close()
      await opened.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
