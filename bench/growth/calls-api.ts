import type { GrowthApp } from './app.ts'
import { byKey, type Call, idOf, type Place, paged, timeOf } from './call.ts'
import { words } from './grow-deals.ts'
import { sentLaterMs, webhookId } from './grow-others.ts'
import type { GrowthTenant } from './tenant.ts'

const lines = ['', 'productLine=solar', 'productLine=hi']
const whose = ['installer', 'dealer', 'newDealer'] as const

/** `/v1`: lists by key and sync. */
const company: Call[] = (['leads', 'projects'] as const).flatMap((list) => {
  return whose.flatMap((who) =>
    lines.flatMap((line): Call[] => {
      const query = ['limit=100', line].filter(Boolean).join('&')
      const name = `/v1/${list}?${line}${who === 'installer' ? '' : ` (${who})`}`
      const productLine = line === '' ? null : line.split('=')[1]!
      const companyId = (tenant: { installerId: string; dealerId: string; newDealerId: string }) =>
        who === 'installer' ? tenant.installerId : who === 'dealer' ? tenant.dealerId : tenant.newDealerId
      const since = (depth: number): Call => ({
        kind: 'sync',
        name: `${name} updatedSince ${depth === 1 ? 'just now' : depth === 0.5 ? 'the middle' : 'the beginning'}`,
        run: byKey(
          (place) =>
            `/v1/${list}?${query}&updatedSince=${timeOf(place, place.size * depth - 10).toISOString()}`,
          who,
        ),
      })
      return [
        ...paged(
          'list',
          name,
          (path) => byKey(path, who),
          `/v1/${list}?${query}`,
          (place, depth, app) =>
            `cursor=${app.deps.cursors.write({ at: timeOf(place, place.size * depth), ordinal: 0 }, [
              ...[list, companyId(place.tenant), 100, null, productLine],
            ])}`,
        ),
        ...[1, 0.5, 0.001].map(since),
      ]
    }),
  )
})

/** A filter, what it is called in the table, and its value. */
type Asked = [field: string, name: string, value: (tenant: GrowthTenant) => string]
const is = (field: string, value: string): Asked => [field, value, () => value]
const shared: Asked[] = [
  ['salesRep', '{rep}', ({ repIds }) => repIds[0]!],
  ['salesRep', '{newRep}', ({ memberIds }) => memberIds.newRep],
  ['companyId', '{dealer}', ({ dealerId }) => dealerId],
  ['companyId', '{newDealer}', ({ newDealerId }) => newDealerId],
  is('search', words.common),
  is('search', words.rare),
]
const filters = {
  leads: [
    ...shared,
    is('status', 'contacted'),
    is('status', 'unqualified'),
    is('externalId', 'ext-2'),
    is('email', 'Customer2@example.com'),
    is('phone', '+16190000002'),
  ],
  projects: [
    ...shared,
    is('stage', 'design'),
    is('stage', 'sold'),
    is('installDateFrom', '2000-01-01'),
    is('installDateTo', '2000-01-01'),
  ],
}

/** Each filter both ways, and each two of them. */
const filtered: Call[] = Object.entries(filters).flatMap(([list, all]) => {
  const call = (those: Asked[], more: string[] = []): Call => ({
    kind: 'list',
    name: `/v1/${list}?${[...those.map(([field, name]) => `${field}=${name}`), ...more].join('&')}`,
    run: byKey(({ tenant }) => {
      const asked = those.map(([field, , value]) => `${field}=${encodeURIComponent(value(tenant))}`)
      return `/v1/${list}?${['limit=100', ...asked, ...more].join('&')}`
    }),
  })
  const pairs = all.flatMap((one, i) =>
    all.slice(i + 1).flatMap((two) => (one[0] === two[0] ? [] : [[one, two]])),
  )
  return [
    call([], ['expand=project']),
    ...all.flatMap((one) => [call([one]), call([one], ['order=asc'])]),
    ...pairs.map((pair) => call(pair)),
  ]
})

const feed: Call[] = paged(
  'list',
  '/v1/leads/{id}/activities',
  (path) => byKey(path),
  `/v1/leads/${idOf('lead', 2)}/activities?limit=50`,
  (place, depth, app) =>
    `cursor=${app.deps.cursors.write({ at: timeOf(place, place.size * depth), ordinal: 0 }, [
      ...['activities', place.tenant.installerId, idOf('lead', 2), 50],
    ])}`,
)

/** Everything that happened, of any type and of a rare one, to whom it concerns. */
const events: Call[] = whose.flatMap((who) =>
  ['', 'types=lead.updated', 'types=note.created,file.deleted,lead.updated', 'types=note.created'].flatMap(
    (types) =>
      paged(
        'sync',
        `/v1/events?${types}${who === 'installer' ? '' : ` (${who})`}`,
        (path) => byKey(path, who),
        `/v1/events?${['limit=100', types].filter(Boolean).join('&')}`,
        (place, depth, app) => {
          const at = new Date(timeOf(place, place.size * depth).getTime() + sentLaterMs)
          const { installerId, dealerId, newDealerId } = place.tenant
          const companyId = { installer: installerId, dealer: dealerId, newDealer: newDealerId }[who]
          return `after=${app.deps.cursors.write({ at, ordinal: 0 }, ['events', companyId])}`
        },
      ),
  ),
)

/** The sizes at which a page by number is near the end: it is the same page at every larger one. */
const firstSize = 10_000
const secondSize = 100_000

/**
 * The same pages at each size, by their numbers, as what comes before a page depends on its number alone. One is asked for by itself
 * that is only there from the second size on. And page 500, as whoever goes page by page comes to it, beside the first.
 */
function byNumbers(
  name: string,
  perPage: number,
  pathOf: (page: number, place: Place) => string,
  { inFirst }: { inFirst: number },
): Call[] {
  const page = async (number: number, place: Place, app: GrowthApp) => {
    const body = await app.get(pathOf(number, place), { key: place.tenant.keys.installer })
    if (number * perPage <= inFirst * (place.size / firstSize) && body.includes('"data":[]'))
      throw new Error(`page ${number} is past the end`)
  }
  const at = (where: string, number: number): Call => ({
    kind: 'list',
    name: `${name} page ${where}`,
    run: (app, place) => page(number, place, app),
  })
  const pages = Math.floor(inFirst / perPage)
  const inSecond = Math.floor((inFirst * (secondSize / firstSize)) / perPage)
  const first = at('1', 1)
  return [
    first,
    at('in the middle of the first size', Math.ceil(pages / 2)),
    at('near the end of the first size', Math.max(1, Math.floor(pages * 0.8))),
    { ...at('near the end of the second size', Math.floor(inSecond * 0.8)), from: secondSize },
    {
      ...at('500 behind 499', 500),
      beside: { call: first.name, most: 1.5 },
      before: (app, place) => page(499, place, app),
    },
  ]
}

/** `/legacy`: lists by number. What was remembered of a list is forgotten with each change of it, so it is new here. */
const legacy: Call[] = ['lead', 'project'].flatMap((list) =>
  (['', '_hi'] as const).flatMap((line) => {
    const ofInstaller =
      list === 'lead' && line === '_hi' ? 'fetch_all_lead_hi_installer' : `fetch_all_${list}_installer${line}`
    // A dealer has a tenth of each line, of all records a fifth.
    const half = list === 'lead' ? 1 : 0.5
    const [inFirst, ofDealer] = [firstSize * (line === '' ? 0.7 : 0.3) * half, firstSize * 0.1 * half]
    return [
      ...byNumbers(
        `/legacy/${ofInstaller}`,
        100,
        (page, { tenant }) => `/legacy/${ofInstaller}?installer_id=${tenant.installerNumber}&page=${page}`,
        { inFirst },
      ),
      ...byNumbers(
        `/legacy/fetch_all_${list}${line}`,
        100,
        (page, { tenant }) => `/legacy/fetch_all_${list}${line}?org_id=${tenant.dealerNumber}&page=${page}`,
        { inFirst: ofDealer },
      ),
    ]
  }),
)

/** `/catalog/v1`: lists by number, each filter and each pair of them. */
const ofOne = `installation_id=${idOf('inst', 1)}`
const changed = 'updated_since=2020-01-01T00:00:00Z'
const catalogFilters: Record<string, string[]> = {
  panels: ['', 'status=active', 'status=maintenance', ofOne, changed, `${changed}&status=maintenance`],
  installations: ['', 'region=US-CA', 'region=US-NM', changed, `${changed}&region=US-NM`],
  'monitoring/quarantine': ['', `installation_id=${idOf('inst', 1)}`],
  'monitoring/alerts': [
    ...[
      '',
      'status=resolved',
      'status=active',
      'status=acknowledged',
      'severity=low',
      'severity=critical',
      'type=outage',
    ],
    ...[
      'type=anomaly',
      'status=active&severity=low',
      'status=resolved&severity=critical',
      'status=active&type=anomaly',
    ],
    ...[
      'type=anomaly&severity=critical',
      'type=outage&severity=critical',
      'status=resolved&type=outage&severity=low',
    ],
    'status=active&type=outage&severity=critical',
    ofOne,
    changed,
    `${changed}&status=active`,
  ],
  'billing/invoices': ['', 'status=paid', 'status=void', ofOne, changed, `${changed}&status=void`],
  'billing/plans': ['', 'kind=lease'],
  'billing/credits': [''],
  [`webhooks/${webhookId}/deliveries`]: ['', 'status=delivered', 'status=failed', 'status=due'],
}

const catalog: Call[] = Object.entries(catalogFilters).flatMap(([list, queries]) =>
  queries.flatMap((query) =>
    (list.startsWith('webhooks') || query.startsWith('installation_id') ? whose.slice(0, 1) : whose).flatMap(
      (who): Call[] => {
        const name = `/catalog/v1/${list.replace(webhookId, '{id}')}?${query}${who === 'installer' ? '' : ` (${who})`}`
        const first: Call = {
          kind: 'list',
          name,
          run: byKey(`/catalog/v1/${list}?per_page=100&${query}`, who),
        }
        if (query !== '' || who !== 'installer') return [first]
        return byNumbers(name, 100, (page) => `/catalog/v1/${list}?per_page=100&page=${page}`, {
          inFirst: list === 'monitoring/quarantine' ? firstSize / 2 : firstSize,
        })
      },
    ),
  ),
)

export const apiCalls: Call[] = [...company, ...filtered, ...feed, ...events, ...legacy, ...catalog]
