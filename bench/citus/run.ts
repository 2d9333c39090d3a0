// npm run bench:citus: the database time of writes on Citus beside plain PostgreSQL, by turns in one run.
import { parseArgs } from 'node:util'
import { type Timed, timeWrites } from './writes.ts'

const { values: options } = parseArgs({
  options: { calls: { type: 'string', default: '400' }, rounds: { type: 'string', default: '5' } },
})
const { DATABASE_URL, PLAIN_DATABASE_URL } = process.env
if (!DATABASE_URL || !PLAIN_DATABASE_URL) {
  console.error(
    'DATABASE_URL names an empty database on the coordinator of a cluster, PLAIN_DATABASE_URL an empty one without the ' +
      'extension, best on a machine alike.',
  )
  process.exit(2)
}

const most = 3
const [plain, citus] = await timeWrites([PLAIN_DATABASE_URL, DATABASE_URL], {
  calls: Number(options.calls),
  rounds: Number(options.rounds),
})
const ms = (value: number) => value.toFixed(2).padStart(6)
console.log(`${plain!.version}; cluster: ${citus!.version}, ${citus!.nodes} nodes`)
console.log('median of a call, ms           plain   Citus   times')
for (const kind of Object.keys(plain!.kinds) as (keyof Timed['kinds'])[]) {
  const [one, other] = [plain!.kinds[kind], citus!.kinds[kind]]
  for (const [what, a, b] of [
    ['database time', one.database, other.database],
    ['whole call', one.call, other.call],
  ] as const)
    console.log(`${kind.padEnd(14)}${what.padEnd(14)}${ms(a)}  ${ms(b)}  ${(b / a).toFixed(2).padStart(6)}`)
  if (other.database > most * one.database) process.exitCode = 1
}
