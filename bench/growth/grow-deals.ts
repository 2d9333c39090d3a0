import type { GrowthTenant } from './tenant.ts'

/** Rows of a table from number `from` on, up to `to`: the same whether they come at once or by and by. */
export type Growth = (tenant: GrowthTenant, from: number, to: number) => string

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
export const listed = (texts: readonly string[]) => `(array[${texts.map(quoted).join(', ')}]::text[])`
/** One of them after the other. */
export const oneOf = (texts: readonly string[], turn: string) =>
  `${listed(texts)}[1 + (${turn}) % ${texts.length}]`
export const id = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 20, '0')`
export const series = (from: number, to: number) => `generate_series(${from + 1}, ${to}) as i`
/** When the record of this number was made or changed. */
export const at = ({ beganAt }: GrowthTenant, number: string) =>
  `timestamptz '${beganAt.toISOString()}' + (${number}) * interval '1 second'`

/** Twenty records, and among the oldest. */
export const isRare = (number: string) => `(${number}) <= 400 and (${number}) % 20 = 7`
export const company = ({ installerId, dealerId, newDealerId }: GrowthTenant, number: string) =>
  `case when ${isRare(number)} then ${quoted(newDealerId)} when (${number}) % 5 = 4 then ${quoted(dealerId)}
    else ${quoted(installerId)} end`

const firstNames = ['Ada', 'Luis', 'Mei', 'Omar', 'Grace', 'Ivan', 'Noor', 'Tess', 'Hugo', 'Priya', 'José']
const lastNames = ['Moreno', 'Chen', 'Okafor', 'Schmidt', 'Larsen', 'Haddad', 'Brooks', 'Nguyen', 'Müller']
const cities = ['San Diego', 'Phoenix', 'Austin', 'Denver']
const streets = ['Market St', 'Juniper Ave', 'Mission Bay Dr', 'El Cajon Blvd', 'Fairmount Ave']
const sources = ['Canvassing', 'Referral', 'Web form', 'Home show']
const statuses = [
  'new',
  'contacted',
  'nurture',
  'lost',
  'appointmentSet',
  'lost',
  'contacted',
  'proposalSent',
  'new',
]
/** What is in twenty leads, in a quarter of them, and in none. */
export const words = { rare: 'quillfeather', common: 'diego', none: 'xyzzyplugh' }

const rendering = (kind: string, length: number) =>
  `'{"id":"${kind}","number":' || i || ',"text":"' || repeat('sunny roof ', ${Math.round(length / 11)}) || '"}'`

const line = `case when n % 10 < 7 then 'solar' else 'hi' end`

/** Every other lead is sold: there are half as many projects. */
const leads: Growth = (tenant, from, to) => `
  insert into leads (installer_id, id, company_id, reference, product_line, status, archived, created_at, updated_at,
    first_name, last_name, email, phone, phone_e164, line1, city, state, postal_code, country, source_name, external_id,
    sales_rep_id, setter_id, project_id, rendering)
  select ${quoted(tenant.installerId)}, ${id('lead', 'i')}, ${company(tenant, 'n')}, null, ${line},
    case when i % 2 = 0 then 'sold' when ${isRare('n')} then 'unqualified' else ${oneOf(statuses, 'n')} end,
    i % 2 = 1 and n % 20 = 3, ${at(tenant, 'i - 3600')}, ${at(tenant, 'i')}, ${oneOf(firstNames, 'n')},
    case when ${isRare('n')} then 'Quillfeather' else ${oneOf(lastNames, 'n / 11')} end,
    'customer' || i || '@example.com', '(619) 555-' || lpad((n % 10000)::text, 4, '0'),
    '+1619' || lpad(i::text, 7, '0'), (n % 900) || ' ' || ${oneOf(streets, 'n / 7')}, ${oneOf(cities, 'n / 3')}, 'CA',
    '92101', 'US', case when ${isRare('n')} then 'Billboard' when n % 9 = 0 then null else ${oneOf(sources, 'n / 2')} end,
    'ext-' || i,
    case when ${isRare('n')} then ${quoted(tenant.memberIds.newRep)} when n % 10 = 9 then null
      else ${oneOf(tenant.repIds, 'n')} end,
    case when n % 3 = 0 then ${quoted(tenant.memberIds.setter)} end,
    case when i % 2 = 0 then ${id('proj', 'n')} end, ${rendering('lead', 500)}
  from (select i, i / 2 as n from ${series(from, to)}) numbered`

const stageOf = ({ stageIds }: GrowthTenant) =>
  `case when n % 10 < 7 then ${oneOf(stageIds.solar, 'n / 10')} else ${oneOf(stageIds.hi, 'n / 10')} end`

const projects: Growth = (tenant, from, to) => `
  insert into projects (installer_id, id, lead_id, company_id, reference, product_line, stage_id, stage_entered_at,
    sold_at, updated_at, project_manager_id, site_surveyor_id, subcontractor_id, contract_price, financing, system,
    products, milestones, row_rendering, rendering, folder_secret, legacy_rendering)
  select ${quoted(tenant.installerId)}, ${id('proj', 'n')}, ${id('lead', '2 * n')}, ${company(tenant, 'n')}, null, ${line},
    ${stageOf(tenant)}, case when n % 50 <> 0 then ${at(tenant, '2 * n')} end, ${at(tenant, '2 * n')},
    ${at(tenant, '2 * n')}, ${quoted(tenant.memberIds.manager)},
    case when n % 2 = 0 then ${quoted(tenant.memberIds.surveyor)} end,
    case when n % 4 = 0 then ${quoted(tenant.memberIds.subcontractor)} end, 20000 + n % 5000, '{}',
    case when n % 10 < 7 then '{"sizeKw": "8.4"}'::jsonb end,
    case when n % 10 >= 7 then '[{"name": "Windows", "price": "9000.00"}]'::jsonb end, '{}', ${rendering('row', 200)},
    ${rendering('project', 400)}, 'secret', ${rendering('legacy', 400)}
  from (select i as n, i from ${series(from / 2, to / 2)}) numbered`

/** A thousand a day, whatever there is before; two of each project. */
const calendarEntries: Growth = (tenant, from, to) => `
  insert into calendar_entries (installer_id, project_id, kind, day)
  select ${quoted(tenant.installerId)}, ${id('proj', '(i + 1) / 2')}, case when i % 2 = 0 then 'install' else 'survey' end,
    current_date - (i / 1000)
  from ${series(from, to)}`

/** Half of them in one lead's feed, the others in a feed each. */
const activities: Growth = (tenant, from, to) => `
  insert into activities (installer_id, id, lead_id, project_id, company_id, at, ordinal, type, body, internal,
    customer_facing, member_id, author)
  select ${quoted(tenant.installerId)}, ${id('act', 'i')}, case when i % 2 = 0 then ${id('lead', '2')} else ${id('lead', 'i')} end,
    null, ${quoted(tenant.installerId)}, ${at(tenant, 'i')}, 0, 'note', 'Called about the roof', i % 3 = 0, false,
    ${quoted(tenant.memberIds.owner)}, 'Olivia Grant'
  from ${series(from, to)}`

const files: Growth = (tenant, from, to) => `
  insert into files (installer_id, id, project_id, company_id, folder, name, source_url, source_hash, store_key, token,
    type, extension, inline, size, sha256, added_at, ordinal)
  select ${quoted(tenant.installerId)}, ${id('file', 'i')}, ${id('proj', 'i')}, ${company(tenant, 'i')}, 'contract',
    'contract.pdf', 'https://example.com/' || i, decode(md5(i::text), 'hex'), 'key' || i, 'token' || i, 'application/pdf',
    'pdf', true, 1000, decode(md5(i::text), 'hex'), ${at(tenant, 'i')}, 0
  from ${series(from, to)}`

const types = [
  'lead.created',
  'lead.updated',
  'project.stage_changed',
  'lead.updated',
  'project.created',
  'lead.sold',
]

/** A thousand of them are of one lead, however many there are. */
const events: Growth = (tenant, from, to) => `
  insert into events (installer_id, at, ordinal, type, company_id, lead_id, project_id, subject_id, actor_kind, actor_id,
    actor_name, changes)
  select ${quoted(tenant.installerId)}, ${at(tenant, 'i')}, 0,
    case when ${isRare('i')} then 'member.added' when i % 20 = 0 then 'invoice.created' else ${oneOf(types, 'i')} end,
    ${company(tenant, 'i')}, case when i % 20 <> 0 then ${id('lead', 'case when i <= 10000 and i % 10 = 1 then 2 else i end')} end, null,
    ${id('lead', 'i')}, 'member',
    case when ${isRare('i')} then ${quoted(tenant.memberIds.newRep)} else ${oneOf(tenant.repIds, 'i')} end,
    'Rashid Karimi', '{"status": ["new", "contacted"]}'
  from ${series(from, to)}`

const securityEvents: Growth = (tenant, from, to) => `
  insert into security_events (installer_id, at, ordinal, type, company_id, subject_id, actor_kind, actor_id, actor_name,
    last_at)
  select ${quoted(tenant.installerId)}, ${at(tenant, 'i')}, 40000, 'security.signed_in', ${company(tenant, 'i')},
    ${quoted(tenant.memberIds.owner)}, 'member', ${oneOf(tenant.repIds, 'i')}, 'Rashid Karimi', ${at(tenant, 'i')}
  from ${series(from, to)}`

export const dealTables: Record<string, Growth> = {
  leads,
  projects,
  calendar_entries: calendarEntries,
  activities,
  files,
  events,
  security_events: securityEvents,
}
