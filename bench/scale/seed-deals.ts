import pg from 'pg'
import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'
import { newId } from '../../src/platform/ids.ts'
import { createRandom } from '../random.ts'
import { addDeal, insertRows, noRows } from '../seed/insert-rows.ts'
import { sampleDeal } from '../seed/sample-deals.ts'
import type { Inhabitant } from './population.ts'
import type { SeededCompanies } from './seed-companies.ts'

const dealsAtOnce = 1_000
/** Each with a connection of its own, while the next rows are rendered. */
const writers = 3
const yearMs = 365 * 86_400_000

/** Leads and projects of the last year, rendered as their writes would have done it. */
export async function seedDeals(
  url: string,
  population: readonly Inhabitant[],
  companies: SeededCompanies,
  now: Date,
  note: (message: string) => void,
): Promise<void> {
  const writer = await openWriter(url)
  try {
    let rows = noRows()
    let done = 0
    for (const deal of everyDeal(population, companies, now)) {
      addDeal(rows, deal, deal.directory)
      if (++done % 30_000 === 0) note(`${done} leads`)
      if (rows.leads.length < dealsAtOnce) continue
      await writer.write(rows)
      rows = noRows()
    }
    await writer.write(rows)
    await writer.finished()
  } finally {
    await writer.close()
  }
}

async function openWriter(url: string) {
  const clients = Array.from({ length: writers }, () => new pg.Client({ connectionString: url }))
  for (const client of clients) {
    await client.connect()
    await client.query('set synchronous_commit = off')
  }
  const writing = clients.map(() => Promise.resolve())
  let turn = 0
  return {
    /** Waits for the connection's last rows only. */
    async write(rows: Parameters<typeof insertRows>[1]) {
      const mine = turn++ % writers
      await writing[mine]
      writing[mine] = insertRows(clients[mine]!, rows)
      // A refusal is thrown to whoever waits for it next.
      writing[mine]!.catch(() => {})
    },
    finished: () => Promise.all(writing),
    close: () => Promise.all(clients.map((client) => client.end())),
  }
}

function* everyDeal(
  population: readonly Inhabitant[],
  { ids, directories }: SeededCompanies,
  now: Date,
): Generator<ReturnType<typeof sampleDeal> & { directory: Directory }> {
  const tenants: number[][] = directories.map(() => [])
  for (const [place, { installer }] of population.entries()) tenants[installer]!.push(place)
  for (const [installer, places] of tenants.entries()) {
    const directory = directories[installer]!
    // A company's sold leads first; not one project without its lead.
    const deals = places.flatMap((place) => {
      const { leads, projects } = population[place]!
      return Array.from({ length: Math.max(leads, projects) }, (_, i) => ({ place, sold: i < projects }))
    })
    // Times differ within a tenant, and all are past.
    const stepMs = Math.max(1, Math.floor(yearMs / (deals.length + 1)))
    for (const [index, { place, sold }] of deals.entries()) {
      const deal = sampleDeal(
        {
          directory,
          companyId: ids[place]!,
          sold,
          index,
          pair: index,
          at: new Date(now.getTime() - (deals.length - index) * stepMs),
          leadId: newId('lead'),
          projectId: newId('proj'),
        },
        createRandom(installer * 65_537 + index),
      )
      deal.files = []
      yield { ...deal, directory }
    }
  }
}
