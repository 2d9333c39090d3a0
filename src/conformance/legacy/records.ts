import type { Answer } from '../client.ts'
import { option, recordOf, succeeded, textAt, told } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import { at, isObject } from '../shape.ts'
import { createLead, ownProject, type Row, rows } from '../v1/records.ts'

export const unknownReference = 'Zz00000zzZ'

export const installerId = (kit: Kit) =>
  encodeURIComponent(option(kit.target.installerId, '--installer-id', 'the installer’s id is not known'))
export const orgId = (kit: Kit) =>
  encodeURIComponent(option(kit.target.orgId, '--org-id', 'the organisation’s number is not known'))

/** What it answers, asked for once. */
export const read = (kit: Kit, path: string): Promise<Answer> =>
  kit.once(`legacy ${path}`, () => kit.legacy.get(path))

const idOf = (row: Row | undefined, what: string) =>
  row ? String(row['reference'] ?? row['id']) : notApplicable(`the server has no ${what}`)

/** A record of the company-key API, whose ids hold here too. */
async function found(kit: Kit, path: string, what: string): Promise<string> {
  const [row] = await need(what, rows(kit, path))
  return encodeURIComponent(idOf(row, what))
}

export const solarProject = async (kit: Kit) =>
  kit.target.orgId !== null && !kit.readOnly
    ? (await ownProject(kit)).id
    : found(kit, '/projects?limit=1&productLine=solar', 'solar project')

export const hiProject = async (kit: Kit) =>
  kit.target.hiProject ?? found(kit, '/projects?limit=1&productLine=hi', 'HI project')

/** One that may be changed. */
export const changingHiProject = (kit: Kit) =>
  option(kit.target.hiProject, '--hi-project', 'no HI project is known that may be changed')

export const hiLead = (kit: Kit): Promise<string> =>
  kit.once('legacy hi lead', async () => {
    if (kit.readOnly) return found(kit, '/leads?limit=1&productLine=hi', 'HI lead')
    try {
      return await createLead(kit, kit.installer, { productLine: 'hi' })
    } catch {
      return found(kit, '/leads?limit=1&productLine=hi', 'HI lead')
    }
  })

export const newLead = (kit: Kit) => ({
  firstName: 'Conformance',
  lastName: kit.mark,
  email: 'conformance@example.com',
  phoneNumber: '6195550100',
  address: '1 Market St, San Diego, CA 92101',
  salesRepEmail: 'nobody@example.com',
})

export const leadCreated = (kit: Kit): Promise<Answer> =>
  kit.once('legacy lead', () => kit.legacy.post('/create-lead', newLead(kit)))

export async function ownLead(kit: Kit): Promise<string> {
  return need('a lead of its own', (async () => textAt(succeeded(await leadCreated(kit)).json, 'leaduid'))())
}

/** As it reads now. */
export async function projectData(kit: Kit, path: string): Promise<Row> {
  return need(
    'to read a project',
    (async () => at(succeeded(await kit.legacy.get(path)).json, 'data') as Row)(),
  )
}

/** The record inside a single read, asked for once. */
export async function project(kit: Kit, path: string): Promise<Row> {
  const answer = succeeded(await read(kit, path))
  const data = at(answer.json, 'data')
  if (!isObject(data)) fail(`${told(answer)}; there is no data in it`)
  return data
}

export const solarData = async (kit: Kit) => project(kit, `/fetch_project?id=${await solarProject(kit)}`)
export const hiData = async (kit: Kit) => project(kit, `/fetch_project_hi?id=${await hiProject(kit)}`)
export const hiLeadData = async (kit: Kit) =>
  recordOf(await read(kit, `/fetch_lead_hi?id=${await hiLead(kit)}`))

/** The spec does not say how: by its status, or by what it says of itself. */
export function expectRefused(answer: Answer): void {
  const says = at(answer.json, 'success')
  const isRefused = (answer.status >= 400 && answer.status <= 499) || (answer.status < 300 && says === false)
  if (!isRefused || says === true) fail(`${told(answer)}; expected a refusal`)
}

/** By decision: the real status, and `{success: false, message, code}`. */
export function expectLegacyError(answer: Answer, status: number, code: string): void {
  if (answer.status !== status) fail(`${told(answer)}; expected ${status}`)
  if (at(answer.json, 'code') !== code) fail(`${told(answer)}; expected the code ${code}`)
}
