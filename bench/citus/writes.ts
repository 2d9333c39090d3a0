import pg from 'pg'
import { defaultLadders } from '../../src/domain/tenants/ladders/default-ladders.ts'
import type { Db, PooledDatabase } from '../../src/platform/db.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { migrateQueue } from '../../src/platform/queue.ts'
import { type BenchApp, openBenchApp } from '../app.ts'
import { newLead } from '../new-lead.ts'
import { refuseForeign } from '../scale/own-database.ts'
import { createTenant } from '../seed/tenants.ts'

/** Medians of a call in ms: what its statements took as their caller sees it, one after the other, and all of it. */
export interface Cost {
  database: number
  call: number
}

export interface Timed {
  version: string
  nodes: number
  kinds: { 'create-lead': Cost; 'move-stage': Cost }
}

interface Side extends Pick<Timed, 'version' | 'nodes'> {
  createLead(): Promise<Cost>
  moveStage(): Promise<Cost>
  close(): Promise<void>
}

/** By turns, so that whatever else the machine does falls on all of them. */
export async function timeWrites(
  urls: readonly string[],
  { calls, rounds }: { calls: number; rounds: number },
): Promise<Timed[]> {
  const sides: Side[] = []
  try {
    for (const url of urls) sides.push(await openSide(url))
    const seen = sides.map(() => ({ leads: [] as Cost[], moves: [] as Cost[] }))
    // The first round is not counted: connections, plans and caches begin there.
    for (let round = 0; round <= rounds; round++)
      for (const [i, side] of sides.entries())
        for (let call = 0; call < calls / rounds; call++) {
          const [lead, move] = [await side.createLead(), await side.moveStage()]
          if (round === 0) continue
          seen[i]!.leads.push(lead)
          seen[i]!.moves.push(move)
        }
    return sides.map(({ version, nodes }, i) => ({
      version,
      nodes,
      kinds: { 'create-lead': medianOf(seen[i]!.leads), 'move-stage': medianOf(seen[i]!.moves) },
    }))
  } finally {
    for (const side of sides) await side.close()
  }
}

async function openSide(url: string): Promise<Side> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await refuseForeign(client)
  await migrate(url)
  await migrateQueue(url, createLog('silent'))
  const { rows } = await client.query<{ version: string; citus: string | null }>(
    `select 'PostgreSQL ' || current_setting('server_version') as version,
      (select extversion from pg_extension where extname = 'citus') as citus`,
  )
  const { version, citus } = rows[0]!
  const nodes = citus
    ? (await client.query('select from pg_dist_node where isactive and shouldhaveshards')).rows.length
    : 1
  await client.end()
  const clock = createStatementClock()
  const app = await openBenchApp(url, clock.watch)
  const { key, companyIds, directory } = await createTenant(app.deps.db, new Date(), 'Installer')
  const number = directory.companies.get(companyIds[0]!)!.number
  const projectId = await createProject(app, key, number)
  let stage = 0

  async function timed(path: string, body: object, status: number): Promise<Cost> {
    clock.reset()
    const began = performance.now()
    const response = await post(app, path, key, body)
    if (response.status !== status) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    return { call: performance.now() - began, database: clock.ms() }
  }

  return {
    version: citus ? `${version}, Citus ${citus}` : version,
    nodes,
    createLead: () => timed('/v1/leads', newLead, 201),
    moveStage: () => {
      stage = (stage + 1) % defaultLadders.solar.length
      return timed(`/v1/projects/${projectId}/stage`, { stage: defaultLadders.solar[stage]!.name }, 200)
    },
    close: () => app.close(),
  }
}

async function createProject(app: BenchApp, key: string, number: number): Promise<string> {
  const response = await post(app, '/legacy/create_project', key, {
    ...{ address: '1 Market St, San Diego, CA 92101', first_name: 'Ada', last_name: 'Moreno' },
    ...{ email: 'ada@example.com', phone_number: '(619) 555-0100', org_id: String(number) },
    ...{ sales_rep: 'nobody@example.com', setter: 'Nobody', system_size: 8.4, annual_production: 12650.5 },
    ...{ consumption: 11800, system_cost: 28728.5, final_ppw: 3.42, base_ppw: 2.95, adder_ppw: 0.47 },
  })
  if (!response.ok) throw new Error(`create_project: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
  const list = await fetch(`${app.baseUrl}/v1/projects`, { headers: { authorization: `Bearer ${key}` } })
  return ((await list.json()) as { data: { id: string }[] }).data[0]!.id
}

function post(app: BenchApp, path: string, key: string, body: object): Promise<Response> {
  return fetch(`${app.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Adds up what statements take. */
function createStatementClock() {
  let sum = 0
  const timed = <D extends Db>(db: D): D => ({
    ...db,
    query: async (statement, values) => {
      const began = performance.now()
      return db.query(statement, values).finally(() => {
        sum += performance.now() - began
      })
    },
  })
  return {
    watch: (db: PooledDatabase): PooledDatabase => ({
      ...timed(db),
      transaction: (work, isolation) => {
        const began = performance.now()
        return db.transaction(work, isolation).finally(() => {
          sum += performance.now() - began
        })
      },
    }),
    reset() {
      sum = 0
    },
    ms: () => sum,
  }
}

function medianOf(costs: readonly Cost[]): Cost {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  return { database: median(costs.map((one) => one.database)), call: median(costs.map((one) => one.call)) }
}
