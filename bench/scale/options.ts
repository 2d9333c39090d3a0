import { parseArgs } from 'node:util'
import type { Size } from './model.ts'

export interface RunOptions extends Size {
  url: string
  minutes: number
  /** How many times the realistic rate; `search` finds the highest that holds, after the run at 1. */
  speed: number
  search: boolean
  stepSeconds: number
  probeSeconds: number
  processes: number
  seedOnly: boolean
  json: boolean
}

export interface ExtendOptions {
  file: string
  installations: number
  companies: number | null
  /** A month's price of a core, and of a gigabyte on disk; null: told in cores and gigabytes alone. */
  priceCore: number | null
  priceGb: number | null
  /** How long readings, and everything else, are kept. */
  keepDays: number
  /** Of the database: itself and its standbys. */
  copies: number
  /** The largest machine for a database that can be had. */
  largest: { cores: number; gb: number }
  /** How busy a core is planned to be in the busiest hour. */
  utilisation: number
}

export type Options = { run: RunOptions } | { extend: ExtendOptions }

export const usage = `DATABASE_URL=postgres://… npm run bench:scale -- [options]
  The database must be empty, or made by this before: it is filled, written to and measured.
  --companies 10000     companies, dealers among them
  --panels 200000       panels that send readings every 15 minutes
  --minutes 10          how long the mix is driven
  --speed 1             a multiple of the realistic rate, or "search": after the run at 1, the highest that holds
  --step-seconds 30     how long each step of the search lasts
  --probe-seconds 8     how long each kind is driven alone, to tell what a call costs
  --processes 1         processes of our server (WEB_CONCURRENCY)
  --seed-only           makes the companies and ends
  --json                prints the result as JSON, and what goes on to standard error
npm run bench:scale -- --extend bench/results/scale.json [options]
  --installations 1000000  --companies (as measured)   what to extend the measured costs to
  --price-core 20 --price-gb 0.1                       a month's prices; without, only cores and gigabytes are told
  --keep-days 365  --copies 2  --largest-cores 64  --largest-gb 16000  --utilisation 0.6`

export class BadOption extends Error {
  override name = 'BadOption'
}

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parsed(args)
  if (values.help) throw new BadOption(usage)
  const number = (name: keyof typeof values, fallback: number | null) => {
    const text = values[name]
    if (text === undefined) return fallback
    const value = Number(text)
    if (!(value > 0)) throw new BadOption(`--${name} must be a number above 0, not "${text}"\n\n${usage}`)
    return value
  }
  const whole = (name: keyof typeof values, fallback: number) => Math.ceil(number(name, fallback)!)
  if (values.extend !== undefined) {
    return {
      extend: {
        file: values.extend,
        installations: whole('installations', 1_000_000),
        companies: number('companies', null),
        priceCore: number('price-core', null),
        priceGb: number('price-gb', null),
        keepDays: whole('keep-days', 365),
        copies: whole('copies', 2),
        largest: { cores: whole('largest-cores', 64), gb: whole('largest-gb', 16_000) },
        utilisation: Math.min(1, number('utilisation', 0.6)!),
      },
    }
  }
  const url = env['DATABASE_URL']
  if (!url)
    throw new BadOption(
      `Set DATABASE_URL to an empty PostgreSQL or Citus database: it is filled and measured.\n\n${usage}`,
    )
  const search = values.speed === 'search'
  return {
    run: {
      url,
      companies: whole('companies', 10_000),
      panels: whole('panels', 200_000),
      minutes: number('minutes', 10)!,
      speed: search ? 1 : number('speed', 1)!,
      search,
      stepSeconds: number('step-seconds', 30)!,
      probeSeconds: number('probe-seconds', 8)!,
      processes: whole('processes', 1),
      seedOnly: values['seed-only'] ?? false,
      json: values.json ?? false,
    },
  }
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args,
      options: {
        companies: text,
        panels: text,
        minutes: text,
        speed: text,
        'step-seconds': text,
        'probe-seconds': text,
        processes: text,
        'seed-only': flag,
        json: flag,
        extend: text,
        installations: text,
        'price-core': text,
        'price-gb': text,
        'keep-days': text,
        copies: text,
        'largest-cores': text,
        'largest-gb': text,
        utilisation: text,
        help: flag,
      },
    })
  } catch (error) {
    throw new BadOption(`${(error as Error).message}\n\n${usage}`)
  }
}
