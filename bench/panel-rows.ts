import type { Workload } from './load.ts'
import { createRandom } from './random.ts'
import { get, type Ports, type Row } from './row.ts'
import type { SeededEnergy } from './seed/energy.ts'

export const panelRowNames = ['read-panel', 'list-panels', 'list-panels-page-100'] as const
export type PanelRowName = (typeof panelRowNames)[number]

const indexed = 'node:http with one indexed read, made JSON by the database'

export function buildPanelRow(name: PanelRowName, seeded: SeededEnergy, ports: Ports): Row {
  switch (name) {
    case 'read-panel':
      return readRow(name, seeded, ports)
    case 'list-panels':
      return listRow(name, seeded, ports)
    case 'list-panels-page-100':
      return farRow(name, seeded, ports)
  }
}

function readRow(name: PanelRowName, { tenant, sites }: SeededEnergy, ports: Ports): Row {
  const panels = sites.flatMap((site) => site.panels)
  const workload = (port: number, request: (id: string) => string): Workload => {
    const random = createRandom(31)
    return { port, next: () => request(random.pick(panels)), status: 200, minBytes: 200, holds: 'pnl_' }
  }
  return {
    name,
    ours: workload(ports.ours, (id) => get(`/catalog/v1/panels/${id}`, tenant.key)),
    floor: workload(ports.floor, (id) => get(`/${name}/${tenant.installerId}/${id}`)),
    floorIsOurs: false,
    against: indexed,
    atLeast: 0.7,
  }
}

const page = (port: number, request: string): Workload => ({
  port,
  next: () => request,
  status: 200,
  minBytes: 5_000,
})

function listRow(name: PanelRowName, { tenant }: SeededEnergy, ports: Ports): Row {
  return {
    name,
    ours: page(ports.ours, get('/catalog/v1/panels?per_page=50', tenant.key)),
    floor: page(ports.floor, get(`/${name}/${tenant.installerId}`)),
    floorIsOurs: false,
    against: indexed,
    atLeast: 0.7,
  }
}

/** The last page of 10,000 panels, beside the first. */
function farRow(name: PanelRowName, { tenant }: SeededEnergy, ports: Ports): Row {
  const ofHundred = (n: number) =>
    page(ports.ours, get(`/catalog/v1/panels?per_page=100&page=${n}`, tenant.key))
  return {
    name,
    ours: ofHundred(100),
    floor: ofHundred(1),
    floorIsOurs: true,
    against: 'our own rate of page 1, with 10,000 panels',
    atLeast: 0.75,
  }
}
