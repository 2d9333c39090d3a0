import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { createGrowthTenant, type GrowthTenant } from '../../../../bench/growth/tenant.ts'
import {
  type CardPosition,
  readCardsAfter,
  readColumns,
} from '../../../../src/domain/deals/board/board-queries.ts'
import type { LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import {
  type LeadPosition,
  listLeadRows,
  listSources,
} from '../../../../src/domain/deals/leads/list-queries.ts'
import { searchWords } from '../../../../src/domain/deals/leads/search-words.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { atFileEnd } from '../../../support/endings.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let tenant: GrowthTenant
let members: Record<string, string | null>

before(async () => {
  database = await createTestDatabase()
  atFileEnd(() => database.drop())
  tenant = await createGrowthTenant(database.db)
  await grow(database.url, tenant, 0, 11_200, { tables: ['leads', 'projects'] })
  const { newRep, setter, manager, surveyor, subcontractor } = tenant.memberIds
  // Whoever is on a deal in several places sees it once.
  await database.rows(
    `update projects p set project_manager_id = $2 from leads l
     where p.installer_id = $1 and l.installer_id = $1 and l.id = p.lead_id
       and p.subcontractor_id = $2 and l.sales_rep_id = $3`,
    [tenant.installerId, subcontractor, tenant.repIds[1]],
  )
  await database.rows(
    `update projects p set site_surveyor_id = $2 from leads l
     where p.installer_id = $1 and l.installer_id = $1 and l.id = p.lead_id and l.sales_rep_id = $2`,
    [tenant.installerId, newRep],
  )
  members = { everybody: null, rep: tenant.repIds[0]!, newRep, setter, manager, surveyor, subcontractor }
})

/** The manager is on more. */
const few = 5_000

const isOn = `$2::text is null or $2 in (l.sales_rep_id, l.setter_id, p.project_manager_id, p.site_surveyor_id, p.subcontractor_id)`
const deals = 'leads l left join projects p on p.installer_id = l.installer_id and p.id = l.project_id'

const asked: [LeadFilters, string][] = [
  [{}, 'not l.archived'],
  [{ archived: 'only' }, 'l.archived'],
  [{ source: 'Billboard' }, `not l.archived and l.source_name = 'Billboard'`],
  [{ search: 'quillfeather' }, `not l.archived and l.last_name = 'Quillfeather'`],
  [{ status: 'sold', search: 'denver' }, `not l.archived and l.status = 'sold' and l.city = 'Denver'`],
  [{ line: 'hi', setter: 'none' }, `not l.archived and l.product_line = 'hi' and l.setter_id is null`],
]

for (const [filters, condition] of asked)
  for (const by of ['changed', 'made'] as const)
    test(`each sees their own leads, page by page: ${JSON.stringify(filters)} by ${by}`, async () => {
      for (const [who, memberId] of Object.entries(members)) {
        const wanted = (await database.rows(
          `select l.id from ${deals} where l.installer_id = $1 and (${isOn}) and ${condition} order by l.updated_at desc`,
          [tenant.installerId, memberId],
        )) as { id: string }[]
        const scope = { installerId: tenant.installerId, companyId: null, productLine: null, memberId }
        const seen: string[] = []
        let after: LeadPosition | null = null
        do {
          const page = await listLeadRows(database.db, scope, filters, { by, reversed: false }, after, 100)
          if (after === null)
            assert.deepEqual(
              page.total,
              wanted.length > 1_000
                ? { count: 1_000, orMore: true }
                : { count: wanted.length, orMore: false },
              who,
            )
          seen.push(...page.rows.map(({ id }) => id))
          const last = page.rows.at(-1)
          after = page.more ? { at: by === 'made' ? last!.createdAt : last!.updatedAt, id: last!.id } : null
        } while (after)
        assert.deepEqual(
          seen,
          wanted.map(({ id }) => id),
          who,
        )
      }
    })

test('each is given the sources of their own leads to choose from', async () => {
  const sourcesFor = (memberId: string | null) =>
    listSources(database.db, {
      installerId: tenant.installerId,
      companyId: null,
      productLine: null,
      memberId,
    })
  assert.deepEqual(await sourcesFor(members['newRep']!), ['Billboard'])
  assert.deepEqual(await sourcesFor(members['rep']!), ['Canvassing', 'Home show', 'Referral', 'Web form'])
})

test('each sees their own projects on the board, of a rep, a company and words too', async () => {
  const lateBefore = new Date(tenant.beganAt.getTime() + 7_000_000)
  const stages = tenant.stageIds.solar.map((id, i) => ({ id, lateBefore: i % 2 ? lateBefore : null }))
  const of = { repId: null, soldBy: null, search: '', condition: 'true' }
  const diego = { search: 'diego', condition: `l.city = 'San Diego'` }
  const selections = [
    of,
    { ...of, repId: tenant.memberIds.newRep },
    { ...of, repId: tenant.repIds[0]! },
    { ...of, soldBy: tenant.dealerId },
    { ...of, soldBy: tenant.installerId },
    { ...of, ...diego },
    { ...of, ...diego, soldBy: tenant.dealerId, repId: tenant.repIds[0]! },
    { ...of, search: 'quillfeather', condition: `l.last_name = 'Quillfeather'` },
  ]
  for (const [who, memberId] of Object.entries(members))
    for (const { repId, soldBy, search, condition } of selections) {
      const named = `${who} ${repId} ${soldBy} ${search}`
      const { columns, countedUpTo } = await readColumns(
        database.db,
        {
          ...{ installerId: tenant.installerId, companyId: null, memberId, repId, soldBy },
          ...{ words: searchWords(search), lateOnly: false, order: 'recent' },
        },
        stages,
        'board',
        few,
      )
      // Of what so many have, the projects are looked at one by one, and fewer are counted.
      const ofMany = who === 'manager' || (who === 'everybody' && search === 'diego')
      assert.equal(countedUpTo, ofMany && repId === null && search !== 'quillfeather' ? 25 : 1_000, named)
      const counts = (await database.rows(
        `select p.stage_id as id, count(*)::int as total,
           count(*) filter (where p.stage_entered_at < $6 and p.stage_id = any($7))::int as late from ${deals}
         where l.installer_id = $1 and (${isOn}) and p.stage_id = any($3) and ($4::text is null or l.sales_rep_id = $4)
           and ($5::text is null or p.company_id = $5) and ${condition} group by 1`,
        [
          ...[tenant.installerId, memberId, tenant.stageIds.solar, repId, soldBy],
          ...[lateBefore, tenant.stageIds.solar.filter((_, i) => i % 2)],
        ],
      )) as { id: string; total: number; late: number }[]
      const most = countedUpTo + 1
      for (const { stageId, total, late, cards } of columns) {
        const all = counts.find(({ id }) => id === stageId) ?? { total: 0, late: 0 }
        assert.deepEqual(
          [total, late, cards.length],
          [Math.min(all.total, most), Math.min(all.late, most), Math.min(all.total, 26)],
          named,
        )
      }
    }
})

test('each sees the cards of a column page by page, those that are late too, either way round', async () => {
  const id = tenant.stageIds.solar[1]!
  const lateBefore = new Date(tenant.beganAt.getTime() + 7_000_000)
  for (const [who, memberId] of Object.entries(members))
    for (const lateOnly of [false, true])
      for (const order of ['recent', 'longest'] as const) {
        const asked = {
          ...{
            installerId: tenant.installerId,
            companyId: null,
            memberId,
            repId: null,
            soldBy: null,
            words: [],
          },
          ...{ lateOnly, order },
        }
        const wanted = (await database.rows(
          `select p.id from ${deals} where l.installer_id = $1 and (${isOn}) and p.stage_id = $3
             ${lateOnly ? 'and p.stage_entered_at < $4' : 'and $4::timestamptz is not null'}
           order by p.stage_entered_at ${order === 'recent' ? 'desc nulls last, p.id desc' : 'nulls first, p.id'}`,
          [tenant.installerId, memberId, id, lateBefore],
        )) as { id: string }[]
        const seen: string[] = []
        const { columns } = await readColumns(database.db, asked, [{ id, lateBefore }], 'board', few)
        let cards = columns[0]!.cards.slice(0, 25)
        while (cards.length > 0) {
          seen.push(...cards.map((card) => card.id))
          const last = cards.at(-1)!
          const after: CardPosition = {
            enteredAt: last.enteredAt ? new Date(last.enteredAt) : null,
            id: last.id,
          }
          cards = await readCardsAfter(database.db, asked, { id, lateBefore }, after, 100, few)
        }
        assert.deepEqual(
          seen,
          wanted.map((one) => one.id),
          `${who} ${lateOnly} ${order}`,
        )
      }
})
