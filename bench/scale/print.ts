import type { Cost } from './costs.ts'
import { bytesAReading } from './day.ts'
import { type ObservedKind, observedKinds } from './model.ts'
import type { ScaleResult } from './result.ts'

type Line = (text: string) => void

/** Columns as wide as their cells; the first is text, the others are figures. */
export function table(head: string[], rows: string[][]): string[] {
  const all = [head, ...rows]
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]!.length)))
  return all.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  )
}

export const figure = (value: number | null | undefined, digits = 0) =>
  value === null || value === undefined ? 'unknown' : value.toFixed(digits)
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
export const gb = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`

export function printResult(result: ScaleResult, line: Line): void {
  const { mix, database, machine } = result
  const citus = database.citus ? `, Citus ${database.citus}` : ''
  line('')
  line(
    `${result.companies} companies, ${result.panels} panels, ${mix.speed} times the realistic rate of the busiest hour for ${figure(mix.seconds)} s`,
  )
  line(
    `${result.processes} server process(es), PostgreSQL ${database.version}${citus}, ${machine['cores']} cores (${machine['cpu']}), ${machine['at']}`,
  )
  printMix(result, line)
  printCosts(result, line)
  printResources(result, line)
  line('\nmemory')
  const memory = mix.memory.map(({ process, nowMb, ownMb, peakMb }) => [
    process,
    figure(nowMb),
    ownMb === null ? '' : figure(ownMb),
    peakMb === null ? '' : figure(peakMb),
  ])
  for (const text of table(['process', 'MB', 'its own', 'highest'], memory)) line(`  ${text}`)
  printDay(result, line)
  printVerdict(result, line)
}

function printMix({ mix }: ScaleResult, line: Line): void {
  line(
    '\nasked and done, and how long it took from when it was to be sent (arrivals by chance, nobody waits for answers)',
  )
  const rows = observedKinds.map((kind) => {
    const ms = (value: number | null) => (value === null ? '' : figure(value, 1))
    if (kind === 'webhook') {
      const { done, donePerSecond, p50Ms, p99Ms, maxMs } = mix.webhook
      return [kind, '', '', figure(donePerSecond, 2), String(done), '', ms(p50Ms), ms(p99Ms), ms(maxMs)]
    }
    const one = mix.kinds[kind]
    return [
      kind,
      figure(one.askedPerSecond, 2),
      figure(one.begunPerSecond, 2),
      figure(one.donePerSecond, 2),
      String(one.done),
      String(one.failed),
      ms(one.p50Ms),
      ms(one.p99Ms),
      ms(one.maxMs),
    ]
  })
  const head = ['kind', 'asked/s', 'begun/s', 'done/s', 'done', 'failed', 'p50 ms', 'p99 ms', 'max ms']
  for (const text of table(head, rows)) line(`  ${text}`)
  line('  webhook: deliveries, from the change to their arrival')
  for (const kind of observedKinds)
    if (kind !== 'webhook')
      for (const [reason, times] of Object.entries(mix.kinds[kind].failures))
        line(`  ${kind} failed ${times} times: ${reason}`)
}

function printCosts({ costs, mix, database }: ScaleResult, line: Line): void {
  line(`\nwhat one costs: each kind alone for some seconds, less what the server takes with nothing to do`)
  const perSecond = (kind: ObservedKind) =>
    kind === 'webhook' ? mix.webhook.donePerSecond : mix.kinds[kind].donePerSecond
  const row = (kind: ObservedKind, { calls, serverUs, databaseUs, diskBytes, walBytes }: Cost) => [
    kind,
    String(calls),
    figure(serverUs),
    figure(databaseUs),
    figure((serverUs * perSecond(kind)) / 1e6, 3),
    databaseUs === null ? 'unknown' : figure((databaseUs * perSecond(kind)) / 1e6, 3),
    figure(diskBytes),
    figure(walBytes),
  ]
  const head = [
    'kind',
    'calls',
    'server µs',
    'database µs',
    'server cores',
    'database cores',
    'disk B',
    'WAL B',
  ]
  for (const text of table(
    head,
    observedKinds.map((kind) => row(kind, costs.kinds[kind])),
  ))
    line(`  ${text}`)
  const { idle } = costs
  line(
    `  cores: in this mix. Database: ${database.cpuSource}. A page is its calls together; a webhook one delivery, its WAL what leads wrote more.`,
  )
  line(
    `  with nothing to do: server ${figure(idle.serverMsPerSecond, 1)} ms a second, database ${figure(idle.databaseMsPerSecond, 1)}`,
  )
  const { look } = costs
  line(
    `  a look for alerts at every panel, every 15 minutes: ${figure(look.seconds)} s, server ${figure(look.serverMs)} ms, database ${figure(look.databaseMs)}`,
  )
  line(
    `  together: server ${figure(mix.cores.server, 2)} cores (the parts add up to ${figure(mix.expectedCores.server, 2)}), database ${figure(mix.cores.database, 2)} (${figure(mix.expectedCores.database, 2)})`,
  )
}

function printResources({ mix }: ScaleResult, line: Line): void {
  line('\nwhat saturates first: the nearest to its limit first')
  for (const { name, used, saturated, said } of mix.resources)
    line(`  ${figure(used * 100).padStart(4)} %  ${name}${saturated ? ' (AT ITS LIMIT)' : ''}: ${said}`)
  if ((mix.cores.others ?? 0) > 0.1)
    line(
      `  NOISY: others on this machine used ${figure(mix.cores.others, 2)} cores meanwhile. Times are theirs too; costs by processor time less so.`,
    )
}

function printDay(result: ScaleResult, line: Line): void {
  const { day, mix, rowBytes, costs } = result
  line('\ndisk a day at the realistic rate: what a call leaves, times the calls of a day')
  const rows = Object.entries(day.diskBytes).map(([name, bytes]) => [
    name,
    name === 'day-rows' ? '' : figure(day.calls[name as ObservedKind]),
    mb(bytes),
    name === 'day-rows' ? '' : mb(day.walBytes[name as ObservedKind]),
  ])
  rows.push(['all', '', mb(day.totalDiskBytes), mb(day.totalWalBytes)])
  for (const text of table(['kind', 'calls a day', 'disk', 'WAL'], rows)) line(`  ${text}`)
  line(
    `  a reading: ${figure(bytesAReading(costs))} bytes. Rows with their indexes: ${JSON.stringify(rowBytes)}`,
  )
  const toDay = 86_400 / mix.seconds / mix.speed
  line(
    `  the run itself grew by ${mb(mix.grown.diskBytes)} and wrote ${mb(mix.grown.walBytes)} of WAL: a day of only busiest hours would be ${gb(mix.grown.diskBytes * toDay)} and ${gb(mix.grown.walBytes * toDay)}`,
  )
  line('  before vacuum: what updates leave behind counts, and is used again later')
}

function printVerdict({ mix, search }: ScaleResult, line: Line): void {
  const [first] = mix.resources
  line('')
  if (mix.holds)
    line(`It holds at ${mix.speed} times the realistic rate. Nearest to its limit: ${first!.name}.`)
  else
    line(
      `IT DOES NOT HOLD at ${mix.speed} times the realistic rate: ${mix.reasons.join('; ')}. First: ${first!.name}.`,
    )
  if (!search) return
  const steps = search.steps.map(({ speed, holds }) => `${speed} ${holds ? 'holds' : 'does not'}`).join(', ')
  line(`Searched: ${steps}.`)
  line(
    `The highest that holds is ${search.highest} times the realistic rate; then ${search.first ?? 'nothing'} is at its limit.`,
  )
  if (search.generatorBound)
    line('That is the generator, not the server: use a larger machine for it to learn more.')
}
