import { type Call, console, depths, idOf, type Kind, type Place, paged, timeOf } from './call.ts'
import { words } from './grow-deals.ts'
import { sentLaterMs, webhookId } from './grow-others.ts'
import type { Reader } from './tenant.ts'

const readers: Reader[] = ['owner', 'rep', 'newRep', 'dealer', 'newDealer']
const as = (reader: Reader) => (reader === 'owner' ? '' : ` (${reader})`)

/** A page of the console, from the top. */
const one = (
  kind: Kind,
  path: string | ((place: Place) => string),
  name = String(path),
  reader: Reader = 'owner',
): Call => ({
  kind,
  name: `console ${name}${as(reader)}`,
  run: console(path, reader),
})

const each = (kind: Kind, path: string, who: readonly Reader[] = ['owner']) =>
  who.map((reader) => one(kind, path, path, reader))

const list = (
  first: string,
  after: (place: Place, depth: number) => string,
  reader: Reader = 'owner',
): Call[] =>
  paged(
    'list',
    `console ${first}${as(reader)}`,
    (path) => (app, place) => console(path(place, app), reader)(app, place),
    first,
    (place, depth) => `after=${after(place, depth)}`,
  )

// ---- leads

const statuses = ['new', 'sold', 'unqualified']
/** Common and rare of each filter, and of each two. */
const leadFilters: Record<string, ((place: Place) => string)[]> = {
  status: statuses.map((status) => () => status),
  line: ['solar', 'hi'].map((line) => () => line),
  rep: [({ tenant }) => tenant.repIds[0]!, ({ tenant }) => tenant.memberIds.newRep, () => 'none'],
  setter: [({ tenant }) => tenant.memberIds.setter, () => 'none'],
  company: [
    ({ tenant }) => tenant.installerId,
    ({ tenant }) => tenant.dealerId,
    ({ tenant }) => tenant.newDealerId,
  ],
  source: ['Referral', 'Billboard', 'none'].map((source) => () => source),
  archived: ['only', 'all'].map((archived) => () => archived),
}
const labels: Record<string, string[]> = {
  status: statuses,
  line: ['solar', 'hi'],
  rep: ['common', 'rare', 'none'],
  setter: ['common', 'none'],
  company: ['own', 'dealer', 'rare'],
  source: ['common', 'rare', 'none'],
  archived: ['only', 'all'],
}

const filterChoices = Object.entries(leadFilters).flatMap(([field, values]) =>
  values.map((value, i) => ({ field, label: `${field}=${labels[field]![i]}`, value })),
)
const query = (chosen: typeof filterChoices) => (place: Place) =>
  chosen.map(({ field, value }) => `${field}=${encodeURIComponent(value(place))}`).join('&')
const filtered = (chosen: typeof filterChoices, path = '/leads'): Call =>
  one(
    'list',
    (place) => `${path}?${query(chosen)(place)}`,
    `${path}?${chosen.map(({ label }) => label).join('&')}`,
  )
const pairs = filterChoices.flatMap((a, i) =>
  filterChoices.slice(i + 1).flatMap((b) => (a.field === b.field ? [] : [[a, b]])),
)

const orders = ['changed', 'made', 'changed-reversed', 'made-reversed']
const leadPlace = (order: string) => (place: Place, depth: number) => {
  const number = place.size * (order.endsWith('reversed') ? 1 - depth : depth)
  const made = order.startsWith('made') ? 3_600 : 0
  return `${timeOf(place, number - made).getTime()}-${idOf('lead', number)}`
}
const searched = Object.values(words).map(encodeURIComponent)
const leads: Call[] = [
  ...readers.flatMap((reader) => list('/leads?sort=changed', leadPlace('changed'), reader)),
  ...orders.slice(1).flatMap((order) => list(`/leads?sort=${order}`, leadPlace(order))),
  ...filterChoices.map((chosen) => filtered([chosen])),
  ...pairs.map((chosen) => filtered(chosen)),
  ...filterChoices.map((chosen) => ({
    ...one(
      'list',
      (place) =>
        `/leads?${query([chosen])(place)}&after=${leadPlace('changed')(place, depths.middle(place))}`,
    ),
    name: `console /leads?${chosen.label}, middle`,
  })),
  ...searched.flatMap((word) => each('search', `/leads?search=${word}`, readers)),
  ...searched.map((word) => one('search', `/leads?search=${word}&status=new`)),
  one('search', '/leads?search=619555&sort=made'),
  one('search', '/leads?search=mo'),
  ...each('list', '/leads/sources', readers),
  one('list', `/leads/${idOf('lead', 3)}/duplicates`),
  ...list(
    `/leads/${idOf('lead', 2)}/activities?limit=50`,
    (place, depth) => `${timeOf(place, place.size * depth).getTime()}-0`,
  ),
  ...searched.flatMap((word) => each('search', `/search?q=${word}`, readers)),
  one('search', '/search?q=mo'),
  one('search', `/search?q=ada%20${words.common}`),
]

// ---- board, home, calendar

const boardFilters = ['', '&late=yes', '&sort=longest', '&late=yes&sort=longest']
const stageOf = ({ tenant }: Place) => tenant.stageIds.solar[1]!
const cardPlace = (place: Place, depth: number) =>
  `${timeOf(place, place.size * depth)
    .getTime()
    .toString(36)}.${idOf('proj', (place.size * depth) / 2)}`
const board: Call[] = [
  ...['solar', 'hi'].flatMap((line) =>
    boardFilters.flatMap((filter) =>
      each('roll-up', `/board?line=${line}${filter}`, line === 'solar' ? readers : ['owner']),
    ),
  ),
  ...searched.map((word) => one('search', `/board?line=solar&search=${word}`)),
  ...[0, 1].map((rare) =>
    one(
      'roll-up',
      ({ tenant }) => `/board?line=solar&rep=${rare ? tenant.memberIds.newRep : tenant.repIds[0]}`,
      `/board?rep=${rare ? 'rare' : 'common'}`,
    ),
  ),
  ...['dealerId', 'newDealerId'].map((company) =>
    one(
      'roll-up',
      ({ tenant }) => `/board?line=solar&company=${tenant[company as 'dealerId']}`,
      `/board?company=${company}`,
    ),
  ),
  ...readers.flatMap((reader) =>
    boardFilters.flatMap((filter) =>
      Object.entries(depths).map(
        ([where, depth]): Call => ({
          kind: 'list',
          name: `console /board/{stage}?${filter}, ${where}${as(reader)}`,
          run: console(
            (place) =>
              `/board/${stageOf(place)}?after=${cardPlace(place, filter.includes('longest') ? 1 - depth(place) : depth(place))}${filter}`,
            reader,
          ),
        }),
      ),
    ),
  ),
  ...each('roll-up', '/home', readers),
  ...each('list', '/notifications', ['owner', 'rep']),
]

const month = () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return `/calendar?from=${day(8)}&to=${day(1)}`
}
const calendar: Call[] = [
  ...readers.map((reader) => one('list', () => month(), '/calendar?(a week)', reader)),
  ...['install', 'survey'].map((kind) =>
    one('list', () => `${month()}&kind=${kind}`, `/calendar?kind=${kind}`),
  ),
]

// ---- monitoring, billing

const fleetFilters = [
  '',
  'region=US-CA',
  'region=US-NM',
  'kind=outage',
  'kind=anomaly',
  `search=quillfeather`,
  'search=house',
  'search=xyzzyplugh',
]
function installationAt(place: Place, depth: number): string {
  const number = String(Math.round(1 + (place.size - 1) * depth)).padStart(8, '0')
  return `${idOf('inst', place.size * depth)}~House ${number.split('').reverse().join('')}`
}

const monitoring: Call[] = [
  ...['trouble', 'name', 'size', 'name-reversed', 'size-reversed'].flatMap((sort) =>
    fleetFilters.map((filter) =>
      one(filter.startsWith('search') ? 'search' : 'list', `/monitoring?sort=${sort}&${filter}`),
    ),
  ),
  ...readers
    .slice(1)
    .flatMap((reader) =>
      ['trouble', 'name', 'size'].map((sort) =>
        one('list', `/monitoring?sort=${sort}`, `/monitoring?sort=${sort}`, reader),
      ),
    ),
  ...list('/monitoring?sort=name', installationAt),
  ...list('/monitoring?sort=trouble', (place, depth) => `2-0-${installationAt(place, depth)}`).slice(1, 2),
  ...each('roll-up', '/monitoring/summary', readers),
  one('list', `/monitoring/${idOf('inst', 7)}/alerts`),
  one('list', `/monitoring/${idOf('inst', 7)}`),
  ...['owner', 'newDealer'].map((reader) => one('list', '/quarantine', '/quarantine', reader as Reader)),
  ...list('/quarantine', (place, depth) => idOf('qrd', place.size * depth)).slice(1),
  one('list', `/quarantine?installation=${idOf('inst', 1)}`),
]

const invoiceFilters = [
  '',
  'status=paid',
  'status=open',
  'status=void',
  'month=2026-03',
  `installation=${idOf('inst', 7)}`,
  'search=quillfeather',
  'search=customer',
  'search=xyzzyplugh',
  'status=void&month=2026-03',
  'status=open&month=2026-03',
  'status=void&search=quillfeather',
  'status=open&search=quillfeather',
]
const billing: Call[] = [
  ...['made', 'due', 'amount', 'made-reversed', 'due-reversed', 'amount-reversed'].flatMap((sort) =>
    invoiceFilters.map((filter) =>
      one(filter.includes('search') ? 'search' : 'list', `/billing/invoices?sort=${sort}&${filter}`),
    ),
  ),
  ...['dealer', 'newDealer'].flatMap((reader) =>
    invoiceFilters.map((filter) =>
      one(
        filter.includes('search') ? 'search' : 'list',
        `/billing/invoices?${filter}`,
        `/billing/invoices?${filter}`,
        reader as Reader,
      ),
    ),
  ),
  ...list('/billing/invoices?sort=made', (place, depth) => idOf('inv', place.size * depth)),
  ...list(
    '/billing/invoices?sort=due',
    (place, depth) => `2026-${depth > 0.1 ? '06' : '12'}-01~${idOf('inv', place.size * depth)}`,
  ),
  ...list(
    '/billing/invoices?sort=amount',
    (place, depth) => `${depth > 0.1 ? 500 : 150}~${idOf('inv', place.size * depth)}`,
  ),
  ...['owner', 'dealer', 'newDealer'].map((reader) =>
    one('roll-up', '/billing/summary', '/billing/summary', reader as Reader),
  ),
  ...['owner', 'dealer', 'newDealer'].flatMap((reader) =>
    [
      '',
      'state=all',
      'search=quillfeather',
      'state=all&search=customer',
      'search=customer',
      'state=all&search=xyzzyplugh',
    ].map((filter) =>
      one(
        filter.includes('search') ? 'search' : 'list',
        `/billing/credits?${filter}`,
        `/billing/credits?${filter}`,
        reader as Reader,
      ),
    ),
  ),
  ...list('/billing/credits?state=all', (place, depth) => idOf('cred', place.size * depth)),
  ...['owner', 'dealer', 'newDealer'].flatMap((reader) =>
    [
      '',
      'state=with',
      'state=without',
      'state=ended',
      'search=quillfeather',
      'search=house',
      'search=xyzzyplugh',
      'state=without&search=house',
    ].map((filter) =>
      one(
        filter.includes('search') ? 'search' : 'list',
        `/billing/plans?${filter}`,
        `/billing/plans?${filter}`,
        reader as Reader,
      ),
    ),
  ),
  ...list('/billing/plans', (place, depth) => idOf('inst', place.size * depth)),
  ...['owner', 'dealer', 'newDealer'].map((reader) =>
    one('list', '/billing/unbilled', '/billing/unbilled', reader as Reader),
  ),
  ...list('/billing/unbilled', (place, depth) => `2026-10-01~${idOf('inst', place.size * depth)}`),
  one('list', '/billing/runs'),
  ...['', 'outcome=drafted', 'outcome=failed'].flatMap((filter) =>
    list(`/billing/runs/${idOf('job', 1)}?${filter}`, (place, depth) => idOf('inst', place.size * depth)),
  ),
]

// ---- the company's own

const settings: Call[] = [
  ...['', 'kind=lead', 'kind=invoice', 'kind=member', 'kind=security', 'kind=file'].flatMap((filter) =>
    (['owner', 'dealer', 'newDealer'] as const).map((reader) =>
      one('list', `/audit?${filter}`, `/audit?${filter}`, reader),
    ),
  ),
  ...list('/audit', (place, depth) => `${timeOf(place, place.size * depth).getTime()}-0`),
  ...list('/audit?kind=lead', (place, depth) => `${timeOf(place, place.size * depth).getTime()}-0`),
  one('list', ({ tenant }) => `/audit?actor=${tenant.repIds[0]}`, '/audit?actor=common'),
  one('list', ({ tenant }) => `/audit?actor=${tenant.memberIds.newRep}`, '/audit?actor=rare'),
  one(
    'list',
    ({ tenant }) => `/audit?actor=${tenant.repIds[0]}&kind=member`,
    '/audit?actor=common&kind=member',
  ),
  one(
    'list',
    ({ tenant }) => `/audit?actor=${tenant.memberIds.newRep}&kind=lead`,
    '/audit?actor=rare&kind=lead',
  ),
  one('list', `/audit?record=${idOf('lead', 2)}`),
  one('list', `/audit?record=${idOf('lead', 2)}&kind=invoice`),
  one(
    'list',
    (place) => `/audit?from=${timeOf(place, place.size / 2).toISOString()}`,
    '/audit?from=the middle',
  ),
  one('list', (place) => `/audit?to=${timeOf(place, place.size / 2).toISOString()}`, '/audit?to=the middle'),
  ...[
    '',
    'state=sent',
    'state=failed',
    'state=queued',
    'state=sending',
    'to=customer7@example.com',
    'to=nobody@example.com',
    'state=sent&to=customer7@example.com',
  ].flatMap((filter) =>
    (['owner', 'dealer', 'newDealer'] as const).map((reader) =>
      one('list', `/mails?${filter}`, `/mails?${filter}`, reader),
    ),
  ),
  ...list(
    '/mails',
    (place, depth) => `${timeOf(place, place.size * depth).getTime()}-${idOf('mail', place.size * depth)}`,
  ),
  ...['', 'state=delivered', 'state=failed', 'state=due'].flatMap((filter) =>
    list(
      `/webhooks/${webhookId}/deliveries?${filter}`,
      (place, depth) => `${timeOf(place, place.size * depth).getTime() + sentLaterMs}~0`,
    ),
  ),
  one('list', '/webhooks'),
  one('list', `/webhooks/${webhookId}`),
  one('list', '/keys'),
  one('list', '/requests'),
  one('list', '/requests?status=4xx'),
  one('list', '/people'),
  one('list', '/dealers'),
  ...list('/imports', (place, depth) => idOf('imp', place.size * depth)),
  one('list', `/imports/${idOf('imp', 1)}`),
  one('list', `/projects/${idOf('proj', 1)}/links`),
  one('roll-up', ({ tenant }) => `/people/${tenant.memberIds.newRep}/work`, '/people/{few}/work'),
  one('roll-up', ({ tenant }) => `/people/${tenant.repIds[0]}/work`, '/people/{many}/work'),
]

const proposalPlace = (place: Place, depth: number) =>
  `${timeOf(place, place.size * depth).getTime()}-${idOf('agp', place.size * depth)}`
const proposals: Call[] = [
  ...each('roll-up', '/agent-proposals/count', readers),
  ...each('list', '/agent-proposals', readers),
  ...each('list', '/agent-proposals?list=decided', readers),
  ...list('/agent-proposals?list=decided', proposalPlace).slice(1),
]

/** What grows by its nature, and what bounds it. */
const growing: [calls: RegExp, why: string][] = [
  [
    /^console \/leads\?search=(diego|mo|619555)/,
    'that there are more than 1,000 says the index of words, which lists all that hold a common word in a byte or two each',
  ],
  [
    /^console \/leads\/.*\/duplicates$/,
    'leads of one house and phone number, which are few: here there are more in a house as the company grows',
  ],
  [
    /^console \/monitoring\?sort=[a-z-]+&kind=outage$/,
    'where they are not among the first, all that have an open alert of the kind are put in order: it grows with what is wrong',
  ],
]

export const consoleCalls: Call[] = [
  ...leads,
  ...board,
  ...calendar,
  ...monitoring,
  ...billing,
  ...settings,
  ...proposals,
].map((call) => {
  const grows = growing.find(([calls]) => calls.test(call.name))?.[1]
  return grows ? { ...call, grows } : call
})
