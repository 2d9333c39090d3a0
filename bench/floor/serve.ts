import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import { loadDirectory } from '../../src/domain/kernel/tenant/queries.ts'
import { openDatabase, type Statement } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { batchOf, type ShapeName } from '../reading-batches.ts'
import { sentYears } from '../seed/energy.ts'
import { createLead, leadValues } from './create-lead.ts'
import { copyLines, copyReadings, energyYear } from './energy.ts'
import { type Move, type Renderings, stageMoves } from './move-stage.ts'
import { listPanels, readPanel } from './panels.ts'
import {
  legacyListProjects,
  legacyReadProject,
  listLeads,
  listProjects,
  readEvents,
  readLead,
  readProject,
} from './reads.ts'

// The least program that could do the work: no keys, no checks, no log. Paths name everything.

const url = process.env['DATABASE_URL']!
const pool = new pg.Pool({ connectionString: url, max: 10 })
const newLeads = new Map<string, (leadId: string) => unknown[]>()
const moves = new Map<string, Move[]>()
await prepare()

async function prepare(): Promise<void> {
  const db = openDatabase(url, () => {})
  const { rows } = await pool.query<{ id: string }>('select installer_id as id from tenant_clocks')
  for (const { id } of rows) {
    const directory = await loadDirectory(db, id)
    newLeads.set(id, leadValues(directory))
    for (const line of ['solar', 'hi'] as const) {
      const found = await pool.query<Renderings>(
        `with mine as (select row_rendering, rendering, legacy_rendering from projects where installer_id = $1 and product_line = $2)
         select * from mine order by abs(length(rendering) - (select avg(length(rendering)) from mine)) limit 1`,
        [id, line],
      )
      if (found.rows[0]) moves.set(`${id} ${line}`, stageMoves(directory, line, found.rows[0]))
    }
  }
  await db.close()
}

async function first(statement: Statement, values: unknown[]): Promise<string> {
  const { rows } = await pool.query<[string]>({ ...statement, values, rowMode: 'array' })
  return rows[0]![0]
}

function send(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}

const panels = new Map<string, Promise<string[]>>()

/** Read once: the least program would know its panels. */
function panelsOf(installer: string): Promise<string[]> {
  const known =
    panels.get(installer) ??
    pool
      .query<{ id: string }>('select id from panels where installer_id = $1 order by installation_id, id', [
        installer,
      ])
      .then(({ rows }) => rows.map(({ id }) => id))
  panels.set(installer, known)
  return known
}

type Handler = (response: ServerResponse, path: string[]) => Promise<void>

const read = (statement: Statement): Handler => {
  return async (response, [, , installer, id]) => send(response, 200, await first(statement, [installer, id]))
}
const list = (statement: Statement): Handler => {
  return async (response, [, , installer]) => send(response, 200, `[${await first(statement, [installer])}]`)
}

const handlers: Record<string, Handler> = {
  'read-lead': read(readLead),
  'read-project': read(readProject),
  'read-panel': read(readPanel),
  'list-panels': list(listPanels),
  'list-leads': list(listLeads),
  'events-feed': list(readEvents),
  'list-projects': list(listProjects),
  'legacy-fetch-project': read(legacyReadProject),
  'legacy-fetch-all-project': list(legacyListProjects),
  'create-lead': async (response, [, , installer]) => {
    const leadId = newId('lead')
    await pool.query({ ...createLead, values: newLeads.get(installer!)!(leadId) })
    send(response, 201, `{"leadId":"${leadId}"}`)
  },
  'move-stage': async (response, [, , installer, projectId, leadId, line, stage]) => {
    const { statement, values } = moves.get(`${installer} ${line}`)![Number(stage)]!
    await pool.query({ ...statement, values: values(projectId!, leadId!) })
    send(response, 200, '{"changed":true}')
  },
  'energy-year-monthly': async (response, [, , installer, id, year]) =>
    send(response, 200, `{"data":[${await first(energyYear, [installer, id, year])}]}`),
  'ingest-readings': async (response, [, , installer, shape, turn]) => {
    const panels = await panelsOf(installer!)
    const batch = batchOf(shape as ShapeName, sentYears.floor, panels, Number(turn))
    const client = await pool.connect()
    try {
      await copyReadings(client, copyLines(installer!, batch))
    } finally {
      client.release()
    }
    send(response, 200, '{"accepted":1000}')
  },
  readyz: async (response) => send(response, 200, '{}'),
}

const server = createServer((request, response) => {
  const path = request.url!.split('/')
  const answer = () =>
    handlers[path[1]!]!(response, path).catch((error) => send(response, 500, String(error)))
  // A long body is let arrive first, as it must be for whoever reads it.
  if (path[1] === 'ingest-readings') request.resume().on('end', answer)
  else answer()
})
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`)
})
