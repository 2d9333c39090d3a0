// npm run test:faults: the long fault suite, which writes the table of docs/reliability.md.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endFile, endWorker } from '../support/endings.ts'
import { type Bed, startBed } from './bed/bed.ts'
import type { Fault, Outcome } from './fault.ts'
import { failuresOf, playOnce } from './play.ts'
import { faults } from './registry.ts'
import { writeTable } from './table.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string' },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log('npm run test:faults -- [--only name,name] [--times N] [--short]\n')
  for (const { name, times, title } of faults)
    console.log(`${name.padEnd(24)} ${String(times).padStart(3)}  ${title}`)
  process.exit(0)
}
const only = values.only?.split(',')
const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name)) ?? []
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}; --help lists them.`)
  process.exit(2)
}
const wanted = faults.filter(({ name }) => !only || only.includes(name))

// What a run of tests has too: the folder in which a data folder is made once, to be copied.
const folder = await mkdtemp(join(tmpdir(), 'sunstead-faults-'))
await chmod(folder, 0o755)
process.env['TEST_FOLDER'] = folder
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void endFile().finally(() => process.exit(1)))

let failures = 0
const results = new Map<Fault, Outcome[]>()
try {
  for (const shape of new Set(wanted.map((fault) => fault.shape))) {
    const its = wanted.filter((fault) => fault.shape === shape)
    for (const { name, skip } of its) if (skip) console.log(`${name}: skipped, ${skip}`)
    const played = its.filter(({ skip }) => !skip)
    if (played.length === 0) continue
    console.log(`\n${shape.name}`)
    const bed = await startBed(shape)
    for (const fault of played) results.set(fault, await playTimes(bed, fault))
    await endFile()
  }
} finally {
  await endFile()
  await endWorker()
  await rm(folder, { recursive: true, force: true })
}
await writeTable(faults, results)
console.log(failures === 0 ? '\nNothing was lost.' : `\n${failures} failures: see above.`)
process.exit(failures === 0 ? 0 : 1)

async function playTimes(bed: Bed, fault: Fault): Promise<Outcome[]> {
  const times = Number(values.times ?? (values.short ? 1 : fault.times))
  const outcomes: Outcome[] = []
  for (let round = 0; round < times; round++) {
    const outcome = await playOnce(bed, fault, { round, short: values.short })
    outcomes.push(outcome)
    const { answered, refused, unanswered, repeatedWebhooks, checked, secondsUntilWell } = outcome
    console.log(
      `${fault.name} ${round + 1}/${times}: ${answered} answered, ${refused} refused, ${unanswered} unanswered, ` +
        `${checked} writes checked, ${repeatedWebhooks} webhooks repeated, well after ${secondsUntilWell.toFixed(2)} s`,
    )
    for (const failure of failuresOf(outcome)) {
      failures++
      console.error(`  FAILED ${failure}`)
    }
  }
  return outcomes
}
