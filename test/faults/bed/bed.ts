import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDataDir } from '../../support/data-dir.ts'
import { secretKey } from '../../support/database.ts'
import { atFileEnd } from '../../support/endings.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/process.ts'
import { startRedis, type TestRedis } from '../../support/redis-server.ts'
import { startS3, type TestS3 } from '../../support/s3-server.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { type Receiver, startPlainReceiver } from '../../support/webhook-receiver.ts'
import { createLoad, type Load } from '../load/load.ts'
import type { Shape } from '../shapes.ts'
import { type Business, openBusiness } from './business.ts'
import type { Endpoint } from './endpoint.ts'
import { type FileHost, startFileHost } from './file-host.ts'
import { type BedPostgres, openPostgres } from './postgres.ts'
import { type KeptServer, keepServer } from './server.ts'

/** All that a fault may lay hands on. Everything of it ends with `endFile` (test/support/endings.ts). */
export interface Bed {
  shape: Shape
  folder: string
  /** Where callers call, whichever servers run: behind `front`. */
  url: string
  servers: KeptServer[]
  postgres: BedPostgres
  /** The way between callers and servers. */
  front: TcpProxy
  /** The way between servers and PostgreSQL; null with the embedded one. */
  databaseWay: TcpProxy | null
  redis: TestRedis | null
  s3: TestS3 | null
  /** On which the files lie, or everything; null where one may not mount. */
  disk: SmallDisk | null
  receiver: Receiver
  /** Of each installer of the load, told of everything. */
  endpoints: Endpoint[]
  /** The host whose files the load adds. */
  files: FileHost
  /** Companies, keys and records that the load uses. */
  business: Business
  load: Load
  /** For commands of the command line that use the same database and store. */
  env: Record<string, string>
}

/** Room for what a long run adds; memory is used only for what is there. */
const diskMegabytes = 1_024

export async function startBed(shape: Shape): Promise<Bed> {
  const { path: folder, remove } = await temporaryFolder()
  const stored = join(folder, 'files')
  const wholeDisk = shape.smallDisk ? mountSmallDisk(folder, diskMegabytes) : null
  await mkdir(stored)
  const disk = wholeDisk ?? mountSmallDisk(stored, diskMegabytes)
  const dataDir = join(folder, 'database')
  const company = await makeDataDir(dataDir)
  const servers: KeptServer[] = []
  // Before what is theirs ends: their database too.
  atFileEnd(() => Promise.all(servers.map((server) => server.stop())))
  const isOutside = shape.postgres === 'outside'
  const postgres = await openPostgres(dataDir, isOutside ? 'server' : 'tool')
  const databaseWay = isOutside ? await startTcpProxy(() => [postgres.target()]) : null
  const front = await startTcpProxy(() => servers.map(({ port }) => ({ port })))
  const url = `http://127.0.0.1:${front.port}`
  const receiver = await startPlainReceiver()
  const files = await startFileHost()
  const redis = shape.redis ? await startRedis() : null
  const s3 = shape.store === 's3' ? await startS3() : null

  const common: Record<string, string> = {
    SECRET_KEY: secretKey,
    DEMO: '0',
    BASE_URL: url,
    RATE_LIMIT_PER_MINUTE: '1000000',
    OUTBOUND_TRUSTED_HOSTS: `${receiver.host},${files.host}`,
    WEBHOOK_RETRY_SECONDS: Array.from({ length: 60 }, () => '0.5').join(),
    LOG_LEVEL: 'warn',
    STORAGE_URL: `file:${stored}`,
    ...(databaseWay ? { DATABASE_URL: await postgres.using(async (own) => byWay(own, databaseWay)) } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    ...s3?.env,
    ...(shape.processes > 1 ? { WEB_CONCURRENCY: String(shape.processes) } : {}),
    ...(await shape.prepare?.(folder)),
  }
  const envOf = (n: number) => ({ ...common, DATA_DIR: isOutside ? join(folder, `host-${n}`) : dataDir })
  for (let n = 0; n < shape.servers; n++)
    servers.push(await keepServer({ ...envOf(n), PORT: String(await freePort()) }))
  atFileEnd(async () => {
    await receiver.close()
    disk?.unmount()
    await remove()
  })

  const business = await openBusiness({ url, postgres, receiver, company })
  const load = createLoad(url, business.loadParts(files, randomBytes(3).toString('hex')))
  atFileEnd(() => load.close())
  return {
    ...{
      shape,
      folder,
      url,
      servers,
      postgres,
      front,
      databaseWay,
      redis,
      s3,
      disk,
      receiver,
      files,
      business,
      load,
    },
    endpoints: business.endpoints,
    env: envOf(0),
  }
}

/** The same database, over a way of ours. */
const byWay = (url: string, { port }: TcpProxy) => url.replace(/@[^/]+\//, `@127.0.0.1:${port}/`)
