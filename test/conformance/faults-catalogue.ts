import type { Asked, Fault } from './faulty-proxy.ts'

const is = (method: string, path: string | RegExp) => (asked: Asked) =>
  asked.method === method &&
  (typeof path === 'string' ? asked.path === `/catalog/v1${path}` : path.test(asked.path))

const rounded = (value: number) => Math.round(value * 100) / 100

/** Faults of a server that speaks the catalogue API. */
export const catalogueFaults: Fault[] = [
  {
    name: 'a total is a text',
    fails: ['catalogue.panels.list.meta'],
    within: ['catalogue.panels'],
    when: is('GET', '/panels'),
    answer: ({ body }) => {
      if (body?.meta) body.meta.total = String(body.meta.total)
    },
  },
  {
    name: 'a capacity is rounded',
    fails: ['catalogue.panels.create.kept'],
    within: ['catalogue.panels'],
    when: ({ path }) => path.startsWith('/catalog/v1/panels/'),
    answer: ({ body }) => {
      if (body?.capacity_kw) body.capacity_kw = rounded(body.capacity_kw)
    },
  },
  {
    name: 'a status is not heeded',
    fails: ['catalogue.panels.list.status.maintenance'],
    within: ['catalogue.panels.list'],
    when: (asked) => is('GET', '/panels')(asked) && asked.query.get('status') === 'maintenance',
    ask: ({ query }) => query.delete('status'),
  },
  {
    name: 'the second page is the first again',
    fails: ['catalogue.panels.list.pages'],
    within: ['catalogue.panels'],
    when: (asked) => is('GET', '/panels')(asked) && asked.query.get('page') === '2',
    ask: ({ query }) => query.set('page', '1'),
  },
  {
    name: 'a page may be longer than 100',
    fails: ['catalogue.panels.list.per-page.refused'],
    within: ['catalogue.panels'],
    when: (asked) => is('GET', '/panels')(asked) && asked.query.get('per_page') === '101',
    ask: ({ query }) => query.set('per_page', '100'),
  },
  {
    name: 'a deleted panel stays',
    fails: ['catalogue.panels.delete', 'catalogue.panels.delete.status'],
    within: ['catalogue.panels'],
    when: is('DELETE', /\/panels\/[^/]+$/),
    ask: (asked) => {
      asked.method = 'GET'
    },
    answer: (answered) => {
      if (answered.status === 200) answered.status = 204
    },
  },
  {
    name: 'a new panel is inactive',
    fails: ['catalogue.panels.create.active'],
    within: ['catalogue.panels.create', 'catalogue.panels.read'],
    when: is('POST', '/panels'),
    answer: ({ body }) => {
      if (body?.status) body.status = 'inactive'
    },
  },
  {
    name: 'a total of energy is rounded',
    fails: ['catalogue.energy.total', 'catalogue.energy.ingest.again'],
    within: ['catalogue.energy'],
    when: is('GET', '/monitoring/energy'),
    answer: ({ body }) => {
      if (body?.summary) body.summary.total_kwh = rounded(body.summary.total_kwh)
    },
  },
  {
    name: 'the last day of a range is left out',
    fails: [
      'catalogue.energy.total',
      'catalogue.energy.average',
      'catalogue.energy.sum.hourly',
      'catalogue.energy.sum.daily',
      'catalogue.energy.sum.monthly',
      'catalogue.energy.buckets',
      'catalogue.energy.inclusive',
      'catalogue.energy.ingest.again',
    ],
    within: ['catalogue.energy'],
    when: (asked) =>
      is('GET', '/monitoring/energy')(asked) &&
      /^2026-01-/.test(asked.query.get('end_date') ?? '') &&
      asked.query.has('panel_id') &&
      asked.query.get('end_date')! >= '2026-01-06',
    ask: ({ query }) => {
      query.set('end_date', '2026-01-05')
      if (query.get('start_date')! > '2026-01-05') query.set('start_date', '2026-01-05')
    },
    answer: ({ body }, { query }) => {
      if (body?.summary && query.get('start_date') === query.get('end_date')) body.summary.total_kwh = 0
    },
  },
  {
    name: 'hours are not told',
    fails: ['catalogue.energy.granularity.hourly', 'catalogue.energy.sum.hourly'],
    within: ['catalogue.energy'],
    when: (asked) => is('GET', '/monitoring/energy')(asked) && asked.query.get('granularity') === 'hourly',
    answer: (answered) => {
      answered.status = 400
      answered.body = { error: { code: 'invalid', message: 'Not by the hour.', docs: '' } }
    },
  },
  {
    name: 'a region is not heeded',
    fails: ['catalogue.installations.list.region'],
    within: ['catalogue.installations'],
    when: (asked) => is('GET', '/installations')(asked) && asked.query.has('region'),
    ask: ({ query }) => query.delete('region'),
  },
  {
    name: 'panels of an installation are not counted',
    fails: ['catalogue.installations.list.own'],
    within: ['catalogue.installations'],
    when: is('GET', '/installations'),
    answer: ({ body }) => {
      for (const row of body?.data ?? []) row.panel_count = 0
    },
  },
  {
    name: 'an invoice is read in another status',
    fails: ['catalogue.invoices.read'],
    within: ['catalogue.invoices'],
    when: is('GET', /\/billing\/invoices\/[^/]+$/),
    answer: ({ body }) => {
      if (body?.status) body.status = 'other'
    },
  },
  {
    name: 'money has three places',
    fails: ['catalogue.invoices.money'],
    within: ['catalogue.invoices'],
    when: is('GET', '/billing/invoices'),
    answer: ({ body }) => {
      for (const row of body?.data ?? []) row.amount_due += 0.005
    },
  },
  {
    name: 'a severity is not heeded',
    fails: ['catalogue.alerts.list.severity.high', 'catalogue.alerts.list.together'],
    within: ['catalogue.alerts'],
    when: (asked) => is('GET', '/monitoring/alerts')(asked) && asked.query.get('severity') === 'high',
    ask: ({ query }) => {
      query.delete('severity')
      query.delete('status')
    },
  },
  {
    name: 'the list shows secrets',
    fails: ['catalogue.webhooks.create.secret-once'],
    within: ['catalogue.webhooks.create', 'catalogue.webhooks.list'],
    when: is('GET', '/webhooks'),
    answer: ({ body }) => {
      for (const row of body?.data ?? []) row.secret = 'whsec_c2VjcmV0'
    },
  },
  {
    name: 'messages are signed by another secret',
    fails: ['catalogue.webhooks.delivery.signature'],
    within: ['catalogue.webhooks.delivery'],
    when: is('POST', '/webhooks'),
    answer: ({ body }) => {
      if (body?.secret) body.secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwLbZxJvLrJ0E='
    },
  },
  {
    name: 'an endpoint is told of everything',
    fails: ['catalogue.webhooks.delivery.chosen'],
    within: ['catalogue.webhooks.delivery'],
    // Not the one that tells when the change was told.
    when: (asked) => is('POST', '/webhooks')(asked) && asked.body.events.includes('panel.created'),
    ask: ({ body }) => {
      body.events = ['panel.created', 'panel.updated']
    },
  },
  {
    name: 'a deleted endpoint stays',
    fails: [
      'catalogue.webhooks.delete',
      'catalogue.webhooks.delete.status',
      'catalogue.webhooks.delete.stops',
    ],
    within: ['catalogue.webhooks'],
    when: is('DELETE', /\/webhooks\/we_[^/]+$/),
    ask: (asked) => {
      asked.method = 'GET'
      asked.path = '/catalog/v1/webhooks'
    },
    answer: (answered) => {
      answered.status = 204
    },
  },
]
