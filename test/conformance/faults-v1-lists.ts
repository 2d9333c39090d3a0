import type { Asked, Fault } from './faulty-proxy.ts'

const is = (method: string, path: string | RegExp) => (asked: Asked) =>
  asked.method === method && (typeof path === 'string' ? asked.path === path : path.test(asked.path))

const oneLead = /^\/v1\/leads\/[^/]+$/
const swapped = <T>([first, second, ...rest]: T[]) => [second, first, ...rest] as T[]

/** Faults of the lists of the company-key API, and of who sees what in them. */
export const v1ListFaults = (keys: { installer: string; dealer: string }): Fault[] => [
  {
    name: 'a long page is in another order',
    fails: ['v1.projects.list.order'],
    within: ['v1.projects.list'],
    when: (asked) => is('GET', '/v1/projects')(asked) && asked.query.get('limit') === '100',
    answer: ({ body }) => {
      body.data = swapped(body.data)
    },
  },
  {
    name: 'the activity has the oldest first',
    fails: ['v1.activities.order'],
    within: ['v1.activities'],
    when: (asked) => asked.path.endsWith('/activities') && asked.query.get('limit') === '100',
    answer: ({ body }) => void body.data.reverse(),
  },
  {
    name: 'a page repeats a row',
    fails: ['v1.projects.list.cursor.walk'],
    within: ['v1.projects.list'],
    when: (asked) => is('GET', '/v1/projects')(asked) && asked.query.has('cursor'),
    answer: ({ body }) => {
      if (body.data?.length === 2) body.data[1] = body.data[0]
    },
  },
  {
    name: 'the cursor is lost',
    fails: ['v1.leads.list.cursor.walk', 'v1.leads.list.cursor.end'],
    within: ['v1.leads.list'],
    when: (asked) => is('GET', '/v1/leads')(asked) && asked.query.get('limit') === '2',
    answer: ({ body }) => {
      body.next = null
    },
  },
  {
    name: 'the last page has a cursor',
    fails: [
      'v1.activities.cursor.end',
      'v1.activities.cursor.walk',
      'v1.activities.limit.hundred',
      'v1.activities.limit.default',
    ],
    within: ['v1.activities'],
    when: ({ path }) => path.endsWith('/activities'),
    ask: ({ query }) => {
      if (query.get('cursor') === 'more') query.delete('cursor')
    },
    answer: ({ body }) => {
      body.next ??= 'more'
    },
  },
  {
    name: 'a dealer reads the lead of another company',
    fails: ['v1.visibility.dealer.leads.read', 'v1.visibility.same-answer'],
    within: ['v1.visibility'],
    when: (asked) => is('GET', oneLead)(asked) && asked.key === keys.dealer,
    ask: (asked) => {
      asked.key = keys.installer
    },
  },
  {
    name: 'a dealer lists the projects of all',
    fails: ['v1.visibility.dealer.projects.list'],
    within: ['v1.visibility.dealer.projects'],
    when: (() => {
      let asked = 0
      return (call: Asked) => is('GET', '/v1/projects')(call) && call.key === keys.dealer && ++asked > 1
    })(),
    ask: (asked) => {
      asked.key = keys.installer
    },
  },
  {
    name: 'updatedSince gives what changed at that very time too',
    fails: ['v1.projects.list.updated-since.after'],
    within: ['v1.projects.list'],
    when: (asked) =>
      is('GET', '/v1/projects')(asked) && !Number.isNaN(Date.parse(asked.query.get('updatedSince') ?? '')),
    ask: ({ query }) => {
      query.set('updatedSince', new Date(Date.parse(query.get('updatedSince')!) - 1).toISOString())
    },
  },
  {
    name: 'updatedSince forgets the newest',
    fails: ['v1.leads.list.updated-since.includes', 'v1.leads.list.cursor.end'],
    within: ['v1.leads.list'],
    when: (asked) => is('GET', '/v1/leads')(asked) && asked.query.has('updatedSince'),
    answer: ({ body }) => void body.data?.shift(),
  },
  {
    name: 'a product line is not heeded',
    fails: ['v1.projects.list.product-line.hi'],
    within: ['v1.projects.list'],
    when: (asked) => is('GET', '/v1/projects')(asked) && asked.query.get('productLine') === 'hi',
    ask: ({ query }) => query.delete('productLine'),
  },
  {
    name: 'a limit over 100 is taken',
    fails: ['v1.leads.list.limit.over'],
    within: ['v1.leads.list'],
    when: (asked) => is('GET', '/v1/leads')(asked) && asked.query.get('limit') === '101',
    ask: ({ query }) => query.set('limit', '100'),
  },
]
