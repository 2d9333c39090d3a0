import type { ProductLine } from '../../src/domain/kernel/tenant/stage.ts'
import { newReference } from '../../src/platform/ids.ts'
import type { Call } from './app.ts'
import { type Actors, adder, equipment, project, type World } from './factories.ts'

/** A sold lead of one company, and everything that good values are made from. */
export interface Place {
  leadId: string
  leadReference: string
  projectId: string
  projectReference: string
  orgId: number
  installerId: string
  installerNumber: number
}

/** What all places of a tenant share. */
export interface Stock {
  panelId: string
  inverterId: string
  adderId: string
  /** A public address of a picture. */
  photo: string
}

export interface Field {
  /** The first is the usual one; each of the others is as good. */
  good: (place: Place, stock: Stock) => unknown[]
  /** The first is of a wrong type. In a query, only texts and lists (sent as repeated fields) can be said. */
  wrong: unknown[]
  /** Whose id it is: one that is not the caller's answers 404. */
  names?: 'lead' | 'project' | 'company' | 'installer'
  optional?: boolean
}

export interface LegacyOperation {
  method: 'GET' | 'POST'
  path: string
  line: ProductLine
  /** Where the fields stand. */
  in: 'query' | 'body'
  fields: Record<string, Field>
  /** What a dealer is answered about its own. */
  dealer: 200 | 403
}

const noText = [7, true, null, {}, ['x', 'y']]
const noNumber = ['8.4', true, null, {}, [1], '']
const optional = (field: Field): Field => ({
  ...field,
  optional: true,
  // Whether null says that an optional field is absent is nowhere decided.
  wrong: field.wrong.filter((value) => value !== null),
})
const text = (...good: string[]): Field => ({ good: () => good, wrong: [...noText, '', '   '] })
const email = (good: string): Field => ({
  good: () => [good],
  wrong: [...noText, '', 'nobody', 'a b@example.com'],
})
const number = (...good: number[]): Field => ({ good: () => good, wrong: noNumber })
const clearable = (...good: string[]): Field => optional({ good: () => [...good, ''], wrong: noText })
const numberText = (good: string): Field =>
  optional({ good: () => [good, ''], wrong: [true, {}, ['1', '2'], 'x', '-1', '1e3', '0x10', '1,5'] })

const lead: Field = {
  names: 'lead',
  good: (place) => [place.leadReference, place.leadId],
  wrong: [...noText, ''],
}
const ofProject: Field = {
  names: 'project',
  good: (place) => [place.projectReference, place.projectId, place.leadReference, place.leadId],
  wrong: [...noText, ''],
}
const company: Field = {
  names: 'company',
  good: (place) => [String(place.orgId), place.orgId],
  wrong: [true, 1.5, null, {}, ['1', '2'], ''],
}
const installer: Field = {
  names: 'installer',
  good: (place) => [place.installerId, String(place.installerNumber), place.installerNumber],
  wrong: [true, 1.5, null, {}, ['1', '2'], ''],
}
const page: Field = {
  good: () => ['1', 2, '007', '9'.repeat(400)],
  wrong: [['1', '2'], '', '0', '00', '-1', '1.5', '1e1', '0x1', 'one', '1 2', '١'],
}
const addresses: Field = {
  good: (_place, { photo }) => [[photo], [photo, photo]],
  wrong: [
    'https://a.example.com/x',
    {},
    7,
    [7],
    [null],
    [''],
    ['http://a.example.com/x'],
    ['https://127.0.0.1/x'],
  ],
}
const phone: Field = optional({
  good: () => [6195550100, 442079460958],
  wrong: ['6195550100', true, {}, [1], 1.5],
})

const activity = { project_id: ofProject, installer_id: installer, notes: text('Gate code is 4711.') }
const upload = {
  fileurl: { ...addresses, wrong: [...addresses.wrong, null, []] },
  project_id: ofProject,
  folder_id: {
    good: () =>
      [
        'contract',
        'utility_bill',
        'drivers_license',
        'materials',
        'survey_photos',
        'engineering_plansets',
      ].concat(['permits', 'interconnection', 'insurance', 'installation_photos', 'internal_documents']),
    wrong: [...noText, '', 'other', 'Contract', 'permit', 'personal', 'toString'],
  },
}
const newLead = {
  firstName: text('Ada'),
  lastName: text('Moreno'),
  email: email('ada@example.com'),
  phoneNumber: text('619 555 0100'),
  address: text('1 Market St, San Diego, CA 92101', 'the blue house'),
  salesRepEmail: email('sam@example.com'),
}
const newProject: Record<string, Field> = {
  address: newLead.address,
  first_name: newLead.firstName,
  last_name: newLead.lastName,
  email: newLead.email,
  phone_number: newLead.phoneNumber,
  org_id: company,
  sales_rep: text('sam@example.com', 'Sam Field'),
  setter: text('Selma Lind'),
  system_size: number(8.4, 0, 8),
  annual_production: number(12650.5),
  consumption: number(11800),
  system_cost: number(28728.5),
  final_ppw: number(3.42),
  base_ppw: number(2.95),
  adder_ppw: number(0.47),
  financing_type: optional({
    good: () => ['loan', 'CASH', 'lease', 'ppa'],
    wrong: [7, true, {}, ['loan'], 'barter'],
  }),
  term_years: numberText('25'),
  project_stage: { ...clearable('Design'), wrong: [7, true, {}, ['Design'], 'Nowhere', 'Punch List'] },
  panel_profile_id: optional({
    good: (_, stock) => [stock.panelId, ''],
    wrong: [7, true, {}, ['x'], 'eqp_unknown'],
  }),
  panel_count: numberText('21'),
  inverter_profile_id: optional({
    good: (_, stock) => [stock.inverterId, ''],
    wrong: [7, true, {}, ['x'], 'eqp_unknown'],
  }),
  inverter_count: numberText('21'),
  lease_ppa_rate: numberText('0.18'),
  pre_itc_payment: numberText('199.99'),
  escalator_rate: numberText('2.9'),
  apr: optional(number(5.49)),
  site_survey_photos: optional(addresses),
  adders: optional({
    good: (_, { adderId }) => [
      ['Critter guard', { id: adderId, quantity: 2.5 }, { name: 'critter GUARD' }],
      [],
    ],
    wrong: ['Critter guard', {}, 7, [7], [null], [{}], [[]], ['Spaceship'], [{ quantity: 1 }], [{ id: 7 }]],
  }),
}
const customers = {
  primary_first_name: optional(text('Grace')),
  primary_last_name: optional(text('Hopper')),
  primary_email: optional({ ...email('grace@example.com'), wrong: [...noText, 'nobody'] }),
  primary_phone: phone,
  secondary_first_name: clearable('Vincent'),
  secondary_last_name: clearable('Hopper'),
  secondary_email: optional({ ...email('vincent@example.com'), wrong: [...noText, 'nobody'] }),
  secondary_phone: phone,
}
const homeImprovement = (is: boolean): Field => ({ good: () => [is], wrong: ['true', 0, null, {}, []] })
const maybe = { installer: optional(installer), page: optional(page) }

type Facts = { query: Record<string, Field> } | { body: Record<string, Field> }
function row(call: string, line: ProductLine, facts: Facts, dealer: 200 | 403 = 200): LegacyOperation {
  const [method, path] = call.split(' ') as ['GET' | 'POST', string]
  const place =
    'query' in facts
      ? { in: 'query' as const, fields: facts.query }
      : { in: 'body' as const, fields: facts.body }
  return { method, path: `/legacy/${path}`, line, ...place, dealer }
}

/** The operations of the spec, in its order; update_lead stands twice, as it is for both lines. */
export const legacyOperations: readonly LegacyOperation[] = [
  row('GET fetch_project', 'solar', { query: { id: ofProject } }),
  row('POST create_project', 'solar', { body: newProject }),
  row('POST update_stage', 'solar', { query: { project_stage_name: text('Design'), id: ofProject } }, 403),
  row('POST project_upload_file', 'solar', { body: upload }, 403),
  row('GET fetch_all_project_installer', 'solar', {
    query: { installer_id: maybe.installer, page: maybe.page },
  }),
  row('GET fetch_all_project', 'solar', { query: { org_id: company, page: maybe.page } }),
  row('POST create_activity', 'solar', { body: activity }),
  row('POST create-lead', 'solar', { body: newLead }),
  row('POST update_lead', 'solar', {
    body: { id: lead, home_improvement: homeImprovement(false), ...customers },
  }),
  row('POST update_lead', 'hi', {
    body: { id: lead, home_improvement: homeImprovement(true), ...customers },
  }),
  row('GET fetch_lead', 'solar', { query: { id: lead } }),
  row('GET fetch_all_lead', 'solar', { query: { org_id: company, page: maybe.page } }),
  row('GET fetch_all_lead_installer', 'solar', { query: { installer_id: installer, page: maybe.page } }),
  row('GET fetch_all_panel', 'solar', { query: { installer_id: installer } }, 403),
  row('GET fetch_all_inverter', 'solar', { query: { installer_id: installer } }, 403),
  row('GET fetch_all_adders', 'solar', { query: { installer_id: maybe.installer } }, 403),
  row('GET fetch_project_hi', 'hi', { query: { id: ofProject } }),
  row('GET fetch_all_project_installer_hi', 'hi', { query: { installer_id: installer, page } }),
  row('GET fetch_all_project_hi', 'hi', { query: { org_id: company, page } }),
  row('POST update_stage_hi', 'hi', { query: { project_stage_name: text('Measure'), id: ofProject } }, 403),
  row('POST project_upload_file_hi', 'hi', { body: upload }, 403),
  row('POST create_activity_hi', 'hi', { body: activity }),
  row('GET fetch_lead_hi', 'hi', { query: { id: lead } }),
  row('GET fetch_all_lead_hi', 'hi', { query: { org_id: company, page } }),
  row('GET fetch_all_lead_hi_installer', 'hi', { query: { installer_id: installer, page: maybe.page } }),
]

export const requiredFields = ({ fields }: LegacyOperation): string[] =>
  Object.keys(fields).filter((name) => !fields[name]!.optional)

/** The usual values of an operation's fields. */
export function goodValues(
  operation: LegacyOperation,
  place: Place,
  stock: Stock,
  names = requiredFields(operation),
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, operation.fields[name]!.good(place, stock)[0]]))
}

/** The address and the body that carry these values. */
export function asCall(
  { in: where, path }: LegacyOperation,
  values: Record<string, unknown>,
): { path: string } & Call {
  if (where === 'body') return { path, body: values }
  const query = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  )
  return { path: query.length > 0 ? `${path}?${query.join('&')}` : path }
}

/** Whether a query can say this value. */
export const sayable = ({ in: where }: LegacyOperation, value: unknown): boolean =>
  where === 'body' || typeof value === 'string' || Array.isArray(value)

/** A sold lead of this company in each product line. */
export async function placesOf(of: Actors, installer: Actors): Promise<Record<ProductLine, Place>> {
  const place = async (productLine: ProductLine): Promise<Place> => {
    const leadReference = newReference()
    const projectReference = newReference()
    const ids = await project(of, { productLine, reference: leadReference }, { reference: projectReference })
    return {
      ...ids,
      leadReference,
      projectReference,
      orgId: of.company.number,
      installerId: installer.company.id,
      installerNumber: installer.company.number,
    }
  }
  return { solar: await place('solar'), hi: await place('hi') }
}

export async function stockOf({ installer: of }: World, photo: string): Promise<Stock> {
  const shared = {
    manufacturer: 'Qcells',
    model: 'Q.TRON',
    default: false,
    warrantyYears: 25,
    efficiencyPercent: null,
  }
  const panel = await equipment(of, 1, { ...shared, kind: 'panel', watts: '400' })
  const inverter = await equipment(of, 2, {
    ...shared,
    kind: 'inverter',
    ratedOutputWatts: '290',
    microinverter: true,
  })
  return { panelId: panel.id, inverterId: inverter.id, adderId: (await adder(of, 1)).id, photo }
}
