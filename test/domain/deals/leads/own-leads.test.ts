import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grow } from '../../../../bench/growth/grow.ts'
import { createGrowthTenant, type GrowthTenant } from '../../../../bench/growth/tenant.ts'
import { readCardsAfter, readColumns } from '../../../../src/domain/deals/board/board-queries.ts'
import type {
  BoardOrder,
  BoardSelection,
  StageLimit,
} from '../../../../src/domain/deals/board/projects-on-board.ts'
import type { LeadFilters } from '../../../../src/domain/deals/leads/asked-leads.ts'
import {
  type LeadPosition,
  listLeadRows,
  listSources,
} from '../../../../src/domain/deals/leads/list-queries.ts'
import { searchWords } from '../../../../src/domain/deals/leads/search-words.ts'
import { countedUpTo, type Figure, figureUpTo, lookedAtUpTo } from '../../../../src/domain/kernel/counted.ts'
import { countAgain } from '../../../../src/domain/operations/checks/count-again.ts'
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
  await countAgain(database.db, AbortSignal.timeout(60_000))
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

/** Exact up to 1,000; of a word that many hold, what was met of them at first, and that there are more. */
function isTold(total: Figure, count: number, ofWord: boolean, who: string): void {
  if (ofWord && total.orMore) assert.ok(total.count >= lookedAtUpTo && total.count < count, who)
  else assert.deepEqual(total, figureUpTo(countedUpTo, count), who)
}

test('the figure of a word is the same in each order, and never less than stands below it', async () => {
  for (const memberId of [null, ...Object.values(members)])
    for (const [filters] of asked) {
      const scope = { installerId: tenant.installerId, companyId: null, productLine: null, memberId }
      const figures: Figure[] = []
      for (const by of ['changed', 'made'] as const)
        for (const reversed of [false, true]) {
          const { rows, total } = await listLeadRows(database.db, scope, filters, { by, reversed }, null, 60)
          assert.ok(total!.count >= Math.min(rows.length, countedUpTo) && total!.count <= countedUpTo)
          figures.push(total!)
        }
      for (const figure of figures) assert.deepEqual(figure, figures[0])
    }
})

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
          if (after === null) isTold(page.total!, wanted.length, 'search' in filters, who)
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
  bounds: { few: number; most: number },
  looks = 10,
): Promise<{ ids: string[]; pages: number }> {
  const [column] = await readColumns(database.db, selection, [stage], 'board', bounds)
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
    ;({ cards, reached } = await readCardsAfter(database.db, selection, stage, after, most + 1, {
      ...bounds,
      looks,
    }))
  }
}

/** Everybody is on few; or on many, so that their projects are looked at one by one. */
const bounds = [
  { few: 20_000, most: 20_000 },
  { few: 10, most: 10 },
]

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
      for (const bound of bounds) {
        const columns = await readColumns(database.db, selectionOf(asked), stages, 'board', bound)
        for (const { stageId, total, late, cards, reached } of columns) {
          const named = `${who} ${JSON.stringify(selection)} ${bound.few} ${stageId}`
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
          for (const bound of bounds)
            assert.deepEqual(
              (await allCards(selectionOf(asked), stage, bound)).ids,
              wanted,
              `${who} ${JSON.stringify(asked)} ${bound.few}`,
            )
        }
})

describe('a stage of thousands', () => {
  const looked = 2_000
  let stage: StageLimit
  let elsewhere: string
  const onMany = { few: 3, most: 3 }
  const none = { count: 0, orMore: true }
  const ofNewRep = (order: BoardOrder, lateOnly = false): Asked => ({
    ...{ ...of, memberId: tenant.memberIds.newRep, lateOnly, order },
  })
  const recent = 'stage_entered_at desc nulls last, id desc'

  before(async () => {
    const [first, second] = tenant.stageIds.solar as [string, string]
    stage = { id: first, lateBefore: new Date(Date.now() - 86_400_000) }
    elsewhere = second
    await database.rows('update projects set stage_id = $1 where stage_id = any($2)', [
      first,
      tenant.stageIds.solar,
    ])
  })

  const size = async () => (await plainly({ ...ofNewRep('recent'), memberId: null }, [stage])).length

  /** Gives them the projects at some places of the column, and no others. */
  async function giveOnly(places: readonly number[]): Promise<void> {
    await database.rows(
      `update projects p set project_manager_id = case when o.place = any($2) then $3 end, site_surveyor_id = null
       from (select id, row_number() over (order by ${recent}) as place from projects where stage_id = $1) o
       where p.id = o.id`,
      [stage.id, places, tenant.memberIds.newRep],
    )
    assert.equal((await plainly(ofNewRep('recent'), [stage])).length, places.length)
  }

  /** Those at which looking ends, from either side, and the last. */
  const borders = (size: number) =>
    [-1, 0, 1, 2].flatMap((by) => [looked + by, size + 1 - looked - by]).concat(size - 1, size)

  async function assertAllFound(): Promise<void> {
    for (const order of ['recent', 'longest'] as const)
      for (const lateOnly of [false, true]) {
        const asked = ofNewRep(order, lateOnly)
        const wanted = (await plainly(asked, [stage])).map(({ id }) => id)
        for (const looks of [1, 10])
          assert.deepEqual((await allCards(selectionOf(asked), stage, onMany, looks)).ids, wanted)
      }
  }

  test('says that it ended before any of theirs was met, and where to go on', async () => {
    const all = await size()
    assert.ok(all > looked + 100)
    await giveOnly([all - 4, all - 3, all - 2, all - 1, all])
    const asked = selectionOf(ofNewRep('recent'))
    const [column] = await readColumns(database.db, asked, [stage], 'board', onMany)
    assert.deepEqual([column!.total, column!.late, column!.cards], [none, none, []])
    assert.ok(column!.reached)
    assert.equal((await allCards(asked, stage, onMany, 1)).pages, 2)
    // Where they are not too many, all of them are found then.
    const [found] = await readColumns(database.db, asked, [stage], 'board', { few: 3, most: 5_000 })
    assert.deepEqual([found!.total.count, found!.total.orMore, found!.reached], [5, false, null])
  })

  test('is gone through without losing one at which looking ends', async () => {
    await giveOnly(borders(await size()))
    await assertAllFound()
  })

  test('is so where it is not known when most were entered', async () => {
    await database.rows(
      `update projects p set stage_entered_at = null
       from (select id, row_number() over (order by ${recent}) as place from projects where stage_id = $1) o
       where p.id = o.id and o.place > 1000`,
      [stage.id],
    )
    await giveOnly([...borders(await size()), 999, 1_000, 1_001])
    await assertAllFound()
  })

  test('has no more than those that are looked at', async () => {
    await database.rows(
      `update projects p set stage_id = $2
       from (select id, row_number() over (order by ${recent}) as place from projects where stage_id = $1) o
       where p.id = o.id and o.place > $3`,
      [stage.id, elsewhere, looked],
    )
    await giveOnly([1, looked - 1, looked])
    await assertAllFound()
    const [column] = await readColumns(database.db, selectionOf(ofNewRep('recent')), [stage], 'board', onMany)
    assert.deepEqual(column!.total, { count: 3, orMore: false })
    await database.rows('update projects set stage_id = $1 where stage_id = $2', [stage.id, elsewhere])
  })

  test('shows all that hold a word that is new, and so is common among the latest', async () => {
    const latest = await database.rows<{ id: string }>(
      'select id from projects where stage_id = $1 order by updated_at desc limit 60',
      [stage.id],
    )
    await database.rows(`update leads set city = 'Newtown' where project_id = any($1)`, [
      latest.map(({ id }) => id),
    ])
    const asked = { ...ofNewRep('longest'), memberId: null, search: 'newtown' }
    const ids = (await plainly(asked, [stage])).map(({ id }) => id)
    assert.equal(ids.length, 60)
    for (const most of [100, 50])
      assert.deepEqual((await allCards(selectionOf(asked), stage, { few: 50, most }, 1)).ids, ids)
    const read = async (most: number) =>
      (await readColumns(database.db, selectionOf(asked), [stage], 'board', { few: 50, most }))[0]!
    const [exact, cut] = [await read(100), await read(50)]
    assert.deepEqual([exact.total, exact.reached], [{ count: 60, orMore: false }, null])
    assert.ok(cut.total.count < 25 && cut.total.orMore && cut.reached)
  })

  test('shows the few sales of a rep who manages very many', async () => {
    const { manager } = tenant.memberIds
    await database.rows(
      `update leads set sales_rep_id = $2 where project_id in (
         select id from projects where stage_id = $1 order by ${recent} offset 2500 limit 3)`,
      [stage.id, manager],
    )
    const asked = { ...ofNewRep('recent'), memberId: null, repId: manager }
    const [column] = await readColumns(database.db, selectionOf(asked), [stage], 'board', onMany)
    assert.deepEqual([column!.total, column!.cards.length], [{ count: 3, orMore: false }, 3])
  })
})
