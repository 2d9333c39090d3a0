import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { createGrowthTenant, type GrowthTenant } from '../../../../bench/growth/tenant.ts'
import {
  type BoardOrder,
  type BoardSelection,
  readCardsAfter,
  readColumns,
  type StageLimit,
} from '../../../../src/domain/deals/board/board-queries.ts'
import type { LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import {
  type LeadPosition,
  listLeadRows,
  listSources,
} from '../../../../src/domain/deals/leads/list-queries.ts'
import { searchWords } from '../../../../src/domain/deals/leads/search-words.ts'
import { figureUpTo } from '../../../../src/domain/kernel/counted.ts'
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

const of = {
  companyId: null as string | null,
  repId: null as string | null,
  soldBy: null as string | null,
  search: '',
}

interface Asked {
  memberId: string | null
  companyId: string | null
  repId: string | null
  soldBy: string | null
  search: string
  lateOnly: boolean
  order: BoardOrder
}

const selectionOf = ({ search, ...asked }: Asked): BoardSelection => ({
  installerId: tenant.installerId,
  ...asked,
  words: searchWords(search),
})

/** What a plain statement finds of some stages, in order. */
const plainly = (
  { memberId, companyId, repId, soldBy, search, lateOnly, order }: Asked,
  stages: readonly StageLimit[],
) =>
  database.rows(
    `select p.id, p.stage_id as stage, p.stage_entered_at < stage.late_before as late
     from ${deals} join unnest($3::text[], $4::timestamptz[]) stage (id, late_before) on stage.id = p.stage_id
     where l.installer_id = $1 and (${isOn}) and ($5::text is null or l.sales_rep_id = $5)
       and ($6::text is null or p.company_id = $6) and ($7::text is null or p.company_id = $7)
       and lower(l.search) like '%' || $8 || '%' ${lateOnly ? 'and p.stage_entered_at < stage.late_before' : ''}
     order by p.stage_entered_at ${order === 'recent' ? 'desc nulls last, p.id desc' : 'nulls first, p.id'}`,
    [
      ...[tenant.installerId, memberId, stages.map(({ id }) => id), stages.map((stage) => stage.lateBefore)],
      ...[repId, soldBy, companyId, search],
    ],
  ) as Promise<{ id: string; stage: string; late: boolean | null }[]>

/** All cards of a column, page by page. */
async function allCards(
  selection: BoardSelection,
  stage: StageLimit,
  bounds: { few?: number; looks?: number },
): Promise<{ ids: string[]; pages: number }> {
  const [column] = await readColumns(database.db, selection, [stage], 'board', bounds.few)
  let { cards, reached } = column!
  let most = 25
  const ids: string[] = []
  for (let pages = 1; ; pages++) {
    const isFull = cards.length > most
    const shown = isFull ? cards.slice(0, most) : cards
    ids.push(...shown.map(({ id }) => id))
    const last = shown.at(-1)
    const after = isFull
      ? { enteredAt: last!.enteredAt === null ? null : new Date(last!.enteredAt), id: last!.id }
      : reached
    if (after === null) return { ids, pages }
    most = 100
    ;({ cards, reached } = await readCardsAfter(database.db, selection, stage, after, most + 1, bounds))
  }
}

/** Everybody is on few; or on many, so that their projects are looked at one by one. */
const bounds = [{ few: 20_000 }, { few: 10 }]

test('each sees their own projects on the board, of a rep, a company and words too, however many those are', async () => {
  const lateBefore = new Date(tenant.beganAt.getTime() + 7_000_000)
  const stages = tenant.stageIds.solar.map((id, i) => ({ id, lateBefore: i % 2 ? lateBefore : null }))
  const [rep, secondRep] = tenant.repIds as [string, string]
  const selections = [
    of,
    { ...of, repId: tenant.memberIds.newRep },
    { ...of, repId: rep },
    { ...of, soldBy: tenant.dealerId },
    { ...of, soldBy: tenant.installerId },
    { ...of, search: 'diego' },
    { ...of, search: 'diego', soldBy: tenant.dealerId, repId: rep },
    { ...of, search: 'quillfeather' },
    { ...of, companyId: tenant.dealerId },
    { ...of, companyId: tenant.dealerId, repId: secondRep, search: 'diego' },
  ]
  let counted = 0
  for (const [who, memberId] of Object.entries(members))
    for (const selection of ['everybody', 'rep', 'manager'].includes(who)
      ? selections
      : selections.slice(0, 2)) {
      const asked = { ...selection, memberId, lateOnly: false, order: 'recent' } as const
      const wanted = await plainly(asked, stages)
      for (const { few } of bounds) {
        const columns = await readColumns(database.db, selectionOf(asked), stages, 'board', few)
        for (const { stageId, total, late, cards, reached } of columns) {
          const named = `${who} ${JSON.stringify(selection)} ${few} ${stageId}`
          const all = wanted.filter(({ stage }) => stage === stageId)
          const lateOnes = all.filter((one) => one.late)
          assert.deepEqual(
            cards.map(({ id }) => id),
            all.slice(0, 26).map(({ id }) => id),
            named,
          )
          assert.equal(reached, null, named)
          // Those that are looked at one by one are counted less far.
          const most = total.orMore && total.count === 25 ? 25 : 1_000
          if (most === 25) counted++
          assert.deepEqual(total, figureUpTo(most, all.length), named)
          if (most === 25) assert.deepEqual(late, figureUpTo(25, lateOnes.length), named)
          else assert.equal(late.count, Math.min(lateOnes.length, late.orMore ? 25 : 1_000), named)
        }
      }
    }
  assert.ok(counted > 50, `${counted}`)
})

test('each sees the cards of a column page by page, those that are late too, either way round', async () => {
  const stage = {
    id: tenant.stageIds.solar[1]!,
    lateBefore: new Date(tenant.beganAt.getTime() + 7_000_000),
  }
  for (const [who, memberId] of Object.entries(members))
    for (const selection of who === 'manager'
      ? [of, { ...of, soldBy: tenant.dealerId, search: 'diego' }]
      : [of])
      for (const lateOnly of [false, true])
        for (const order of ['recent', 'longest'] as const) {
          const asked = { ...selection, memberId, lateOnly, order }
          const wanted = (await plainly(asked, [stage])).map(({ id }) => id)
          for (const { few } of bounds)
            assert.deepEqual(
              (await allCards(selectionOf(asked), stage, { few })).ids,
              wanted,
              `${who} ${JSON.stringify(asked)} ${few}`,
            )
        }
})

test('in a stage of thousands that are not theirs, little is looked at at once, and all of theirs are found', async () => {
  const [first, ...others] = tenant.stageIds.solar as [string, ...string[]]
  const { newRep } = tenant.memberIds
  const before = (await database.rows('select id, stage_id as stage from projects where stage_id = any($1)', [
    others,
  ])) as { id: string; stage: string }[]
  await database.rows('update projects set stage_id = $1 where stage_id = any($2)', [first, others])
  await database.rows(
    `update projects set project_manager_id = $2 where id in (
       select id from projects where stage_id = $1 order by stage_entered_at limit 12)`,
    [first, newRep],
  )
  // Some were entered nobody knows when.
  await database.rows(
    `update projects set stage_entered_at = null where stage_id = $1 and stage_entered_at < $2`,
    [first, new Date(tenant.beganAt.getTime() + 20_000)],
  )
  const stage = { id: first, lateBefore: new Date(Date.now() - 86_400_000) }
  const asked = { ...of, memberId: newRep, lateOnly: false, order: 'recent' as BoardOrder }
  const all = await plainly(asked, [stage])
  assert.equal(all.length, 12)
  const [column] = await readColumns(database.db, selectionOf(asked), [stage], 'board', 3)
  const { total, late, cards, reached } = column!
  const none = { count: 0, orMore: true }
  assert.deepEqual([total, late, cards], [none, none, []])
  assert.ok(reached)
  const ids = all.map(({ id }) => id)
  const found = await allCards(selectionOf(asked), stage, { few: 3, looks: 1 })
  assert.deepEqual(found, { ids, pages: 2 })
  const words = { ...asked, memberId: null, search: 'quillfeather' }
  const [ofWords] = await readColumns(database.db, selectionOf(words), [stage], 'board', 3)
  assert.deepEqual(ofWords!.total, { count: (await plainly(words, [stage])).length, orMore: false })
  // A city that is new: common among the latest, and in few.
  await database.rows(
    `update leads l set city = 'Newtown' from projects p where p.lead_id = l.id and p.id in (
       select id from projects where stage_id = $1 order by updated_at desc limit 60)`,
    [first],
  )
  const city = { ...asked, memberId: null, search: 'newtown', order: 'longest' as const }
  const ofCity = await allCards(selectionOf(city), stage, { few: 100 })
  assert.deepEqual(
    ofCity.ids,
    (await plainly(city, [stage])).map(({ id }) => id),
  )
  const [exact] = await readColumns(database.db, selectionOf(city), [stage], 'board', 100)
  const [looked] = await readColumns(database.db, selectionOf(city), [stage], 'board', 50)
  assert.deepEqual([exact!.total, exact!.reached], [{ count: 60, orMore: false }, null])
  assert.ok(looked!.total.count < 25 && looked!.total.orMore && looked!.reached)
  for (const order of ['recent', 'longest'] as const)
    for (const lateOnly of [false, true]) {
      const way = { ...asked, order, lateOnly }
      const { ids } = await allCards(selectionOf(way), stage, { few: 3, looks: 1 })
      assert.deepEqual(
        ids,
        (await plainly(way, [stage])).map(({ id }) => id),
        `${order} ${lateOnly}`,
      )
    }
  await database.rows(
    `update projects p set stage_id = b.stage from unnest($1::text[], $2::text[]) b (id, stage) where p.id = b.id`,
    [before.map(({ id }) => id), before.map((one) => one.stage)],
  )
})
