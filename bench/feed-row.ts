import { installerOf } from '../src/domain/kernel/tenant/directory.ts'
import { openDatabase } from '../src/platform/db.ts'
import type { Workload } from './load.ts'
import { newLead } from './new-lead.ts'
import { createRandom } from './random.ts'
import { get, type Ports, type Row } from './row.ts'
import { createTenant } from './seed/tenants.ts'

export const eventsFeed = 'events-feed'

const tenants = 10
const leadsEach = 60
const movesEach = 30
const pageBytes = 100_000

const newProject = {
  address: '1 Market St, San Diego, CA 92101',
  first_name: 'Ada',
  last_name: 'Moreno',
  email: 'ada@example.com',
  phone_number: '(619) 555-0100',
  sales_rep: 'Rashid Karimi',
  setter: 'Selma Lind',
  system_size: 8.4,
  annual_production: 12_650.5,
  consumption: 11_800,
  system_cost: 28_728.5,
  final_ppw: 3.42,
  base_ppw: 2.95,
  adder_ppw: 0.47,
}

interface Reader {
  installerId: string
  number: number
  key: string
}

/** A page of 100 events, which were made as any are: by calls. */
export async function buildFeedRow(url: string, ports: Ports): Promise<Row> {
  const db = openDatabase(url, () => {})
  const readers: Reader[] = []
  try {
    for (let i = 1; i <= tenants; i++) {
      const { directory, key } = await createTenant(db, new Date(), `Installer of events ${i}`)
      const { installerId } = directory
      readers.push({ installerId, key, number: installerOf(directory).number })
    }
  } finally {
    await db.close()
  }
  await Promise.all(readers.map((reader) => makeEvents(ports.ours, reader)))
  const workload = (port: number, request: (reader: Reader) => string): Workload => {
    const random = createRandom(17)
    return { port, next: () => request(random.pick(readers)), status: 200, minBytes: pageBytes }
  }
  return {
    name: eventsFeed,
    ours: workload(ports.ours, ({ key }) => get('/v1/events?limit=100', key)),
    floor: workload(ports.floor, ({ installerId }) => get(`/${eventsFeed}/${installerId}`)),
    floorIsOurs: false,
    against: 'node:http sending stored bytes',
    atLeast: 0.75,
  }
}

/** Leads that are made and changed, and a project that is moved. */
async function makeEvents(port: number, { key, number }: Reader): Promise<void> {
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json() as Promise<{ leadId: string; data: { project_id: string } }>
  }
  const { data } = await send('POST', '/legacy/create_project', {
    ...newProject,
    org_id: String(number),
  })
  for (let i = 0; i < leadsEach; i++) {
    const { leadId } = await send('POST', '/v1/leads', newLead)
    await send('PATCH', `/v1/leads/${leadId}`, { phone: `619 555 ${1000 + i}` })
    if (i < movesEach)
      await send('POST', `/v1/projects/${data.project_id}/stage`, {
        stage: i % 2 === 0 ? 'Design' : 'Permitting',
      })
  }
}
