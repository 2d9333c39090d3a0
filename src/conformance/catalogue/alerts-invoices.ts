import { expectEqual, expectMissing, expectShape, expectStatus, rowsOf } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { fail, need, notApplicable } from '../outcome.ts'
import { fieldRules, type Rule } from '../rule.ts'
import { at, list, nullable, number, object, oneOf, type Shape, text, timestamp } from '../shape.ts'
import { envelopeRules, filterRules, read, unknownId } from './records.ts'

const invoiceStatuses = ['draft', 'open', 'paid', 'void']
const severities = ['low', 'medium', 'high', 'critical']

const invoices = async (kit: Kit) => rowsOf(await read(kit, '/billing/invoices'))
const alerts = async (kit: Kit) => rowsOf(await read(kit, '/monitoring/alerts'))

const invoiceFields: Record<string, Shape> = {
  id: text,
  number: nullable(text),
  status: oneOf(...invoiceStatuses),
  currency: text,
  amount_due: number,
  amount_paid: number,
  amount_remaining: number,
  line_items: list(object),
  created_at: timestamp,
  finalized_at: nullable(timestamp),
  paid_at: nullable(timestamp),
  voided_at: nullable(timestamp),
}

const alertFields: Record<string, Shape> = {
  id: text,
  type: oneOf('outage', 'underperformance', 'data_gap', 'anomaly'),
  installation_id: nullable(text),
  panel_id: nullable(text),
  title: text,
  description: text,
  recommended_action: text,
  triggered_at: timestamp,
  acknowledged_at: nullable(timestamp),
  resolved_at: nullable(timestamp),
}

/** What their records look like the spec does not show. */
const decided = { decision: true } as const

/** Both filters at once. */
const together: Rule = {
  id: 'catalogue.alerts.list.together',
  says: 'Status and severity narrow the list together.',
  decision: true,
  async check(kit) {
    const answer = await kit.catalog.get('/monitoring/alerts?status=resolved&severity=high')
    expectStatus(answer, 200)
    for (const row of rowsOf(answer))
      expectEqual([row['status'], row['severity']], ['resolved', 'high'], 'a row')
  },
}

export const alertRules: Rule[] = [
  {
    id: 'catalogue.alerts.list.status',
    says: '`GET /monitoring/alerts` answers 200 with JSON.',
    async check(kit) {
      const answer = await read(kit, '/monitoring/alerts')
      expectStatus(answer, 200)
      if (answer.json === undefined) fail('it is no JSON')
    },
  },
  {
    id: 'catalogue.alerts.list.envelope',
    says: '`GET /monitoring/alerts` answers a list in `data`.',
    decision: true,
    check: async (kit) => expectShape(await read(kit, '/monitoring/alerts'), list(object), 'data'),
  },
  ...filterRules('alerts', '/monitoring/alerts', 'status', ['active', 'resolved', 'acknowledged'], decided),
  ...filterRules('alerts', '/monitoring/alerts', 'severity', severities, decided),
  together,
  ...fieldRules('catalogue.alerts.fields', 'An alert', alertFields, alerts, decided),
  ...fieldRules(
    'catalogue.alerts.values',
    'An alert, as one of the known values,',
    { status: oneOf('active', 'resolved', 'acknowledged'), severity: oneOf(...severities) },
    alerts,
    decided,
  ),
]

export const invoiceRules: Rule[] = [
  ...envelopeRules('invoices', '/billing/invoices', false).map((rule): Rule => ({ ...rule, decision: true })),
  ...filterRules('invoices', '/billing/invoices', 'status', invoiceStatuses, decided),
  ...fieldRules('catalogue.invoices.fields', 'An invoice', invoiceFields, invoices, decided),
  {
    id: 'catalogue.invoices.money',
    says: 'Money has no more than two places.',
    decision: true,
    async check(kit) {
      const found = await need('invoices', invoices(kit))
      if (found.length === 0) notApplicable('the server has no invoices')
      for (const row of found)
        for (const field of ['amount_due', 'amount_paid', 'amount_remaining'])
          if (!/^-?\d+(\.\d{1,2})?$/.test(String(row[field]))) fail(`${field} is ${row[field]}`)
    },
  },
  {
    id: 'catalogue.invoices.read',
    says: 'An invoice of the list is read by its id: 200, the same invoice.',
    async check(kit) {
      const [row] = await need('invoices', invoices(kit))
      if (!row) notApplicable('the server has no invoices')
      const answer = await kit.catalog.get(`/billing/invoices/${row['id']}`)
      expectStatus(answer, 200)
      expectEqual(
        [at(answer.json, 'id'), at(answer.json, 'status')],
        [row['id'], row['status']],
        'id and status',
      )
    },
  },
  {
    id: 'catalogue.invoices.missing',
    says: 'An invoice that there is not is 404.',
    decision: true,
    check: async (kit) => expectMissing(await kit.catalog.get(`/billing/invoices/${unknownId}`)),
  },
]
