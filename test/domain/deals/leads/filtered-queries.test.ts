import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { words } from '../../../../bench/growth/grow-deals.ts'
import { createGrowthTenant, type GrowthTenant } from '../../../../bench/growth/tenant.ts'
import { allThat, type LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import { listFilteredLeads } from '../../../../src/domain/deals/leads/filtered-queries.ts'
import { listLeadRows } from '../../../../src/domain/deals/leads/list-queries.ts'
import { searchWords } from '../../../../src/domain/deals/leads/search-words.ts'
import { listFilteredProjects } from '../../../../src/domain/deals/projects/filtered-queries.ts'
import type { LookedPage } from '../../../../src/domain/deals/renderings/looked-page.ts'
import type { PageRequest } from '../../../../src/domain/deals/renderings/page.ts'
import type { Database, Statement } from '../../../../src/platform/db.ts'
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

test('pages of leads by a word, be it rare or common, are not many more than they need be', async () => {
  const { installerId } = tenant
  const scope = { installerId, companyId: null, productLine: null }
  for (const word of [words.rare, words.common, words.none])
    for (const status of [undefined, 'contacted', 'sold'] as const) {
      const filters = { archived: 'all' as const, search: word, ...(status ? { status } : {}) }
      const read: Read = (page) => listFilteredLeads(database.db, allThat(scope, 'all', filters), page, false)
      for (const ascending of [false, true]) {
        const { numbers, pages } = await walk(read, 100, ascending)
        assert.ok(pages <= numbers.length / 100 + 2, `${word} ${status}: ${numbers.length} in ${pages} pages`)
      }
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

/** After each of whose statements something happens. */
function disturbedBy(happens: (statement: Statement) => Promise<unknown>): Database {
  const disturbed: Database = {
    ...database.db,
    reading: (_tenant, _shows, work) => work(disturbed),
    query: async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
      const found = await database.db.query<Row>(statement, values)
      await happens(statement)
      return found
    },
  }
  return disturbed
}

test('what leaves a list while its page is read lets nothing that stays be left out', async () => {
  const { installerId } = tenant
  const scope = { installerId, companyId: null, productLine: null }
  const none = { line: undefined, rep: undefined, installFrom: undefined, installTo: undefined }
  const projects = { installerId, companyId: null, toDealer: false, stages: [], ...none }
  const lists = [
    {
      ...{ table: 'leads', looked: 2_000, lead: 'id', rendering: 'rendering', mark: `product_line = 'hi'` },
      read: (db: Database) => (page: PageRequest) =>
        listFilteredLeads(db, allThat(scope, 'all', { archived: 'all', line: 'hi' }), page, false),
    },
    {
      ...{
        table: 'projects',
        looked: 1_000,
        lead: 'lead_id',
        rendering: 'row_rendering',
        mark: `city = 'Newtown'`,
      },
      read: (db: Database) => (page: PageRequest) =>
        listFilteredProjects(db, { ...projects, words: searchWords('newtown') }, page, 'row'),
    },
  ]
  for (const { table, looked, lead, rendering, mark, read } of lists) {
    const inOrder = await database.rows<{ id: string; lead: string; number: number; at: Date }>(
      `select id, ${lead} as lead, (${rendering}::json->>'number')::int as number, updated_at as at from ${table}
       where installer_id = $1 order by updated_at`,
      [installerId],
    )
    // Too many for all to be found at once, and at first too few to fill a page; and all of those about where looking ends.
    const isMarked = (place: number) =>
      place % 25 === 0 || place % looked < 5 || (table === 'leads' && place > 8_000)
    const marked = inOrder.filter((_, place) => isMarked(place))
    await database.rows(`update leads set product_line = 'solar' where installer_id = $1`, [installerId])
    await database.rows(`update leads set ${mark} where id = any($1)`, [marked.map((one) => one.lead)])
    const leaving = inOrder.filter((_, place) => !isMarked(place))
    let last = inOrder.at(-1)!.at.getTime()
    const disturbed = disturbedBy(() =>
      database.rows(`update ${table} set updated_at = $2 where id = $1`, [
        leaving.shift()!.id,
        new Date(++last),
      ]),
    )
    const { numbers, pages } = await walk(read(disturbed), 100, true)
    assert.ok(pages > 3, `${table}: ${numbers.length} on ${pages} pages`)
    assert.deepEqual(
      numbers,
      marked.map(({ number }) => number),
      table,
    )
  }
})

test('who enters a stage that was looked at comes no later than what changes afterwards in another of its name', async () => {
  const { installerId, stageIds } = tenant
  const [first, second, elsewhere] = [stageIds.solar[0]!, stageIds.hi[0]!, stageIds.solar[3]!]
  const oldestOf = async (stage: string) => {
    const [project] = await database.rows<{ id: string }>(
      'select id from projects where installer_id = $1 and stage_id = $2 order by updated_at limit 1',
      [installerId, stage],
    )
    return project!.id
  }
  const [entering, changing] = [await oldestOf(elsewhere), await oldestOf(second)]
  const change = (id: string, stage: string) =>
    database.rows(
      `with clock as (${clockMoved} returning now)
       update projects set stage_id = $3, updated_at = (select now from clock) where installer_id = $1 and id = $2`,
      [installerId, id, stage],
    )
  const none = { line: undefined, rep: undefined, installFrom: undefined, installTo: undefined, words: [] }
  const filters = { installerId, companyId: null, toDealer: false, stages: [first, second], ...none }
  for (const ascending of [true, false]) {
    await change(entering, elsewhere)
    const [last] = await database.rows<{ now: Date }>(
      'select now from tenant_clocks where installer_id = $1',
      [installerId],
    )
    let looks = 0
    const disturbed = disturbedBy(async ({ text }) => {
      if (!/\bfrom projects\b/.test(text) || looks++ > 0) return
      await change(entering, first)
      await change(changing, second)
    })
    let since = last!.now
    const seen: string[] = []
    for (const db of [disturbed, database.db, database.db]) {
      const page = { limit: 100, ascending, after: null, since }
      const { rows } = await listFilteredProjects(db, filters, page, 'row')
      const numbers = (JSON.parse(`[${rows}]`) as { number: number }[]).map(({ number }) => number)
      const read = await database.rows<{ id: string; at: Date }>(
        `select id, updated_at as at from projects where installer_id = $1
           and (row_rendering::json->>'number')::int = any($2)`,
        [installerId, numbers],
      )
      seen.push(...read.map(({ id }) => id))
      for (const { at } of read) if (at > since) since = at
    }
    assert.equal(looks, 2)
    assert.deepEqual(seen.toSorted(), [entering, changing].toSorted())
  }
})

test('however many leads leave those that were looked through, the list goes on behind them', async () => {
  const { installerId } = tenant
  const inOrder = await database.rows<{ id: string; at: Date }>(
    'select id, updated_at as at from leads where installer_id = $1 order by updated_at desc',
    [installerId],
  )
  const start = inOrder.length - 2_050
  const wanted = inOrder[start + 2_040]!
  await database.rows(`update leads set city = 'Quibblewick' where id = $1`, [wanted.id])
  const leaving = inOrder.slice(start, start + 200).map(({ id }) => id)
  let last = inOrder[0]!.at.getTime()
  const disturbed = disturbedBy(async () => {
    for (const id of leaving.splice(0))
      await database.rows('update leads set updated_at = $2 where id = $1', [id, new Date(++last)])
  })
  const scope = { installerId, companyId: null, productLine: null }
  const { rows } = await listLeadRows(
    disturbed,
    scope,
    { search: 'quibblewick', archived: 'all' },
    { by: 'changed', reversed: false },
    inOrder[start - 1]!,
    50,
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [wanted.id],
  )
  assert.deepEqual(leaving, [])
})

test('leads with a word are counted, or said to be more than what was met of them', async () => {
  const { installerId } = tenant
  const scope = { installerId, companyId: null, productLine: null }
  for (const search of [words.common, 'diego', 'quibblewick']) {
    const [all] = await database.rows<{ count: number }>(
      `select count(*)::int as count from leads where installer_id = $1 and search like '%' || $2 || '%'`,
      [installerId, search],
    )
    const filters = { search, archived: 'all' } as const
    const order = { by: 'changed', reversed: false } as const
    const { total } = await listLeadRows(database.db, scope, filters, order, null, 10)
    if (all!.count < 10) assert.deepEqual(total, { count: all!.count, orMore: false })
    else {
      assert.ok(total!.orMore && total!.count >= 25 && total!.count % 25 === 0, JSON.stringify(total))
      assert.ok(total!.count < all!.count)
    }
  }
})
