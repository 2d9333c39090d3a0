import type { Answer } from '../client.ts'
import { option, recordOf, rowsOf, succeeded, textAt } from '../expect.ts'
import type { Caller, Kit } from '../kit.ts'
import { need } from '../outcome.ts'
import { at } from '../shape.ts'

export type Row = Record<string, unknown>

export const unknownId = 'conformance-no-such-record'

/** What a lead takes at least, and by its name is known as the kit's. */
export const leadBody = (kit: Kit, more: Row = {}) => ({
  firstName: 'Conformance',
  lastName: kit.mark,
  address: { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' },
  ...more,
})

/** All that a lead may be created with. */
export const fullLeadBody = (kit: Kit) =>
  leadBody(kit, {
    address: {
      line1: '12 Harbor Dr',
      line2: 'Unit 4',
      city: 'Vancouver',
      state: 'BC',
      postalCode: 'V5K 0A1',
      country: 'CA',
    },
    email: 'conformance@example.com',
    phone: '619 555 0100',
    notes: `First note of ${kit.mark}`,
    externalId: `${kit.mark} full`,
  })

/** The answer to the creation of a lead with all its fields. */
export const fullLeadCreated = (kit: Kit): Promise<Answer> =>
  kit.once('v1 full lead', () => kit.installer.post('/leads', fullLeadBody(kit)))

export async function createLead(kit: Kit, by: Caller, more: Row = {}): Promise<string> {
  const answer = await need('a lead of its own', by.post('/leads', leadBody(kit, more)))
  return need('a lead of its own', (async () => textAt(succeeded(answer).json, 'leadId'))())
}

/** That lead as it reads; no rule changes it. */
export async function fullLead(kit: Kit): Promise<Row> {
  return need(
    'a lead of its own',
    (async () => {
      const id = textAt(succeeded(await fullLeadCreated(kit)).json, 'leadId')
      return kit.once('v1 full lead read', async () => recordOf(await kit.installer.get(`/leads/${id}`)))
    })(),
  )
}

/** A lead that rules change. */
export const changingLead = (kit: Kit): Promise<string> =>
  kit.once('v1 changing lead', () =>
    createLead(kit, kit.installer, { email: 'before@example.com', phone: '619 555 0101' }),
  )

export async function readLead(kit: Kit, id: string, by = kit.installer): Promise<Row> {
  return need('to read a lead', (async () => recordOf(await by.get(`/leads/${encodeURIComponent(id)}`)))())
}

export const dealersLead = (kit: Kit): Promise<string> =>
  kit.once('v1 dealer lead', () => createLead(kit, kit.dealer))

/** A page of a list, asked for once. */
export const page = (kit: Kit, path: string): Promise<Answer> =>
  kit.once(`v1 ${path}`, () => kit.installer.get(path))

export async function rows(kit: Kit, path: string): Promise<Row[]> {
  return rowsOf(await page(kit, path))
}

/** The first of each product line, in full. */
export async function someProjects(kit: Kit): Promise<Row[]> {
  const found: Row[] = []
  for (const line of ['solar', 'hi']) {
    const [row] = await rows(kit, `/projects?limit=1&productLine=${line}`)
    const id = at(row, 'id')
    if (typeof id !== 'string') continue
    found.push(recordOf(await kit.once(`v1 project ${id}`, () => kit.installer.get(`/projects/${id}`))))
  }
  if (kit.target.orgId !== null && !kit.readOnly)
    found.push(await readProject(kit, (await ownProject(kit)).id))
  return found
}

export async function projectOfLine(kit: Kit, line: 'solar' | 'hi'): Promise<Row | undefined> {
  return (await someProjects(kit)).find((project) => project['productLine'] === line)
}

export interface OwnProject {
  id: string
  leadId: string
}

/** A solar project made by the legacy interface, the only one that makes projects. */
export function ownProject(kit: Kit): Promise<OwnProject> {
  return kit.once('own project', async () => {
    const orgId = option(
      kit.target.orgId,
      '--org-id',
      'a project can be created only for a known organisation',
    )
    const make = async () => {
      const answer = succeeded(await kit.legacy.post('/create_project', projectBody(kit, orgId)))
      return {
        id: textAt(answer.json, 'data.project_id'),
        leadId: textAt(answer.json, 'data.lead_id'),
      }
    }
    return need('a project of its own', make())
  })
}

export const projectBody = (kit: Kit, orgId: string) => ({
  address: '1 Market St, Unit 4, San Diego, CA 92101',
  first_name: 'Conformance',
  last_name: kit.mark,
  email: 'conformance@example.com',
  phone_number: '619 555 0100',
  org_id: orgId,
  sales_rep: 'nobody@example.com',
  setter: 'nobody@example.com',
  system_size: 8.4,
  annual_production: 12650.5,
  consumption: 11800,
  system_cost: 28728.5,
  final_ppw: 3.42,
  base_ppw: 2.95,
  adder_ppw: 0.47,
})

export async function readProject(kit: Kit, id: string): Promise<Row> {
  return need(
    'to read a project',
    (async () => recordOf(await kit.installer.get(`/projects/${encodeURIComponent(id)}`)))(),
  )
}

export async function activities(kit: Kit, leadId: string): Promise<Row[]> {
  return need(
    "to read a lead's activity",
    (async () => rowsOf(await kit.installer.get(`/leads/${leadId}/activities?limit=100`)))(),
  )
}
