import { byKey, type Call, idOf, paged, timeOf } from './call.ts'
import { webhookId } from './grow-others.ts'

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

const byNumber =
  'a page is asked for by its number: its place is counted down to in the index, once until the list changes'

const countedTotal =
  'the answer says exactly how many there are: they are counted in the index, once until the list changes'

/** `/legacy`: lists by number. What was remembered of a list is forgotten with each change of it, so it is new here. */
const legacy: Call[] = ['lead', 'project'].flatMap((list) =>
  (['', '_hi'] as const).flatMap((line) => {
    const ofInstaller =
      list === 'lead' && line === '_hi' ? 'fetch_all_lead_hi_installer' : `fetch_all_${list}_installer${line}`
    return [
      { path: ofInstaller, owner: (number: number) => `installer_id=${number}`, of: 'installer' as const },
      {
        path: `fetch_all_${list}${line}`,
        owner: (number: number) => `org_id=${number}`,
        of: 'dealer' as const,
      },
    ].flatMap(({ path, owner, of }): Call[] =>
      [0, 0.5, 0.9].map((depth) => ({
        kind: 'list',
        name: `/legacy/${path} page ${depth === 0 ? '1' : depth === 0.5 ? 'in the middle' : 'near the end'}`,
        grows: depth > 0 ? byNumber : countedTotal,
        run: byKey(({ tenant, size }) => {
          const number = of === 'installer' ? tenant.installerNumber : tenant.dealerNumber
          const share =
            (line === '' ? 0.7 : 0.3) * (of === 'installer' ? 1 : 0.2) * (list === 'lead' ? 1 : 0.5)
          const page = 1 + Math.floor((depth * share * size) / 100)
          return `/legacy/${path}?${owner(number)}&page=${page}`
        }),
      })),
    )
  }),
)

/** `/catalog/v1`: lists by number, each filter and each pair of them. */
const filters: Record<string, string[]> = {
  panels: ['', 'status=active', 'status=maintenance'],
  installations: ['', 'region=US-CA', 'region=US-NM'],
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
  ],
  'billing/invoices': ['', 'status=paid', 'status=void'],
  'billing/credits': [''],
  [`webhooks/${webhookId}/deliveries`]: ['', 'status=delivered', 'status=failed', 'status=due'],
}

const exactTotal = 'the total beside the list is exact, and is of more rows or of more installations'
const summed = ['monitoring/quarantine?', 'webhooks/{id}/deliveries?']

const catalog: Call[] = Object.entries(filters).flatMap(([list, queries]) =>
  queries.flatMap((query) =>
    (list.startsWith('webhooks') || query.startsWith('installation_id') ? whose.slice(0, 1) : whose).flatMap(
      (who): Call[] => {
        const name = `/catalog/v1/${list.replace(webhookId, '{id}')}?${query}${who === 'installer' ? '' : ` (${who})`}`
        const first: Call = {
          kind: 'list',
          name,
          ...(summed.some((one) => name.startsWith(`/catalog/v1/${one}`)) ? { grows: exactTotal } : {}),
          run: byKey(`/catalog/v1/${list}?per_page=100&${query}`, who),
        }
        if (query !== '' || who !== 'installer') return [first]
        const deep = (where: string, depth: number): Call => ({
          kind: 'list',
          name: `${name} page ${where}`,
          grows: byNumber,
          run: byKey(
            ({ size }) => `/catalog/v1/${list}?per_page=100&page=${1 + Math.floor((size * depth) / 200)}`,
          ),
        })
        return [first, deep('in the middle', 0.5), deep('near the end', 0.9)]
      },
    ),
  ),
)

export const apiCalls: Call[] = [...company, ...feed, ...legacy, ...catalog]
