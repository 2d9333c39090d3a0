import type pg from 'pg'
import type { ProductLine } from '../../src/domain/kernel/tenant/stage.ts'
import { defaultLadders } from '../../src/domain/tenants/ladders/default-ladders.ts'
import { model } from './model.ts'
import type { Mark } from './own-database.ts'
import { keySecret, populationOf } from './population.ts'

/** What the generator drives; a file of JSON between the two processes. */
export interface Plan {
  companies: { key: string; size: number; told: boolean }[]
  /** By the place of their installer: a dealer's key moves none. */
  projects: { company: number; id: string; line: ProductLine; stage: number }[]
  sites: { key: string; panels: string[] }[]
  /** Who opens pages, as they are signed in by the run. */
  people: Person[]
  ladders: Record<ProductLine, string[]>
  /** The first quarter of an hour that no reading was sent of. */
  firstDay: string
  quarters: number
}

export interface Person {
  email: string
  installer: number
  cookie: string
  leads: string[]
  projects: string[]
}

const recordsEach = 40

export async function readPlan(client: pg.Client, mark: Mark): Promise<Plan> {
  const population = populationOf(mark)
  const { rows: companies } = await client.query<{ id: string }>('select id from companies order by number')
  const places = new Map(companies.map(({ id }, place) => [id, place]))
  const keys = population.map((_, place) => keySecret(mark.salt, place))
  const people = await readPeople(client, population, companies)
  return {
    companies: population.map(({ size, told }, place) => ({ key: keys[place]!, size, told })),
    projects: await readProjects(client, places),
    sites: await readSites(client, places, keys),
    people,
    ladders: { solar: namesOf('solar'), hi: namesOf('hi') },
    firstDay: mark.firstDay,
    quarters: mark.quarters,
  }
}

const namesOf = (line: ProductLine) => defaultLadders[line].map(({ name }) => name)

async function readProjects(
  client: pg.Client,
  places: ReadonlyMap<string, number>,
): Promise<Plan['projects']> {
  const { rows } = await client.query<{ company: string; id: string; line: ProductLine; stage: number }>(
    `select p.installer_id as company, p.id, p.product_line as line, s.position as stage
     from projects p join stages s on s.installer_id = p.installer_id and s.id = p.stage_id`,
  )
  return rows.map(({ company, ...row }) => ({ ...row, company: places.get(company)! }))
}

async function readSites(
  client: pg.Client,
  places: ReadonlyMap<string, number>,
  keys: readonly string[],
): Promise<Plan['sites']> {
  const { rows } = await client.query<{ installer: string; site: string; id: string }>(
    'select installer_id as installer, installation_id as site, id from panels',
  )
  const sites = new Map<string, Plan['sites'][number]>()
  for (const { installer, site, id } of rows) {
    const known = sites.get(site) ?? { key: keys[places.get(installer)!]!, panels: [] }
    known.panels.push(id)
    sites.set(site, known)
  }
  return [...sites.values()]
}

/** Office people of installers drawn by size: where a large one is drawn again, its next one. */
async function readPeople(
  client: pg.Client,
  population: ReturnType<typeof populationOf>,
  companies: readonly { id: string }[],
): Promise<Person[]> {
  const installers = population.filter(({ installer }, place) => installer === place)
  const all = installers.reduce((sum, { size }) => sum + size, 0)
  const count = Math.min(model.signedIn.most, Math.ceil(installers.length * model.signedIn.share))
  const drawn: number[] = []
  let before = 0
  for (const [place, { size }] of installers.entries()) {
    before += size
    while (drawn.length < count && ((drawn.length + 0.5) / count) * all <= before) drawn.push(place)
  }
  const people: Person[] = []
  for (const installer of new Set(drawn)) {
    const id = companies[installer]!.id
    const { rows: members } = await client.query<{ email: string }>(
      `select email from members where installer_id = $1 and role in ('owner', 'manager') order by role desc`,
      [id],
    )
    const ids = async (table: 'leads' | 'projects') =>
      (
        await client.query<{ id: string }>(`select id from ${table} where installer_id = $1 limit $2`, [
          id,
          recordsEach,
        ])
      ).rows.map((row) => row.id)
    const [leads, projects] = [await ids('leads'), await ids('projects')]
    const times = drawn.filter((one) => one === installer).length
    for (let i = 0; i < times; i++)
      people.push({ email: members[i % members.length]!.email, installer, cookie: '', leads, projects })
  }
  return people
}
