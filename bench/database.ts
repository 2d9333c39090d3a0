import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { migrateQueue } from '../src/platform/queue.ts'
import { type Seeded, seed } from './seed/seed.ts'

const root = join(import.meta.dirname, '..')

/** What seeded rows are made by: where one of these changes, they are made again. */
const sources = [
  'bench/seed/{insert-rows,large-tenants,sample-deals,seed,tenants}.ts',
  'migrations/*.sql',
  'src/domain/deals/{leads,projects}/{columns,render}.ts',
  'src/domain/deals/projects/render-legacy.ts',
  'src/domain/deals/renderings/{rendering,legacy-text}.ts',
  'src/domain/deals/files/{file,folder-address}.ts',
  'src/domain/tenants/ladders/default-ladders.ts',
]

/** Of every server of a run: several share the database. */
export const secretKey = 'a key for benchmarks that is long enough'

export interface BenchDatabase {
  dataDir: string
  /** A copy of the seeded database that the run may change. */
  url: string
  /** Null where no deals were asked for. */
  deals: Seeded | null
  close(): Promise<void>
}

/** PostgreSQL as production runs it, with a fresh copy of the seeded database in it, or of none that has no deals. */
export async function openBenchDatabase(
  note: (message: string) => void,
  withDeals: boolean,
): Promise<BenchDatabase> {
  const dataDir = resolve(process.env['BENCH_DATA_DIR'] || join(root, 'data/bench'))
  await mkdir(dataDir, { recursive: true })
  const postgres = await openEmbeddedPostgres({ dataDir, role: 'server', note })
  const urlOf = (database: string) => {
    const url = new URL(postgres.ownerUrl)
    url.pathname = `/${database}`
    return url.href
  }
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  try {
    await admin.connect()
    await admin.query('drop database if exists bench with (force)')
    let deals: Seeded | null = null
    if (withDeals) {
      deals = await findOrMakeSeed(admin, dataDir, urlOf('bench_seed'), note)
      note('copying the seeded database')
      await admin.query('create database bench template bench_seed strategy file_copy')
    } else {
      await admin.query('create database bench')
      await migrate(urlOf('bench'))
      await migrateQueue(urlOf('bench'), createLog('silent'))
    }
    await admin.query('checkpoint')
    return {
      dataDir,
      url: urlOf('bench'),
      deals,
      async close() {
        await admin.query('drop database if exists bench with (force)')
        await admin.end()
        await postgres.close()
      },
    }
  } catch (error) {
    await admin.end().catch(() => {})
    await postgres.close()
    throw error
  }
}

async function findOrMakeSeed(
  admin: pg.Client,
  dataDir: string,
  url: string,
  note: (message: string) => void,
): Promise<Seeded> {
  const file = join(dataDir, 'seed.json')
  const version = seedVersion()
  const known = await readFile(file, 'utf8').then(JSON.parse, () => null)
  const there = await admin.query(`select from pg_database where datname = 'bench_seed'`)
  if (known?.version === version && there.rowCount === 1) return known.seeded
  note('seeding: once, until the schema or the renderings change')
  const startedAt = performance.now()
  await admin.query('drop database if exists bench_seed with (force)')
  await admin.query('create database bench_seed')
  const seeded = await seed(url, note)
  await writeFile(file, JSON.stringify({ version, seeded }), { mode: 0o600 })
  note(`seeded in ${Math.round((performance.now() - startedAt) / 1000)} s`)
  return seeded
}

function seedVersion(): string {
  const hash = createHash('sha256')
  for (const name of globSync(sources, { cwd: root }).sort()) {
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, name)))
      .update('\0')
  }
  return hash.digest('hex')
}
