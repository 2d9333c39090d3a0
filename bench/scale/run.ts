// npm run bench:scale: many companies at a realistic rate, against what DATABASE_URL names (docs/scale.md).
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { machineOf } from '../report.ts'
import { nextQuarters, openBed, type Undo } from './bed.ts'
import { measureCosts } from './costs.ts'
import { bytesOfRows, readStored } from './database-facts.ts'
import { dayOf, deliveriesAChange } from './day.ts'
import { extend, printExtended } from './extend.ts'
import { driveMix } from './mix.ts'
import { model, ratesOf } from './model.ts'
import { BadOption, type RunOptions, readOptions } from './options.ts'
import { ForeignDatabase, type Mark, openOwnDatabase, saveMark } from './own-database.ts'
import { printResult } from './print.ts'
import type { ScaleResult } from './result.ts'
import { findHighest } from './search.ts'
import { seed } from './seed.ts'

const undo: Undo = []
const startedAt = performance.now()

async function finish(): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      console.error((error as Error).message)
    }
  }
}

async function measure(options: RunOptions, mark: Mark, client: pg.Client, note: (message: string) => void) {
  const { companies, panels, minutes, speed, processes, probeSeconds, stepSeconds } = options
  const size = { companies, panels }
  const bed = await openBed(options, mark, client, undo, note)
  let sent = 0
  // Also where it is ended half-way: what was sent is sent no second time.
  undo.push(() => saveMark(client, { ...mark, quarters: nextQuarters(mark, sent) }))
  const machine = machineOf(bed.facts.version)
  const costs = await measureCosts(bed, probeSeconds, note)
  const drive = async (times: number, seconds: number) => {
    const mix = await driveMix(bed, size, times, seconds, costs)
    sent = Math.max(sent, mix.quartersSent)
    return mix
  }
  note(`the mix, for ${minutes} minutes`)
  const mix = await drive(speed, minutes * 60)
  const search = options.search ? await findHighest((times) => drive(times, stepSeconds), mix, note) : null
  const rowBytes = await bytesOfRows(client, await readStored(client, bed.facts))
  const each = deliveriesAChange(mix)
  const { version, citus, cpuSource } = bed.facts
  const result: ScaleResult = {
    machine,
    database: { version, citus, cpuSource },
    ...size,
    processes,
    model,
    rates: ratesOf(size),
    costs,
    mix,
    rowBytes,
    deliveriesAChange: each,
    day: dayOf(size, costs, rowBytes, each),
    search,
  }
  return result
}

async function run(options: RunOptions): Promise<void> {
  const say = options.json ? console.error : console.log
  const note = (message: string) =>
    say(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`)
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  undo.push(() => client.end())
  let mark = await openOwnDatabase(client, options)
  if (!mark.seeded) {
    await seed(client, options.url, mark, note)
    mark = { ...mark, seeded: true }
    await saveMark(client, mark)
  }
  if (options.seedOnly) return note('seeded')
  const result = await measure(options, mark, client, note)
  await finish()
  if (options.json) return console.log(JSON.stringify(result, null, 2))
  printResult(result, console.log)
  const folder = join(import.meta.dirname, '../results')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'scale.json')
  await writeFile(file, `${JSON.stringify(result, null, 2)}\n`)
  console.log(`Written to ${file}`)
}

async function readResult(file: string): Promise<ScaleResult> {
  const found = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => null)
  if (found?.costs?.kinds) return found
  throw new BadOption(`${file} is no result of this bench: run it first, or name what --json printed.`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void finish().then(() => process.exit(130)))
}
try {
  const options = readOptions(process.argv.slice(2), process.env)
  if ('extend' in options) {
    const result = await readResult(options.extend.file)
    printExtended(extend(result, options.extend), options.extend, console.log)
  } else await run(options.run)
} catch (error) {
  // What is to be changed by whoever asked is said without our lines of code.
  const plain = error instanceof BadOption || error instanceof ForeignDatabase
  console.error(plain ? error.message : error)
  process.exitCode = 1
} finally {
  await finish()
}
