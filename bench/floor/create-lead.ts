import { leadColumns } from '../../src/domain/deals/leads/columns.ts'
import type { Lead } from '../../src/domain/deals/leads/lead.ts'
import { renderLead } from '../../src/domain/deals/leads/render.ts'
import type { Directory } from '../../src/domain/kernel/tenant/directory.ts'
import type { Statement } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { newLead } from '../new-lead.ts'

export const tick = (messages: number) => `tick as (
  update tenant_clocks set now = greatest($2::timestamptz(3), now + interval '1 ms'), messages = messages + ${messages}
  where installer_id = $1 returning now as at, messages - ${messages} as messages)`

const start = (type: string) =>
  `{"type":"${type}","timestamp":"2026-01-31T10:20:30.456Z","data":{"version":1769854830456,"previous":{},`
const head = (type: string) =>
  `{"id":"evt_019a8f3c21040000egddcx026j","version":1769854830456,"type":"${type}","at":"2026-01-31T10:20:30.456Z",` +
  `"actor":{"kind":"key","id":"key_01kfloor00000000000000000","name":"bench"},` +
  `"record":{"type":"lead","id":"lead_01kfloor000000000000000","leadId":"lead_01kfloor000000000000000"},"previous":{},"data":{`

/** What is told of the change, its texts as long as ours. */
export const message = (
  ordinal: number,
  type: string,
  { subject, lead, record }: Record<'subject' | 'lead' | 'record', string>,
) => `message_${ordinal} as (
  insert into webhook_messages (installer_id, number, event_at, event_ordinal, type, subject_id, lead_id, company_id,
    for_dealer, to_dealers, body, data_from, head)
  select $1, tick.messages + ${ordinal + 1}, tick.at, ${ordinal}, '${type}', ${subject}, ${lead}, $1, false, true,
    '${start(type)}' || right(${record}, -1) || '}', ${start(type).length}, '${head(type)}' from tick)`

// $1 installer, $2 now, $3 lead, $4 activity, $5 rendering, then the other columns.
const written = leadColumns.map(([name]) => name).filter((name) => name !== 'id' && name !== 'created_at')

export const createLead: Statement = {
  name: 'floor-create-lead',
  text: `with ${tick(1)},
    ${message(0, 'lead.created', { subject: '$3', lead: '$3', record: '$5' })},
    lead as (
      insert into leads (installer_id, updated_at, created_at, id, rendering, ${written.join(', ')})
      select $1, tick.at, $2, $3, $5, ${written.map((name, i) => `$${i + 6}::${typeOf(name)}`).join(', ')} from tick),
    activity as (
      insert into activities (installer_id, id, lead_id, company_id, at, ordinal, type, body, internal, customer_facing, author)
      select $1, $4, $3, $1, tick.at, 0, 'leadCreated', 'Lead created', false, false, 'bench' from tick)
    insert into events (installer_id, at, ordinal, type, company_id, lead_id, subject_id, actor_kind, actor_id, actor_name)
    select $1, tick.at, 0, 'lead.created', $1, $3, $3, 'key', 'key_01kfloor00000000000000000', 'bench' from tick`,
}

function typeOf(column: string): string {
  return leadColumns.find(([name]) => name === column)![1]
}

const idMark = 'lead_@id@'

/** Everything but the ids and the time is ready before the first request. */
export function leadValues(directory: Directory): (leadId: string) => unknown[] {
  const { installerId } = directory
  const now = new Date()
  const lead: Lead = {
    installerId,
    id: idMark,
    companyId: installerId,
    reference: null,
    productLine: 'solar',
    status: 'new',
    archived: false,
    createdAt: now,
    updatedAt: now,
    customer: {
      firstName: newLead.firstName,
      lastName: newLead.lastName,
      email: newLead.email,
      phone: newLead.phone,
    },
    coBorrower: null,
    address: { ...newLead.address, line2: null, country: 'US' },
    utility: { name: null, monthlyBill: null },
    source: { name: null, subSource: null },
    externalId: null,
    notes: null,
    salesRepId: null,
    setterId: null,
    projectId: null,
    erasedAt: null,
  }
  const [before = '', between = '', after = ''] = renderLead(lead, null, directory, now.toISOString()).split(
    idMark,
  )
  const constants = leadColumns
    .filter(([name]) => written.includes(name))
    .map(([, , , value]) => value(lead) ?? null)
  return (leadId) => [
    installerId,
    new Date().toISOString(),
    leadId,
    newId('act'),
    before + leadId + between + leadId + after,
    ...constants,
  ]
}
