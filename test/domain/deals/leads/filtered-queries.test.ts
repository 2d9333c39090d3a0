import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { words } from '../../../../bench/growth/grow-deals.ts'
import { createGrowthTenant, type GrowthTenant } from '../../../../bench/growth/tenant.ts'
import { allThat, type LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import { listFilteredLeads } from '../../../../src/domain/deals/leads/filtered-queries.ts'
import { searchWords } from '../../../../src/domain/deals/leads/search-words.ts'
import { listFilteredProjects } from '../../../../src/domain/deals/projects/filtered-queries.ts'
import type { LookedPage } from '../../../../src/domain/deals/renderings/looked-page.ts'
import type { PageRequest } from '../../../../src/domain/deals/renderings/page.ts'
import { clockMoved } from '../../../support/clock-watch.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { atFileEnd } from '../../../support/endings.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let tenant: GrowthTenant

before(async () => {
  database = await createTestDatabase()
  atFileEnd(() => database.drop())
  tenant = await createGrowthTenant(database.db)
  await grow(database.url, tenant, 0, 10_600, { tables: ['leads', 'projects'] })
  // Of a database that is nearly all this company's, some leads are another's.
  const neighbour = await createGrowthTenant(database.db, 'Neighbour')
  await grow(database.url, neighbour, 0, 120, { tables: ['leads'] })
  // In two statements, as a cluster changes no row by a function of its columns that depends on settings.
  const scheduled = await database.rows<{ id: string; milestones: string }>(
    `select id, json_build_object('installScheduled', to_char(sold_at, 'YYYY-MM-DD'))::text as milestones
     from projects where installer_id = $1`,
    [tenant.installerId],
  )
  await database.rows(
    `with clock as (${clockMoved})
     update projects p set milestones = s.milestones::jsonb
     from unnest($2::text[], $3::text[]) as s(id, milestones) where p.installer_id = $1 and p.id = s.id`,
    [tenant.installerId, scheduled.map(({ id }) => id), scheduled.map(({ milestones }) => milestones)],
  )
})

type Read = (page: PageRequest) => Promise<LookedPage>

/** The numbers of all rows, page by page, and how many pages that took. */
async function walk(
  read: Read,
  limit: number,
  ascending: boolean,
): Promise<{ numbers: number[]; pages: number }> {
  const numbers: number[] = []
  let pages = 0
  for (let after: Date | null = null; pages === 0 || after; pages++) {
    const page: LookedPage = await read({ limit, ascending, after, since: null })
    const rows = JSON.parse(`[${page.rows}]`) as { number: number }[]
    assert.ok(rows.length <= limit)
    numbers.push(...rows.map(({ number }) => number))
    after = page.next
    assert.ok(pages < 500, 'the list has an end')
  }
  return { numbers, pages }
}

async function assertSame(read: Read, table: string, condition: string, name: string): Promise<void> {
  const column = table === 'leads' ? 'rendering' : 'row_rendering'
  const expected = await database.rows<{ number: number }>(
    `select (${column}::json->>'number')::int as number from ${table} r
     where installer_id = $1 and ${condition} order by updated_at desc`,
    [tenant.installerId],
  )
  const numbers = expected.map(({ number }) => number)
  assert.deepEqual((await walk(read, 100, false)).numbers, numbers, name)
  assert.deepEqual((await walk(read, 100, true)).numbers, numbers.toReversed(), `${name}, oldest first`)
  if (numbers.length < 200) assert.deepEqual((await walk(read, 7, false)).numbers, numbers, `${name}, by 7`)
}

test('leads by every two filters are exactly those that fit, however they are found', async () => {
  const { dealerId, newDealerId, memberIds, repIds } = tenant
  const filters: [LeadFilters, string][] = [
    [{ status: 'lost' }, `status = 'lost'`],
    [{ status: 'unqualified' }, `status = 'unqualified'`],
    [{ line: 'hi' }, `product_line = 'hi'`],
    [{ rep: repIds[0]! }, `sales_rep_id = '${repIds[0]}'`],
    [{ rep: memberIds.newRep }, `sales_rep_id = '${memberIds.newRep}'`],
    [{ company: dealerId }, `company_id = '${dealerId}'`],
    [{ company: newDealerId }, `company_id = '${newDealerId}'`],
    [{ search: words.common }, `search like '%${words.common}%'`],
    [{ search: words.rare }, `search like '%${words.rare}%'`],
    [{ search: words.none }, 'false'],
    [{ email: 'CUSTOMER2900@example.com' }, `lower(email) = 'customer2900@example.com'`],
    [{ phone: '+16190002900' }, `phone_e164 = '+16190002900'`],
    [
      { externalId: 'ext-2900', companies: [tenant.installerId, dealerId, newDealerId] },
      `external_id = 'ext-2900'`,
    ],
  ]
  for (const [i, [first, is]] of filters.entries())
    for (const [second, also] of filters.slice(i)) {
      const merged = { archived: 'all' as const, ...first, ...second }
      const isBoth = Object.keys(first).some((key) => key in second) ? also : `${is} and ${also}`
      const scope = { installerId: tenant.installerId, companyId: null, productLine: null }
      const read: Read = (page) => listFilteredLeads(database.db, allThat(scope, 'all', merged), page, false)
      await assertSame(read, 'leads', isBoth, JSON.stringify(merged))
    }
})

test('leads by several words are exactly those that hold all of them, be their parts rare or common', async () => {
  const scope = { installerId: tenant.installerId, companyId: null, productLine: null }
  for (const search of [
    'ada okafor',
    '345 juniper',
    'juniper 34',
    'juniper okafor 105',
    // Many hold the middle of these words, and few or none the words.
    'xarket 921012',
    'market san diego ca 92101',
    'example.com diego',
    `${words.rare} market`,
    `${words.none} market`,
  ])
    for (const filters of [{ search }, { search, status: 'lost' }] as const) {
      const listing = allThat(scope, 'all', { archived: 'all', ...filters })
      const read: Read = (page) => listFilteredLeads(database.db, listing, page, false)
      const hold = search.split(' ').map((word) => `search like '${word.length < 3 ? '% ' : '%'}${word}%'`)
      const condition = [...hold, ...('status' in filters ? [`status = 'lost'`] : [])].join(' and ')
      await assertSame(read, 'leads', condition, JSON.stringify(filters))
    }
})

test('so are a dealer’s, who sees no others', async () => {
  for (const [filters, is] of [
    [{ status: 'new' }, `status = 'new'`],
    [{ search: words.common }, `search like '%${words.common}%'`],
    [{ email: 'customer2900@example.com' }, `lower(email) = 'customer2900@example.com'`],
  ] as const) {
    const scope = { installerId: tenant.installerId, companyId: tenant.dealerId, productLine: null }
    const listing = allThat(scope, 'all', { archived: 'all', ...filters })
    const read: Read = (page) => listFilteredLeads(database.db, listing, page, false)
    await assertSame(read, 'leads', `company_id = '${tenant.dealerId}' and ${is}`, JSON.stringify(filters))
  }
})

test('projects by every two filters are exactly those that fit', async () => {
  const { installerId, dealerId, newDealerId, memberIds, repIds, stageIds } = tenant
  const ofLead = (is: string) =>
    `exists (select from leads l where l.installer_id = r.installer_id and l.id = r.lead_id and ${is})`
  const days = await database.rows<{ day: string }>(
    `select distinct milestones->>'installScheduled' as day from projects order by 1`,
    [],
  )
  const day = days[0]!.day
  type Filters = Partial<Parameters<typeof listFilteredProjects>[1]>
  const filters: [Filters, string][] = [
    [{ stages: [stageIds.solar[2]!] }, `stage_id = '${stageIds.solar[2]}'`],
    [
      { stages: [stageIds.solar[0]!, stageIds.hi[0]!] },
      `stage_id in ('${stageIds.solar[0]}', '${stageIds.hi[0]}')`,
    ],
    [{ line: 'hi' }, `product_line = 'hi'`],
    [{ companyId: dealerId }, `company_id = '${dealerId}'`],
    [{ companyId: newDealerId }, `company_id = '${newDealerId}'`],
    [{ rep: repIds[0]! }, ofLead(`sales_rep_id = '${repIds[0]}'`)],
    [{ rep: memberIds.newRep }, ofLead(`sales_rep_id = '${memberIds.newRep}'`)],
    [{ words: searchWords(words.common) }, ofLead(`search like '%${words.common}%'`)],
    [{ words: searchWords(words.rare) }, ofLead(`search like '%${words.rare}%'`)],
    [{ installFrom: day, installTo: day }, `milestones->>'installScheduled' = '${day}'`],
    [{ installTo: '2000-01-01' }, 'false'],
    [{ installFrom: '2000-01-01' }, 'true'],
  ]
  for (const [i, [first, is]] of filters.entries())
    for (const [second, also] of filters.slice(i)) {
      if (first !== second && Object.keys(first).some((key) => key in second)) continue
      const none = { line: undefined, rep: undefined, installFrom: undefined, installTo: undefined }
      const all = {
        installerId,
        companyId: null,
        toDealer: false,
        stages: [],
        words: [],
        ...none,
        ...first,
        ...second,
      }
      const read: Read = (page) => listFilteredProjects(database.db, all, page, 'row')
      await assertSame(read, 'projects', `${is} and ${also}`, JSON.stringify({ ...first, ...second }))
    }
})
