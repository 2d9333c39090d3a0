import { parseArgs } from 'node:util'
import { tenMillion } from './energy-rows.ts'
import type { Rounds } from './measure.ts'
import { isSearchRow, type RowName, rowNames } from './rows.ts'

export interface Options extends Rounds {
  rows: readonly RowName[]
  /** Profiles the server under test and prints where its time went. */
  profile: boolean
}

const usage = `npm run bench -- [--only read-lead,list-leads] [--rounds 5] [--seconds 2.5] [--warm-up 1.5] [--profile]
  BENCH_DATA_DIR   where the seeded database is kept (data/bench)`

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2.5' },
      'warm-up': { type: 'string', default: '1.5' },
      connections: { type: 'string', default: '32' },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  const positive = (name: string, text: string) => {
    const value = Number(text)
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not "${text}"\n${usage}`)
    return value
  }
  return {
    // Ten million readings and a million leads take minutes: they are there where they are asked for.
    rows:
      values.only === undefined
        ? rowNames.filter((name) => name !== tenMillion && !isSearchRow(name))
        : values.only.split(',').map(rowName),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    roundMs: positive('seconds', values.seconds) * 1000,
    warmUpMs: positive('warm-up', values['warm-up']) * 1000,
    connections: Math.ceil(positive('connections', values.connections)),
    profile: values.profile,
  }
}

function rowName(text: string): RowName {
  const name = rowNames.find((known) => known === text.trim())
  if (!name) throw new Error(`there is no row "${text}": the rows are ${rowNames.join(', ')}`)
  return name
}
