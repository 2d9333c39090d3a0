import type { Asked, Fault } from './faulty-proxy.ts'

const is = (method: string, path: string | RegExp) => (asked: Asked) =>
  asked.method === method && (typeof path === 'string' ? asked.path === path : path.test(asked.path))

const oneLead = /^\/v1\/leads\/[^/]+$/
const oneProject = /^\/v1\/projects\/[^/]+$/

/** Faults of a server that speaks the company-key API; who has which key is told by the test. */
export const v1Faults = (keys: { installer: string; dealer: string }): Fault[] => [
  {
    name: 'a new lead is answered 200',
    fails: ['v1.leads.create.status'],
    within: ['v1.leads.create', 'v1.leads.external-id'],
    when: is('POST', '/v1/leads'),
    answer: (answered) => {
      if (answered.status === 201) answered.status = 200
    },
  },
  {
    name: 'a field is missing in the list',
    fails: ['v1.leads.list.fields.utility'],
    within: ['v1.leads.list'],
    when: is('GET', '/v1/leads'),
    answer: ({ body }) => {
      for (const row of body?.data ?? []) delete row.utility
    },
  },
  {
    name: 'a boolean is a text',
    fails: ['v1.leads.read.fields.archived'],
    within: ['v1.leads.read', 'v1.leads.change'],
    when: ({ path }) => oneLead.test(path),
    answer: ({ body }) => {
      if (body?.archived !== undefined) body.archived = String(body.archived)
    },
  },
  {
    name: 'a nullable person is left out',
    fails: ['v1.projects.read.fields.setter'],
    within: ['v1.projects.read', 'v1.projects.list.fields'],
    when: is('GET', oneProject),
    answer: ({ body }) => void delete body.setter,
  },
  {
    name: 'the catalogue is 404 to a dealer',
    fails: ['v1.adders.dealer'],
    within: ['v1.adders', 'v1.equipment'],
    when: (asked) => is('GET', '/v1/adders')(asked) && asked.key === keys.dealer,
    answer: (answered) => {
      answered.status = 404
      answered.body.error.code = 'not_found'
    },
  },
  {
    name: 'another kind of equipment is among the panels',
    fails: ['v1.equipment.kind.panel', 'v1.equipment.kind.absent'],
    within: ['v1.equipment', 'v1.adders'],
    when: (asked) => is('GET', '/v1/equipment')(asked) && asked.query.get('kind') === 'panel',
    ask: ({ query }) => query.delete('kind'),
  },
  {
    name: 'an error does not say where it is explained',
    fails: ['v1.errors.docs'],
    within: ['v1.errors', 'v1.body', 'v1.json', 'v1.request-id'],
    when: ({ path }) => path.startsWith('/v1/'),
    answer: ({ body }) => void delete body?.error?.docs,
  },
  {
    name: 'a 404 has no request id',
    fails: ['v1.request-id.missing'],
    within: ['v1.errors', 'v1.body', 'v1.json', 'v1.request-id'],
    when: is('GET', oneLead),
    answer: ({ status, headers }) => {
      if (status === 404) delete headers['x-request-id']
    },
  },
  {
    name: 'JSON is called HTML',
    fails: ['v1.json.success'],
    within: ['v1.json', 'v1.me'],
    when: is('GET', '/v1/me'),
    answer: ({ status, headers }) => {
      if (status === 200) headers['content-type'] = 'text/html'
    },
  },
  {
    name: 'an endpoint needs no key',
    fails: ['v1.keys.absent.get-equipment'],
    within: ['v1.keys', 'v1.me'],
    when: (asked) => is('GET', '/v1/equipment')(asked) && asked.key === null,
    ask: (asked) => {
      asked.key = keys.installer
    },
  },
  {
    name: 'ids in the list are others',
    fails: ['v1.leads.read.stable-id', 'v1.leads.read.by-reference', 'v1.leads.create.listed'],
    within: ['v1.leads.create', 'v1.leads.read'],
    when: is('GET', '/v1/leads'),
    answer: ({ body }) => {
      for (const row of body?.data ?? []) row.id = `${row.id}0`
    },
  },
  {
    name: 'an externalId makes a second lead',
    fails: ['v1.leads.external-id.status', 'v1.leads.external-id.same-lead'],
    within: ['v1.leads.external-id'],
    when: (() => {
      let sent = 0
      return (asked: Asked) =>
        is('POST', '/v1/leads')(asked) && /repeated$/.test(asked.body?.externalId) && ++sent === 2
    })(),
    ask: ({ body }) => {
      body.externalId += ' again'
    },
  },
  {
    name: 'who was not matched is not named',
    fails: ['v1.leads.create.unassigned.setter'],
    within: ['v1.leads.create'],
    when: is('POST', '/v1/leads'),
    answer: ({ body }) => {
      if (body?.unassigned) body.unassigned = body.unassigned.slice(0, 1)
    },
  },
  {
    name: 'an absent field is cleared by a change',
    fails: ['v1.leads.change.absent-kept'],
    within: ['v1.leads.change'],
    when: (asked) => is('PATCH', oneLead)(asked) && asked.body?.firstName === 'Kept',
    ask: ({ body }) => {
      body.phone = null
    },
  },
  {
    name: 'a change of nothing fails',
    fails: ['v1.leads.change.nothing'],
    within: ['v1.leads.change', 'v1.leads.read'],
    when: (asked) => is('PATCH', oneLead)(asked) && Object.keys(asked.body ?? {}).length === 0,
    answer: (answered) => {
      answered.status = 500
    },
  },
  {
    name: 'a move to the stage that it is in counts as one',
    fails: ['v1.stage.same'],
    within: ['v1.stage'],
    when: is('POST', /\/stage$/),
    answer: ({ body }) => {
      if (body?.changed === false) body.changed = true
    },
  },
  {
    name: 'a refused move does not list the ladder',
    fails: ['v1.stage.unknown.ladder'],
    within: ['v1.stage'],
    when: (asked) => is('POST', /\/stage$/)(asked) && asked.key === keys.installer,
    answer: ({ body }) => {
      if (body?.error) body.error.message = 'There is no such stage.'
    },
  },
  {
    name: 'every change of a project counts as one',
    fails: [
      'v1.projects.change.install-date.same',
      'v1.projects.change.ntp.same',
      'v1.projects.change.nothing',
    ],
    within: ['v1.projects.change'],
    when: is('PATCH', oneProject),
    answer: ({ body }) => {
      if (body?.changed === false) body.changed = true
    },
  },
  {
    name: 'a dealer changes a project',
    fails: ['v1.projects.change.dealer', 'v1.projects.change.dealer.status'],
    within: ['v1.projects.change'],
    when: (asked) => is('PATCH', oneProject)(asked) && asked.key === keys.dealer,
    ask: (asked) => {
      asked.key = keys.installer
    },
  },
  {
    name: 'an HI project has a system',
    fails: ['v1.projects.read.line.hi'],
    within: ['v1.projects.read'],
    when: is('GET', oneProject),
    answer: ({ body }) => {
      if (body?.productLine === 'hi') body.system = {}
    },
  },
  {
    name: 'files that are there already are answered 201',
    fails: ['v1.files.again.status'],
    within: ['v1.files'],
    when: is('POST', /\/files$/),
    answer: (answered) => {
      if (answered.status === 200) answered.status = 201
    },
  },
  {
    name: 'a connection is cut',
    fails: ['v1.adders.list'],
    within: ['v1.adders', 'v1.equipment'],
    when: (asked) => is('GET', '/v1/adders')(asked) && asked.key === keys.installer,
    cut: true,
  },
  {
    name: 'a 429 does not say how long to wait',
    fails: ['v1.limits.retry-after'],
    within: ['v1.limits'],
    limited: true,
    when: ({ path }) => path.startsWith('/v1/'),
    answer: ({ headers }) => void delete headers['retry-after'],
  },
]
