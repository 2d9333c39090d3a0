import { openDatabase } from '../src/platform/db.ts'
import { grow } from './growth/grow.ts'
import { words } from './growth/grow-deals.ts'
import { createGrowthTenant, type GrowthTenant } from './growth/tenant.ts'
import { runLoad, type Workload } from './load.ts'
import type { Rounds } from './measure.ts'
import { createRandom, type Random } from './random.ts'
import { besideResult, promptnessResult, type Result } from './report.ts'
import { get } from './row.ts'

/** Lists of a company with a million leads, by words and by each filter. */
export const searchRowNames = ['search-leads', 'filter-leads'] as const
export type SearchRowName = (typeof searchRowNames)[number]

const leads = 1_000_000
const readers = 4
const searchLimitMs = 50
// Of the plain list's p99.
const filterAtMost = 2

type Ask = (tenant: GrowthTenant, random: Random) => string

const leadNumber = (random: Random) => 1 + random.below(leads)
const phoneOf = (number: number) => `+1619${String(number).padStart(7, '0')}`

/** What is in a quarter of the leads, in a ninth, in some hundreds, in twenty, in one and in none. */
const searches: Ask[] = [
  () => words.common,
  () => 'moreno',
  () => 'ada okafor',
  (_, random) => `${100 + random.below(800)} juniper`,
  () => words.rare,
  (_, random) => `customer${leadNumber(random)}@example.com`,
  (_, random) => phoneOf(leadNumber(random)),
  (_, random) => `lead_${String(leadNumber(random)).padStart(20, '0')}`,
  () => words.none,
]

const filters: Ask[] = [
  (_, random) => `externalId=ext-${leadNumber(random)}`,
  (_, random) => `email=CUSTOMER${leadNumber(random)}@example.com`,
  (_, random) => `phone=${encodeURIComponent(phoneOf(leadNumber(random)))}`,
  () => 'status=contacted',
  () => 'status=unqualified',
  ({ repIds }, random) => `salesRep=${random.pick(repIds)}`,
  ({ memberIds }) => `salesRep=${memberIds.newRep}`,
  ({ dealerId }) => `companyId=${dealerId}`,
  ({ newDealerId }) => `companyId=${newDealerId}`,
  () => 'productLine=hi&status=lost&order=asc',
]

/** Each kind of question as often as the others. */
function asking(kinds: Ask[], path: (asked: string) => string, tenant: GrowthTenant, port: number): Workload {
  const random = createRandom(21)
  let turn = 0
  const next = () => get(path(kinds[turn++ % kinds.length]!(tenant, random)), tenant.keys.installer)
  return { port, next, status: 200, minBytes: 20 }
}

export async function measureSearch(
  names: readonly SearchRowName[],
  url: string,
  port: number,
  options: Rounds,
  note: (message: string) => void,
): Promise<Result[]> {
  const db = openDatabase(url, () => {})
  const tenant = await createGrowthTenant(db, 'Installer that searches').finally(() => db.close())
  await grow(url, tenant, 0, leads, { tables: ['leads'], note })
  const list = '/v1/leads?limit=50'
  const workloads = {
    'search-leads': asking(searches, (asked) => `${list}&search=${encodeURIComponent(asked)}`, tenant, port),
    'filter-leads': asking(filters, (asked) => `${list}&${asked}`, tenant, port),
    plain: asking([() => list], (asked) => asked, tenant, port),
  }
  const times = { 'search-leads': [] as number[], 'filter-leads': [] as number[], plain: [] as number[] }
  const turns = [...names, 'plain'] as const
  for (const turn of turns) await runLoad(workloads[turn], { connections: readers, ms: options.warmUpMs })
  for (let round = 0; round < options.rounds; round++) {
    for (const turn of turns) {
      const { latenciesMs } = await runLoad(workloads[turn], { connections: readers, ms: options.roundMs })
      for (const ms of latenciesMs) times[turn].push(ms)
    }
  }
  return names.map((name) => {
    if (name === 'filter-leads')
      return besideResult(name, 'p99 of the plain list', filterAtMost, {
        ours: times[name],
        floor: times.plain,
      })
    const sorted = times[name].toSorted((a, b) => a - b)
    const at = (share: number) => Number(sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(2))
    return promptnessResult(name, 'what it may take, with 1,000,000 leads', searchLimitMs, at(0.5), at(0.99))
  })
}
