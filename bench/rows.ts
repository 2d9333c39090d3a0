import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ProductLine } from '../src/domain/kernel/tenant/stage.ts'
import { defaultLadders } from '../src/domain/tenants/ladders/default-ladders.ts'
import { type BoardRowName, boardRowNames } from './board-rows.ts'
import { type ClusterRowName, clusterRowNames } from './cluster-rows.ts'
import { buildEnergyRow, type EnergyRowName, energyRowNames, tenMillion } from './energy-rows.ts'
import { eventsFeed } from './feed-row.ts'
import { hostileBodies } from './hostile-row.ts'
import { importLeads } from './import-rows.ts'
import { limiterShared } from './limiter-row.ts'
import { ask, type Workload } from './load.ts'
import { mcpRow } from './mcp-row.ts'
import { newLead } from './new-lead.ts'
import { buildPanelRow, type PanelRowName, panelRowNames } from './panel-rows.ts'
import { createRandom, shuffled } from './random.ts'
import { get, type Ports, patch, post, type Row } from './row.ts'
import { type SearchRowName, searchRowNames } from './search-rows.ts'
import type { SeededEnergy } from './seed/energy.ts'
import type { Seeded, SeededTenant } from './seed/seed.ts'
import { type WebhookRowName, webhookRowNames } from './webhook-rows.ts'

const pageBytes = 15_000
const stored = 'node:http sending stored bytes'
const written = 'node:http with one durable statement writing the same rows'
// At most 1.2 times as long is at least this part of the rate.
const nearlyEqual = 1 / 1.2

/** All rows, in the order in which they are measured: what writes comes last. */
export const dealRowNames = [
  'read-project',
  'read-lead',
  'mcp-call',
  'list-leads',
  'list-projects',
  'list-leads-1m',
  'list-leads-page-1000',
  'list-projects-page-1000',
  'legacy-fetch-project',
  'legacy-fetch-all-project',
  'legacy-leads-page-500',
  'legacy-leads-page-500-changing',
  'create-lead',
  'create-lead-idempotent',
  'move-stage',
] as const
type DealRowName = (typeof dealRowNames)[number]
/** Read from a server with the log and from one without. */
export const requestLog = 'request-log'
export const rowNames = [
  ...panelRowNames,
  ...dealRowNames,
  requestLog,
  ...clusterRowNames,
  limiterShared,
  hostileBodies,
  ...energyRowNames,
  ...webhookRowNames,
  eventsFeed,
  importLeads,
  ...boardRowNames,
  tenMillion,
  ...searchRowNames,
] as const
export type RowName = (typeof rowNames)[number]
/** Rows that are a call repeated under load. */
type CallRowName = PanelRowName | DealRowName | EnergyRowName

export function needsDeals(name: RowName): boolean {
  return isDealRow(name) || isClusterRow(name) || name === requestLog
}

function isDealRow(name: RowName): name is DealRowName {
  return (dealRowNames as readonly string[]).includes(name)
}

export function isClusterRow(name: RowName): name is ClusterRowName {
  return (clusterRowNames as readonly string[]).includes(name)
}

/** Measured in a way of its own: nobody asks, it is told. */
export function isWebhookRow(name: RowName): name is WebhookRowName {
  return (webhookRowNames as readonly string[]).includes(name)
}

export function needsEnergy(name: RowName): boolean {
  return isPanelRow(name) || name === tenMillion || (energyRowNames as readonly string[]).includes(name)
}

function isPanelRow(name: RowName): name is PanelRowName {
  return (panelRowNames as readonly string[]).includes(name)
}

export function isBoardRow(name: RowName): name is BoardRowName {
  return (boardRowNames as readonly string[]).includes(name)
}

/** On a company of their own, which takes minutes to fill. */
export function isSearchRow(name: RowName): name is SearchRowName {
  return (searchRowNames as readonly string[]).includes(name)
}

/** What the rows are measured on; null where no row asks for it. */
export interface Seeds {
  deals: Seeded | null
  energy: SeededEnergy | null
}

export async function buildRow(
  name: CallRowName,
  client: pg.Client,
  seeds: Seeds,
  ports: Ports,
): Promise<Row> {
  if (isDealRow(name)) return buildDealRow(name, client, seeds.deals!, ports)
  if (isPanelRow(name)) return buildPanelRow(name, seeds.energy!, ports)
  return buildEnergyRow(name, seeds.energy!, ports)
}

function buildDealRow(name: DealRowName, client: pg.Client, seeded: Seeded, ports: Ports): Promise<Row> {
  switch (name) {
    case 'read-project':
    case 'read-lead':
      return readRow(name, client, seeded, ports)
    case 'mcp-call':
      return findAll(client, seeded, 'projects', 'true').then((found) => mcpRow(name, found, ports))
    case 'list-leads':
      return listRow(name, 'leads', seeded, ports)
    case 'list-projects':
      return listRow(name, 'projects', seeded, ports)
    case 'list-leads-1m':
      return largeRow(name, seeded, ports)
    case 'list-leads-page-1000':
      return farRow(name, 'leads', seeded, ports)
    case 'list-projects-page-1000':
      return farRow(name, 'projects', seeded, ports)
    case 'legacy-fetch-project':
      return readRow(name, client, seeded, ports)
    case 'legacy-fetch-all-project':
      return legacyListRow(name, seeded, ports)
    case 'legacy-leads-page-500':
      return legacyFarRow(name, seeded, ports)
    case 'legacy-leads-page-500-changing':
      return legacyChangingRow(name, client, seeded, ports)
    case 'create-lead':
      return createRow(name, seeded, ports)
    case 'create-lead-idempotent':
      return idempotentRow(name, seeded, ports)
    case 'move-stage':
      return moveRow(name, client, seeded, ports)
  }
}

interface Found {
  tenant: SeededTenant
  id: string
}

async function findAll(
  client: pg.Client,
  seeded: Seeded,
  table: 'leads' | 'projects',
  condition: string,
): Promise<Found[]> {
  const tenants = new Map(seeded.installers.map((tenant) => [tenant.installerId, tenant]))
  const { rows } = await client.query<{ installer_id: string; id: string }>(
    `select installer_id, id from ${table} where installer_id = any($1) and ${condition} order by installer_id, id`,
    [[...tenants.keys()]],
  )
  return rows.map((row) => ({ tenant: tenants.get(row.installer_id)!, id: row.id }))
}

async function readRow(
  name: 'read-lead' | 'read-project' | 'legacy-fetch-project',
  client: pg.Client,
  seeded: Seeded,
  ports: Ports,
): Promise<Row> {
  const table = name === 'read-lead' ? 'leads' : 'projects'
  const legacy = name === 'legacy-fetch-project'
  const all = await findAll(client, seeded, table, legacy ? `product_line = 'solar'` : 'true')
  const path = legacy ? '/legacy/fetch_project?id=' : `/v1/${table}/`
  const workload = (port: number, request: (found: Found) => string): Workload => {
    const random = createRandom(11)
    return { port, next: () => request(random.pick(all)), status: 200, minBytes: 600 }
  }
  return {
    name,
    ours: workload(ports.ours, ({ tenant, id }) => get(path + id, tenant.key)),
    floor: workload(ports.floor, ({ tenant, id }) => get(`/${name}/${tenant.installerId}/${id}`)),
    floorIsOurs: false,
    against: stored,
    atLeast: legacy ? 0.6 : 0.75,
  }
}

async function listRow(
  name: RowName,
  table: 'leads' | 'projects',
  { installers }: Seeded,
  ports: Ports,
): Promise<Row> {
  const workload = (port: number, request: (tenant: SeededTenant) => string): Workload => {
    const random = createRandom(12)
    return { port, next: () => request(random.pick(installers)), status: 200, minBytes: pageBytes }
  }
  return {
    name,
    ours: workload(ports.ours, ({ key }) => get(firstPage(table), key)),
    floor: workload(ports.floor, ({ installerId }) => get(`/${name}/${installerId}`)),
    floorIsOurs: false,
    against: stored,
    atLeast: 0.75,
  }
}

const firstPage = (table: string) => `/v1/${table}?limit=50`

function onePage(port: number, path: string, { key }: SeededTenant): Workload {
  const request = get(path, key)
  return { port, next: () => request, status: 200, minBytes: pageBytes }
}

async function largeRow(name: RowName, { million, tenThousand }: Seeded, ports: Ports): Promise<Row> {
  return {
    name,
    ours: onePage(ports.ours, firstPage('leads'), million),
    floor: onePage(ports.ours, firstPage('leads'), tenThousand),
    floorIsOurs: true,
    against: 'our own rate in a tenant of 10,000 leads',
    atLeast: nearlyEqual,
  }
}

async function farRow(name: RowName, table: string, { million }: Seeded, ports: Ports): Promise<Row> {
  const far = await pageAddress(ports.ours, million.key, firstPage(table), 1000)
  return {
    name,
    ours: onePage(ports.ours, far, million),
    floor: onePage(ports.ours, firstPage(table), million),
    floorIsOurs: true,
    against: 'our own rate of page 1',
    atLeast: nearlyEqual,
  }
}

/** The address of the n-th page, found as any client finds it: by following the cursors. */
async function pageAddress(port: number, key: string, first: string, n: number): Promise<string> {
  let path = first
  for (let i = 1; i < n; i++) {
    const { status, text } = await ask(port, path, key)
    const next = status === 200 ? JSON.parse(text).next : null
    if (!next) throw new Error(`page ${i} of ${first} has no next: ${status} ${text.slice(0, 300)}`)
    path = `${first}&cursor=${next}`
  }
  return path
}

/** The newest page of a company's solar projects, as one that polls asks for it. */
async function legacyListRow(name: RowName, { installers }: Seeded, ports: Ports): Promise<Row> {
  const workload = (port: number, request: (tenant: SeededTenant) => string): Workload => {
    const random = createRandom(15)
    return { port, next: () => request(random.pick(installers)), status: 200, minBytes: 150_000 }
  }
  return {
    name,
    ours: workload(ports.ours, ({ key, number }) =>
      get(`/legacy/fetch_all_project?org_id=${number}&page=1`, key),
    ),
    floor: workload(ports.floor, ({ installerId }) => get(`/${name}/${installerId}`)),
    floorIsOurs: false,
    against: stored,
    atLeast: 0.6,
  }
}

const legacyPage = ({ number }: SeededTenant, page: number) =>
  `/legacy/fetch_all_lead_installer?installer_id=${number}&page=${page}`
// At most 1.5 times as long.
const legacyFlat = 1 / 1.5

async function legacyFarRow(name: RowName, { hundredThousand }: Seeded, ports: Ports): Promise<Row> {
  return {
    name,
    ours: onePage(ports.ours, legacyPage(hundredThousand, 500), hundredThousand),
    floor: onePage(ports.ours, legacyPage(hundredThousand, 1), hundredThousand),
    floorIsOurs: true,
    against: 'our own rate of page 1, with 100,000 leads',
    atLeast: legacyFlat,
  }
}

/** Each reading follows a change of one of the leads, so nothing that was counted before still holds. */
async function legacyChangingRow(
  name: RowName,
  client: pg.Client,
  { hundredThousand }: Seeded,
  ports: Ports,
): Promise<Row> {
  const { rows } = await client.query<{ id: string }>(
    'select id from leads where installer_id = $1 limit 5000',
    [hundredThousand.installerId],
  )
  const workload = (page: number): Workload => {
    const random = createRandom(16)
    let turn = 0
    const next = () => {
      if (turn++ % 2 === 0) return get(legacyPage(hundredThousand, page), hundredThousand.key)
      const body = JSON.stringify({ phone: `+1 619 555 ${1000 + random.below(9000)}` })
      return patch(`/v1/leads/${random.pick(rows).id}`, body, hundredThousand.key)
    }
    return { port: ports.ours, next, status: 200, minBytes: 600 }
  }
  return {
    name,
    ours: workload(500),
    floor: workload(1),
    floorIsOurs: true,
    against: 'our own rate of page 1, each reading after a change',
    atLeast: legacyFlat,
  }
}

async function createRow(name: RowName, { installers }: Seeded, ports: Ports): Promise<Row> {
  const body = JSON.stringify(newLead)
  const workload = (port: number, request: (tenant: SeededTenant) => string): Workload => {
    const random = createRandom(13)
    return { port, next: () => request(random.pick(installers)), status: 201, minBytes: 20, holds: 'lead_' }
  }
  return {
    name,
    ours: workload(ports.ours, ({ key }) => post('/v1/leads', body, key)),
    floor: workload(ports.floor, ({ installerId }) => post(`/create-lead/${installerId}`, body)),
    floorIsOurs: false,
    against: written,
    atLeast: 0.6,
  }
}

/** Each with a key of its own, beside the same without. */
async function idempotentRow(name: RowName, { installers }: Seeded, ports: Ports): Promise<Row> {
  const body = JSON.stringify(newLead)
  const workload = (next: (key: string) => string): Workload => {
    const random = createRandom(13)
    return {
      port: ports.ours,
      next: () => next(random.pick(installers).key),
      status: 201,
      minBytes: 20,
      holds: 'lead_',
    }
  }
  return {
    name,
    ours: workload((key) => post('/v1/leads', body, key, { 'idempotency-key': randomUUID() })),
    floor: workload((key) => post('/v1/leads', body, key)),
    floorIsOurs: true,
    against: 'our own rate of create-lead without a key',
    atLeast: 0.85,
  }
}

interface Movable extends Found {
  leadId: string
  line: ProductLine
  stage: number
}

/** Each project goes on to its next stage; of two alike the server moves one and the floor the other. */
async function moveRow(name: RowName, client: pg.Client, seeded: Seeded, ports: Ports): Promise<Row> {
  const tenants = new Map(seeded.installers.map((tenant) => [tenant.installerId, tenant]))
  const { rows } = await client.query<{ installer_id: string } & Omit<Movable, 'tenant'>>(
    `select p.installer_id, p.id, p.lead_id as "leadId", p.product_line as line, s.position as stage
     from projects p join stages s on s.installer_id = p.installer_id and s.id = p.stage_id
     where p.installer_id = any($1) order by p.installer_id, p.updated_at`,
    [[...tenants.keys()]],
  )
  const projects = rows.map((row): Movable => ({ ...row, tenant: tenants.get(row.installer_id)! }))
  const workload = (
    port: number,
    half: number,
    request: (project: Movable, stage: number) => string,
  ): Workload => {
    const mine = projects.filter((_, i) => i % 2 === half)
    const order = shuffled(mine, createRandom(14))
    let turn = 0
    const next = () => {
      const project = order[turn++ % order.length]!
      project.stage = (project.stage + 1) % defaultLadders[project.line].length
      return request(project, project.stage)
    }
    return { port, next, status: 200, minBytes: 10, holds: '"changed":true' }
  }
  const bodyOf = (line: ProductLine, stage: number) =>
    JSON.stringify({ stage: defaultLadders[line][stage]!.name })
  return {
    name,
    ours: workload(ports.ours, 0, ({ tenant, id, line }, stage) =>
      post(`/v1/projects/${id}/stage`, bodyOf(line, stage), tenant.key),
    ),
    floor: workload(ports.floor, 1, ({ tenant, id, leadId, line }, stage) =>
      post(`/move-stage/${tenant.installerId}/${id}/${leadId}/${line}/${stage}`, bodyOf(line, stage)),
    ),
    floorIsOurs: false,
    against: written,
    atLeast: 0.6,
  }
}
