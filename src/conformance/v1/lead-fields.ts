import { recordOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fieldRules, type Rule } from '../rule.ts'
import {
  boolean,
  matching,
  nullable,
  number,
  oneOf,
  record,
  type Shape,
  text,
  timestamp,
  utcTimestamp,
} from '../shape.ts'
import { fullLead, page, type Row, rows } from './records.ts'

const words = (...names: string[]): Shape =>
  record(Object.fromEntries(names.map((name) => [name, nullable(text)])))

export const contact = words('firstName', 'lastName', 'email', 'phone')
export const staff = words('name', 'email', 'phone')
export const place = words('line1', 'line2', 'city', 'state', 'postalCode', 'country')
export const reference = nullable(matching('a UID of 10 characters', /^.{10}$/))

const leadFields: Record<string, Shape> = {
  id: text,
  reference,
  productLine: oneOf('solar', 'hi'),
  status: text,
  archived: boolean,
  createdAt: nullable(timestamp),
  updatedAt: nullable(timestamp),
  customer: contact,
  coBorrower: nullable(contact),
  address: place,
  utility: record({ name: nullable(text), monthlyBill: nullable(number) }),
  source: record({ name: nullable(text), subSource: nullable(text) }),
  externalId: nullable(text),
  notes: nullable(text),
  salesRep: nullable(staff),
  setter: nullable(staff),
  project: nullable(record({ id: text, reference })),
  links: record({ record: text }),
}

/** The newest one, read by itself. */
async function oneLead(kit: Kit): Promise<Row[]> {
  if (!kit.readOnly) return [await fullLead(kit)]
  const [row] = await rows(kit, '/leads?limit=100')
  return row ? [recordOf(await page(kit, `/leads/${row['id']}`))] : []
}

const statuses = [
  'new',
  'contacted',
  'nurture',
  'appointmentSet',
  'proposalSent',
  'sold',
  'lost',
  'unqualified',
]

export const leadFieldRules: Rule[] = [
  ...fieldRules('v1.leads.list.fields', 'A lead in the list', leadFields, (kit) =>
    rows(kit, '/leads?limit=100'),
  ),
  ...fieldRules('v1.leads.read.fields', 'A lead that is read', leadFields, oneLead),
  ...fieldRules(
    'v1.leads.decided',
    'A lead, by decision as one of the known values or in UTC with milliseconds,',
    { status: oneOf(...statuses), createdAt: nullable(utcTimestamp), updatedAt: nullable(utcTimestamp) },
    (kit) => rows(kit, '/leads?limit=100'),
    { decision: true },
  ),
]
