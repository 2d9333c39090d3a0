import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { countAgain } from '../../src/domain/operations/checks/count-again.ts'
import { openDatabase } from '../../src/platform/db.ts'
import { openEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { type GrowthApp, openGrowthApp } from './app.ts'
import type { Call, Place } from './call.ts'
import { apiCalls } from './calls-api.ts'
import { consoleCalls } from './calls-console.ts'
import { jobCalls } from './calls-jobs.ts'
import { readingCalls } from './calls-readings.ts'
import { type Explainer, openExplainer } from './explain.ts'
import { grow } from './grow.ts'
import { type Measured, measure } from './measure.ts'
import { report, seemsSlower } from './report.ts'
import { markdownTable } from './table.ts'
import { createGrowthTenant, type GrowthTenant } from './tenant.ts'

const root = join(import.meta.dirname, '../..')
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
    // So many readings are in a last database, which has what the one before has of all else.
    readings: { type: 'string', default: '' },
  },
})
const sizes = options.sizes.split(',').map(Number)
const mostReadings = Number(options.readings)
const allSizes = mostReadings ? [...sizes, mostReadings] : sizes
const only = new RegExp(options.only)
const dataDir = resolve(process.env['BENCH_GROWTH_DIR'] || join(root, 'data/bench-growth'))
const note = (message: string) => console.error(message)

// Nothing here must last, and nothing may change beside what is measured.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
  shared_buffers: '512MB',
}

await mkdir(dataDir, { recursive: true })
const postgres = await openEmbeddedPostgres({ dataDir, role: 'server', note, settings })
const urlOf = (database: string) =>
  Object.assign(new URL(postgres.ownerUrl), { pathname: `/${database}` }).href
const admin = new pg.Client({ connectionString: urlOf('postgres') })
await admin.connect()

interface Prepared {
  url: string
  tenant: GrowthTenant
}

/** A database of this size, as it was left or grown anew from the one before. */
async function prepare(size: number, before: number, tables?: readonly string[]): Promise<Prepared> {
  const name = `growth_${size}`
  const url = urlOf(name)
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) {
    if (before === 0) {
      await admin.query(`create database ${name}`)
      await migrate(url)
      await migrateQueue(url, createLog('silent'))
      const db = openDatabase(url, () => {})
      const tenant = await createGrowthTenant(db)
      await db.query({ text: `insert into settings (name, value) values ('growth', $1)` }, [
        JSON.stringify(tenant),
      ])
      await db.close()
    } else await admin.query(`create database ${name} template growth_${before} strategy file_copy`)
    await grow(url, await tenantOf(url), before, size, { note, ...(tables ? { tables } : {}) }).catch(
      async (error) => {
        await admin.query(`drop database ${name} with (force)`)
        throw error
      },
    )
    note(`grown to ${size.toLocaleString('en')} rows`)
  }
  await migrate(url)
  const db = openDatabase(url, () => {})
  await countAgain(db, new AbortController().signal)
  await db.close()
  // A run before may have left traces.
  await asked(url, 'vacuum')
  return { url, tenant: await tenantOf(url) }
}

async function asked(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

async function tenantOf(url: string): Promise<GrowthTenant> {
  const [row] = await asked(url, `select value from settings where name = 'growth'`)
  const tenant = JSON.parse(row.value)
  return { ...tenant, beganAt: new Date(tenant.beganAt) }
}

/** A database of one size, with all that it takes to measure there. */
interface Measuring {
  size: number
  place: Place
  app: GrowthApp
  explainer: Explainer
}

async function openPlace(size: number, { url, tenant }: Prepared): Promise<Measuring> {
  const app = await openGrowthApp(url, tenant)
  await app.get('/v1/me', { key: tenant.keys.installer })
  const place = { tenant, size: size === mostReadings ? sizes.at(-1)! : size }
  bySize.set(size, [])
  return { size, place, app, explainer: await openExplainer(url) }
}

/** Where one seems to take longer at the last size it is measured again: a slow moment passes. */
const again = 3

async function measureAll(call: Call, places: readonly Measuring[]): Promise<void> {
  const found: Measured[] = []
  const there = places.filter(({ size }) => size >= (call.from ?? 0))
  for (let round = 0; round === 0 || (round <= again && call.kind !== 'job' && seemsSlower(found)); round++) {
    for (const [i, { size, place, app, explainer }] of there.entries()) {
      try {
        const measured = await measure(app, explainer, call, place, Number(options.times))
        if (round === 0) found.push(measured)
        else found[i]!.ms = Math.min(found[i]!.ms, measured.ms)
      } catch (error) {
        failures.push(`${call.name} at ${size}: ${(error as Error).message}`)
        return
      }
    }
  }
  for (const [i, { size }] of there.entries()) bySize.get(size)!.push(found[i]!)
}

const bySize = new Map<number, Measured[]>()
const levels = new Map<number, Record<string, number>>()
const failures: string[] = []
try {
  // All of them before any is measured: jobs leave traces.
  const prepared: Prepared[] = []
  for (const [i, size] of sizes.entries()) prepared.push(await prepare(size, sizes[i - 1] ?? 0))
  if (mostReadings) prepared.push(await prepare(mostReadings, sizes.at(-1)!, ['readings']))
  const places: Measuring[] = []
  for (const [i, size] of allSizes.entries()) places.push(await openPlace(size, prepared[i]!))
  const began = performance.now()
  const others = [...apiCalls, ...consoleCalls, ...(await jobCalls(places[0]!.app))]
  const isWanted = ({ name }: Call) => only.test(name)
  // Each at all sizes before the next: what else the machine does meanwhile is then the same for all.
  for (const call of others.filter(isWanted)) await measureAll(call, places.slice(0, sizes.length))
  for (const call of readingCalls.filter(isWanted)) await measureAll(call, places)
  note(`${bySize.get(sizes.at(-1)!)!.length} calls: ${Math.round((performance.now() - began) / 1000)} s`)
  for (const { size, app, explainer } of places) {
    levels.set(size, await explainer.levels())
    await explainer.close()
    await app.close()
  }
  const { text, result } = report(sizes, bySize, levels)
  console.log(text)
  if (mostReadings) {
    const names = bySize.get(mostReadings)!.map(({ name }) => name)
    const ofReadings = report(
      allSizes,
      new Map([...bySize].map(([size, all]) => [size, all.filter(({ name }) => names.includes(name))])),
      levels,
    )
    console.log(ofReadings.text)
    result.tooMuch.push(...ofReadings.result.tooMuch)
    result.tooSlow.push(...ofReadings.result.tooSlow)
    await writeFile(join(dataDir, 'readings.md'), `${markdownTable(ofReadings.result)}\n`)
  }
  for (const failure of failures) console.log(`FAILED ${failure}`)
  await writeFile(join(dataDir, 'result.json'), `${JSON.stringify(result)}\n`)
  await writeFile(join(dataDir, 'table.md'), `${markdownTable(result)}\n`)
  // Times are another day's with another machine: they are told, and do not fail it.
  if (result.tooMuch.length + failures.length > 0) process.exitCode = 1
} finally {
  if (!options.keep)
    for (const size of allSizes) await admin.query(`drop database if exists growth_${size} with (force)`)
  await admin.end()
  await postgres.close()
}
