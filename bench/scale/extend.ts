import { lookCores } from './costs.ts'
import { dayOf, keptBytes } from './day.ts'
import { model, type ObservedKind, observedKinds, ratesOf, type Size } from './model.ts'
import type { ExtendOptions } from './options.ts'
import { figure, table } from './print.ts'
import type { ScaleResult } from './result.ts'

interface Part {
  perSecond: number
  serverCores: number
  databaseCores: number | null
  gbADay: number
}

export interface Extended extends Size {
  parts: Record<ObservedKind, Part>
  /** Of the rows that every panel and site has for a day. */
  dayRowsGbADay: number
  /** Of the looks for alerts. */
  lookServerCores: number
  lookDatabaseCores: number | null
  /** Busy in the busiest hour, before anything is left free. */
  serverCores: number
  databaseCores: number | null
  gbADay: number
  walGbADay: number
  gbKept: number
  /** What to have, with cores as busy as planned and every copy of the database. */
  toHave: { serverCores: number; databaseCores: number | null; gb: number }
  /** A month's; null without prices. */
  price: { servers: number; database: number | null; disks: number } | null
  limits: Limit[]
}

/** Something that one machine has only so much of, and with how many installations that is used up. */
export interface Limit {
  name: string
  used: number
  limit: number
  unit: string
  reachedAt: number
}

/** The measured cost of each unit, times how many there would be: nothing is measured here. */
export function extend(result: ScaleResult, options: ExtendOptions): Extended {
  const companies = options.companies ?? result.companies
  const at = (installations: number) => usedBy(result, companies, installations, options)
  const there = at(options.installations)
  const { serverCores, databaseCores, gbKept } = there
  const { utilisation, copies, priceCore, priceGb, largest } = options
  const toHave = {
    serverCores: Math.ceil(serverCores / utilisation),
    databaseCores: databaseCores === null ? null : Math.ceil(databaseCores / utilisation) * copies,
    gb: gbKept * copies,
  }
  const limit = (
    name: string,
    unit: string,
    most: number,
    used: (size: ReturnType<typeof at>) => number,
  ): Limit => {
    const [none, all] = [used(at(0)), used(there)]
    const each = (all - none) / options.installations
    return {
      name,
      unit,
      used: all,
      limit: most,
      reachedAt: each > 0 ? Math.max(0, (most - none) / each) : Number.POSITIVE_INFINITY,
    }
  }
  const limits = [
    limit('disk of the largest database', 'GB kept', largest.gb, (one) => one.gbKept),
    limit('cores of one server process', 'cores', utilisation, (one) => one.serverCores),
    limit(
      'the one process that delivers webhooks',
      'cores',
      utilisation,
      (one) => one.parts.webhook.serverCores,
    ),
    ...(databaseCores === null
      ? []
      : [
          limit(
            'cores of the largest database',
            'cores',
            largest.cores * utilisation,
            (one) => one.databaseCores!,
          ),
        ]),
  ].sort((a, b) => a.reachedAt - b.reachedAt)
  return {
    ...there,
    toHave,
    price:
      priceCore === null || priceGb === null
        ? null
        : {
            servers: toHave.serverCores * priceCore,
            database: toHave.databaseCores === null ? null : toHave.databaseCores * priceCore,
            disks: toHave.gb * priceGb,
          },
    limits,
  }
}

function usedBy(result: ScaleResult, companies: number, installations: number, { keepDays }: ExtendOptions) {
  const { costs, rowBytes, deliveriesAChange } = result
  const size = { companies, panels: installations * model.panelsASite }
  const calls = ratesOf(size)
  const rates: Record<ObservedKind, number> = {
    ...calls,
    webhook: (calls['post-lead'] + calls['move-stage']) * deliveriesAChange,
  }
  const day = dayOf(size, costs, rowBytes, deliveriesAChange)
  const known = costs.idle.databaseMsPerSecond !== null
  const look = lookCores(costs)
  const times = size.panels / result.panels
  const parts = Object.fromEntries(
    observedKinds.map((kind): [ObservedKind, Part] => {
      const { serverUs, databaseUs } = costs.kinds[kind]
      return [
        kind,
        {
          perSecond: rates[kind],
          serverCores: (rates[kind] * serverUs) / 1e6,
          databaseCores: databaseUs === null ? null : (rates[kind] * databaseUs) / 1e6,
          gbADay: day.diskBytes[kind] / 1e9,
        },
      ]
    }),
  ) as Record<ObservedKind, Part>
  const sum = (of: 'serverCores' | 'databaseCores') =>
    observedKinds.reduce((total, kind) => total + (parts[kind][of] ?? 0), 0)
  const gbADay = day.totalDiskBytes / 1e9
  return {
    ...size,
    parts,
    dayRowsGbADay: day.diskBytes['day-rows'] / 1e9,
    lookServerCores: look.server * times,
    lookDatabaseCores: look.database === null ? null : look.database * times,
    serverCores: sum('serverCores') + costs.idle.serverMsPerSecond / 1000 + look.server * times,
    databaseCores: known
      ? sum('databaseCores') + costs.idle.databaseMsPerSecond! / 1000 + (look.database ?? 0) * times
      : null,
    gbADay,
    walGbADay: day.totalWalBytes / 1e9,
    gbKept: keptBytes(day, keepDays) / 1e9,
  }
}

const grouped = (value: number) => Math.round(value).toLocaleString('en-US')

export function printExtended(
  extended: Extended,
  options: ExtendOptions,
  line: (text: string) => void,
): void {
  const { parts, toHave, price, limits } = extended
  line(
    `${grouped(options.installations)} installations (${grouped(extended.panels)} panels) of ${grouped(extended.companies)} companies, by the costs measured in ${options.file}: extended, not measured`,
  )
  const rows = observedKinds.map((kind) => [
    kind,
    figure(parts[kind].perSecond, 1),
    figure(parts[kind].serverCores, 2),
    figure(parts[kind].databaseCores, 2),
    figure(parts[kind].gbADay, 2),
  ])
  rows.push([
    'looks for alerts',
    '',
    figure(extended.lookServerCores, 2),
    figure(extended.lookDatabaseCores, 2),
    '',
  ])
  rows.push(['rows of the day', '', '', '', figure(extended.dayRowsGbADay, 2)])
  rows.push([
    'all, with idle',
    '',
    figure(extended.serverCores, 2),
    figure(extended.databaseCores, 2),
    figure(extended.gbADay, 2),
  ])
  for (const text of table(['', 'a second', 'server cores', 'database cores', 'GB a day'], rows))
    line(`  ${text}`)
  line(`  WAL: ${figure(extended.walGbADay, 1)} GB a day, which every standby and the archive take`)
  line(
    `\nto have: ${toHave.serverCores} cores for servers and ${toHave.databaseCores ?? 'an unknown number of'} for databases (busy for ${figure(options.utilisation * 100)} % in the busiest hour, ${options.copies} copies of the database), ${grouped(toHave.gb)} GB of disk for ${options.keepDays} days`,
  )
  if (price) {
    const total = price.servers + (price.database ?? 0) + price.disks
    line(
      `a month at ${options.priceCore} a core and ${options.priceGb} a GB: servers ${grouped(price.servers)}, databases ${price.database === null ? 'unknown' : grouped(price.database)}, disks ${grouped(price.disks)}; together ${grouped(total)}, ${figure(total / options.installations, 4)} an installation`,
    )
  } else line('prices: give --price-core and --price-gb, of a month')
  line('\nwhat breaks first, if nothing is done: with how many installations of these companies')
  for (const { name, used, limit, unit, reachedAt } of limits) {
    const when =
      reachedAt === Number.POSITIVE_INFINITY
        ? 'never by installations alone'
        : reachedAt === 0
          ? 'used up by these companies already'
          : `at ${grouped(reachedAt)}`
    line(`  ${when}: ${name} (${figure(limit, 1)} ${unit}; this would take ${figure(used, 1)})`)
  }
}
