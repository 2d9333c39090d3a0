import type pg from 'pg'
import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'
import { newId } from '../../src/platform/ids.ts'
import { insertAll } from './insert-all.ts'
import { model } from './model.ts'
import type { Inhabitant } from './population.ts'

const region = 'US-CA'
const sitesAtOnce = 200

/** Installations and panels of all installers, and how many there are of each. */
export async function seedSites(
  client: pg.Client,
  population: readonly Inhabitant[],
  directories: readonly Directory[],
  panels: number,
  now: Date,
): Promise<void> {
  const each = model.panelsASite
  let left = panels
  const sites = directories.flatMap(({ installerId }, place) =>
    Array.from({ length: population[place]!.sites }, () => {
      const count = Math.min(each, left)
      left -= count
      return { installerId, id: newId('inst'), count }
    }),
  )
  for (let from = 0; from < sites.length; from += sitesAtOnce) {
    const some = sites.slice(from, from + sitesAtOnce)
    await insertAll(
      client,
      'installations',
      some.map(({ installerId, id, count }, i) => ({
        installer_id: installerId,
        id,
        company_id: installerId,
        name: `Site ${from + i + 1}`,
        address: '1 Market St, San Diego, CA 92101',
        region,
        timezone: 'America/Los_Angeles',
        panel_count: count,
        panels_kw: count * model.panelKw,
        version: 1,
        created_at: now,
      })),
    )
    await insertAll(
      client,
      'panels',
      some.flatMap(({ installerId, id, count }) =>
        Array.from({ length: count }, (_, i) => ({
          installer_id: installerId,
          id: newId('pnl'),
          company_id: installerId,
          installation_id: id,
          name: `Panel ${i + 1}`,
          capacity_kw: model.panelKw,
          status: 'active',
          metadata: {},
          version: 1,
          created_at: now,
        })),
      ),
    )
  }
  const counted = new Map<string, { installations: number; panels: number }>()
  for (const { installerId, count } of sites) {
    const held = counted.get(installerId) ?? { installations: 0, panels: 0 }
    counted.set(installerId, { installations: held.installations + 1, panels: held.panels + count })
  }
  const counts = [...counted].map(([installerId, held]) => ({ installerId, ...held }))
  await insertAll(
    client,
    'installation_counts',
    counts.map(({ installerId, installations }) => ({
      ...{ installer_id: installerId, company_id: installerId, region, installations, changes: 0 },
    })),
  )
  await insertAll(
    client,
    'panel_counts',
    counts.map(({ installerId, panels: held }) => ({
      ...{ installer_id: installerId, company_id: installerId, status: 'active', panels: held, changes: 0 },
    })),
  )
}
