import type { Workload } from './load.ts'
import { createRandom } from './random.ts'
import type { Ports, Row } from './row.ts'
import { type SeededEnergy, type SeededSite, seededYear } from './seed/energy.ts'

export const energyRowNames = ['energy-year-monthly', 'ingest-readings'] as const
export type EnergyRowName = (typeof energyRowNames)[number]

export function buildEnergyRow(name: EnergyRowName, seeded: SeededEnergy, ports: Ports): Row {
  return name === 'ingest-readings' ? ingestRow(name, seeded, ports) : yearRow(name, seeded, ports)
}

function yearRow(name: EnergyRowName, { tenant, sites }: SeededEnergy, ports: Ports): Row {
  const workload = (port: number, head: (site: SeededSite) => string): Workload => {
    const random = createRandom(21)
    const next = () => `${head(random.pick(sites))}\r\n`
    return { port, next, status: 200, minBytes: 500, holds: `${seededYear}-12-01` }
  }
  const query = `start_date=${seededYear}-01-01&end_date=${seededYear}-12-31&granularity=monthly`
  return {
    name,
    ours: workload(
      ports.ours,
      ({ id }) =>
        `GET /catalog/v1/monitoring/energy?installation_id=${id}&${query} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tenant.key}\r\n`,
    ),
    floor: workload(
      ports.floor,
      ({ id }) => `GET /${name}/${tenant.installerId}/${id}/${seededYear} HTTP/1.1\r\nhost: bench\r\n`,
    ),
    floorIsOurs: false,
    against: 'node:http with one indexed read of the stored roll-ups',
    atLeast: 0.5,
  }
}

const quarterMs = 900_000
const timesEach = 10

/** A site sends ten quarters of an hour of its hundred panels; the next time it is on, the ten after. */
function ingestRow(name: EnergyRowName, { tenant, sites }: SeededEnergy, ports: Ports): Row {
  const workload = (port: number, year: number, head: (site: number, from: number) => string): Workload => {
    let turn = 0
    const next = () => {
      const site = turn % sites.length
      const from = Date.UTC(year, 0, 1) + Math.floor(turn / sites.length) * timesEach * quarterMs
      turn++
      const body = bodyOf(sites[site]!, from)
      return `POST ${head(site, from)}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    }
    return { port, next, status: 200, minBytes: 10, holds: '"accepted":1000' }
  }
  return {
    name,
    ours: workload(
      ports.ours,
      2023,
      () =>
        `/catalog/v1/monitoring/readings HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tenant.key}\r\n`,
    ),
    floor: workload(
      ports.floor,
      2021,
      (site, from) => `/${name}/${tenant.installerId}/${sites[site]!.id}/${from} HTTP/1.1\r\nhost: bench\r\n`,
    ),
    floorIsOurs: false,
    against: 'node:http with COPY of the same 1,000 readings, without roll-ups',
    atLeast: 0.35,
  }
}

function bodyOf({ panels }: SeededSite, from: number): string {
  const times = Array.from({ length: timesEach }, (_, i) => new Date(from + i * quarterMs).toISOString())
  const readings = panels.map((id) =>
    times.map((time, i) => `{"panel_id":"${id}","timestamp":"${time}","kwh":0.0${10 + i}}`).join(','),
  )
  return `{"readings":[${readings.join(',')}]}`
}
