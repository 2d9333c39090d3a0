import { readFile, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, platform } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/process.ts'
import type { Fault, Outcome } from './fault.ts'

const page = join(root, 'docs/reliability.md')
const begin = '<!-- faults: written by npm run test:faults -->'
const end = '<!-- /faults -->'

/** Puts what came of a run between the marks of the page; rows of faults that were not played stay. */
export async function writeTable(faults: Fault[], results: ReadonlyMap<Fault, Outcome[]>): Promise<void> {
  const text = await readFile(page, 'utf8')
  const [before, rest] = text.split(begin)
  const [table, after] = rest?.split(end) ?? []
  if (table === undefined || after === undefined) throw new Error(`${page} has no marks for the table`)
  const old = new Map(
    table
      .split('\n')
      .flatMap((line) => (line.startsWith('| ') ? [[line.split(' | ')[0]!.slice(2), line]] : [])),
  )
  const rows = faults.flatMap((fault) => {
    const outcomes = results.get(fault)
    if (outcomes && outcomes.length > 0) return [rowOf(fault, outcomes)]
    return old.get(fault.title) ?? []
  })
  const columns =
    'fault|times|calls answered|refused (503)|connection broke|writes checked|lost|done twice|webhooks repeated|well after (median)|worst|day'
  const lines = [
    `| ${columns.split('|').join(' | ')} |`,
    `|${columns
      .split('|')
      .map((_, i) => (i === 0 ? '---' : '--:'))
      .join('|')}|`,
    ...rows,
  ]
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores (${platform()} ${arch()}), everything on one machine.`
  await writeFile(page, `${before}${begin}\n\n${lines.join('\n')}\n\n${machine}\n\n${end}${after}`)
}

function rowOf({ title }: Fault, outcomes: Outcome[]): string {
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0).toLocaleString('en-US')
  const seconds = outcomes.map(({ secondsUntilWell }) => secondsUntilWell).sort((a, b) => a - b)
  const cells = [
    title,
    outcomes.length,
    sum(({ answered }) => answered),
    sum(({ refused }) => refused),
    sum(({ unanswered }) => unanswered),
    // Each play holds everything that was written until then against the database.
    Math.max(...outcomes.map(({ checked }) => checked)).toLocaleString('en-US'),
    sum(({ lost }) => lost.length),
    sum(({ twice }) => twice.length),
    sum(({ repeatedWebhooks }) => repeatedWebhooks),
    `${seconds[Math.floor((seconds.length - 1) / 2)]!.toFixed(1)} s`,
    `${seconds.at(-1)!.toFixed(1)} s`,
    new Date().toISOString().slice(0, 10),
  ]
  return `| ${cells.join(' | ')} |`
}
