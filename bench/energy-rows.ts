import type { Workload } from './load.ts'
import { createRandom } from './random.ts'
import { type Batch, batchOf, type ShapeName, shapeNames } from './reading-batches.ts'
import type { Ports, Row } from './row.ts'
import { type SeededEnergy, type SeededSite, seededYear, sentYears } from './seed/energy.ts'

/** By itself: it takes minutes. */
export const tenMillion = 'ingest-10-million'

export const energyRowNames = ['energy-year-monthly', ...shapeNames] as const
export type EnergyRowName = (typeof energyRowNames)[number]

export function buildEnergyRow(name: EnergyRowName, seeded: SeededEnergy, ports: Ports): Row {
  return name === 'energy-year-monthly' ? yearRow(name, seeded, ports) : ingestRow(name, seeded, ports)
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

/** Batches of one shape, each time of other panels or of later times, beside those of the floor. */
function ingestRow(name: ShapeName, seeded: SeededEnergy, ports: Ports): Row {
  const { installerId } = seeded.tenant
  const head = (turn: number) => `/ingest-readings/${installerId}/${name}/${turn} HTTP/1.1\r\nhost: bench\r\n`
  return {
    name,
    ours: readingsWorkload(name, seeded, ports.ours, 'ours'),
    floor: readingsWorkload(name, seeded, ports.floor, 'floor', head),
    floorIsOurs: false,
    against: 'node:http with COPY of the same 1,000 readings, without roll-ups',
    atLeast: 0.35,
  }
}

export function readingsWorkload(
  shape: ShapeName,
  { tenant, sites }: SeededEnergy,
  port: number,
  year: keyof typeof sentYears,
  head?: (turn: number) => string,
): Workload {
  const panels = sites.flatMap((site) => site.panels)
  const own = `/catalog/v1/monitoring/readings HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${tenant.key}\r\n`
  let turn = 0
  const next = () => {
    const body = bodyOf(batchOf(shape, sentYears[year], panels, turn))
    const begin = head?.(turn) ?? own
    turn++
    return `POST ${begin}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }
  return { port, next, status: 200, minBytes: 10, holds: '"accepted":1000' }
}

function bodyOf({ panels, times }: Batch): string {
  const made = times.map((time, i) => `"timestamp":"${time.toISOString()}","kwh":0.0${10 + (i % 90)}}`)
  const readings = panels.map((id) => made.map((rest) => `{"panel_id":"${id}",${rest}`).join(','))
  return `{"readings":[${readings.join(',')}]}`
}
