import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { readDealPage } from '../../../../src/domain/deals/changes/deal.ts'
import { updateLead } from '../../../../src/domain/deals/leads/update-lead.ts'
import { moveStage } from '../../../../src/domain/deals/projects/move-stage.ts'
import { readLegacyProjectPage } from '../../../../src/domain/deals/projects/queries.ts'
import { updateProject } from '../../../../src/domain/deals/projects/update-project.ts'
import {
  type CountedList,
  createCountedLists,
} from '../../../../src/domain/deals/renderings/counted-lists.ts'
import { sellLead } from '../../../../src/domain/deals/sale/sell-lead.ts'
import type { LineScope } from '../../../../src/domain/kernel/context.ts'
import { productLines } from '../../../../src/domain/kernel/tenant/stage.ts'
import { countAgain } from '../../../../src/domain/operations/checks/count-again.ts'
import { listWrongCounts } from '../../../../src/domain/operations/checks/count-queries.ts'
import type { Db } from '../../../../src/platform/db.ts'
import { withinTransaction } from '../../../../src/platform/within-transaction.ts'
import { clockMoved } from '../../../support/clock-watch.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, hiSale, lead, project, solarSale } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { db, rows } = database
const world = await createWorld(db)
const { installer, dealer, other } = world
const tenant = installer.company.id

const perPage = 100
type Counted = ReturnType<typeof createCountedLists>

/** The ids of a page, with what is counted. */
async function readPage(counted: Counted, list: CountedList, page: number, asked: Db = db) {
  const { rows, ...counts } = await counted<string[]>(
    withinTransaction(asked),
    list,
    page,
    async (from, start) => {
      if (list.table === 'leads') {
        const found = await readDealPage(from, list.scope, start)
        return { ...found, rows: found.rows.map((deal) => deal.lead.id) }
      }
      const found = await readLegacyProjectPage(from, list.scope, start)
      const records = JSON.parse(`[${found.rows.toString().replaceAll(/[\u0001\u0003]/g, '')}]`) as {
        id: string
      }[]
      return { ...found, rows: records.map(({ id }) => id) }
    },
  )
  return { ids: rows ?? [], ...counts }
}

/** What is there, newest change first, read beside the lists. */
async function inOrder({ table, scope }: CountedList): Promise<string[]> {
  const found = await rows<{ id: string }>(
    `select id from ${table} where installer_id = $1 and product_line = $2 and ($3::text is null or company_id = $3)
     order by updated_at desc`,
    [scope.installerId, scope.productLine, scope.companyId],
  )
  return found.map((row) => row.id)
}

function slice(ids: string[], page: number) {
  const shown = ids.slice((page - 1) * perPage, page * perPage)
  const remaining = shown.length > 0 ? Math.max(0, ids.length - page * perPage) : 0
  return { ids: shown, count: shown.length, remaining, total: ids.length }
}

const lists: CountedList[] = (['leads', 'projects'] as const).flatMap((table) =>
  productLines.flatMap((productLine) =>
    [null, tenant, dealer.company.id].map((companyId) => ({
      table,
      scope: { installerId: tenant, companyId, productLine },
    })),
  ),
)

async function assertRight(counted: Counted, pages: number[]): Promise<void> {
  for (const list of lists) {
    const ids = await inOrder(list)
    for (const page of pages) {
      const where = `${list.table} ${list.scope.productLine} ${list.scope.companyId} page ${page}`
      assert.deepEqual(await readPage(counted, list, page), slice(ids, page), where)
    }
  }
}

for (let i = 0; i < 101; i++) await project(installer)
for (let i = 0; i < 104; i++) await project(dealer, { productLine: i < 4 ? 'hi' : 'solar' })
for (let i = 0; i < 45; i++) await lead(i % 2 ? installer : dealer, { productLine: i < 15 ? 'hi' : 'solar' })

test('every page is its slice of what is there, in whatever order pages are asked for', async () => {
  await assertRight(createCountedLists(), [1, 2, 3, 4])
  await assertRight(createCountedLists(), [3, 2, 1])
  const counted = createCountedLists()
  for (const pages of [[2], [4], [3], [1, 2, 3], [2 ** 53, Number.MAX_VALUE]])
    await assertRight(counted, pages)
  const [all] = lists
  assert.deepEqual((await inOrder(all!)).length, 201 + 30)
  assert.deepEqual((await readPage(counted, all!, 3)).count, 31)
})

test('a page is counted from the nearest one before it that is known', async () => {
  const { leadId } = await project(other, { productLine: 'hi' })
  const [written] = await rows<{ columns: string }>(
    `select string_agg(column_name, ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'leads' and is_generated = 'NEVER'`,
  )
  await rows(
    `with clock as (${clockMoved})
      insert into leads (${written!.columns}) select ${written!.columns} from (
        select (jsonb_populate_record(r, jsonb_build_object('id', r.id || n, 'status', 'new',
          'project_id', null, 'updated_at', r.updated_at - n * interval '1 s'))).*
        from leads r, generate_series(1, 540) n where r.installer_id = $1 and r.id = $2
      ) copied`,
    [other.company.id, leadId],
  )
  const scope: LineScope = { installerId: other.company.id, companyId: null, productLine: 'hi' }
  const list: CountedList = { table: 'leads', scope }
  const ids = await inOrder(list)
  assert.equal(ids.length, 541)
  for (const pages of [
    [2, 4, 6, 5, 1, 3],
    [6, 3, 5],
    [1, 3, 6, 4],
    [5, 2, 6],
  ]) {
    const counted = createCountedLists()
    for (const page of pages)
      assert.deepEqual(await readPage(counted, list, page), slice(ids, page), `page ${page} of ${pages}`)
  }
})

test('after every change of any kind every page is right again, in each of two processes', async () => {
  const processes = [createCountedLists(), createCountedLists()]
  const any = <T>(items: T[], at: number): T => items[at % items.length]!
  const ids = async (table: string, more = '') =>
    (
      await rows<{ id: string }>(`select id from ${table} where installer_id = $1 ${more} order by id`, [
        tenant,
      ])
    ).map((row) => row.id)
  const changes: Record<string, (at: number) => Promise<unknown>> = {
    create: (at) => lead(at % 2 ? installer : dealer, { productLine: at % 3 ? 'solar' : 'hi' }),
    patch: async (at) => updateLead(installer.as(), any(await ids('leads'), at), { phone: `${at}` }),
    nothing: async (at) => updateLead(installer.as(), any(await ids('leads'), at), {}),
    stage: async (at) =>
      moveStage(installer.as(), any(await ids('projects'), at), at % 2 ? 'Complete' : 'Sold'),
    ntp: async (at) =>
      updateProject(installer.as(), any(await ids('projects'), at), { ntpGranted: at % 2 > 0 }),
    sell: async (at) => {
      const line = at % 2 ? 'hi' : 'solar'
      const open = await ids('leads', `and project_id is null and product_line = '${line}'`)
      if (open.length > 0) await sellLead(installer.as(), any(open, at), line === 'hi' ? hiSale : solarSale)
    },
  }
  const change = fc.record({
    name: fc.constantFrom(...Object.keys(changes)),
    at: fc.nat(10_000),
    reader: fc.nat(1),
    pages: fc.shuffledSubarray([1, 2, 3, 4], { minLength: 1 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (sequence) => {
      for (const { name, at, reader, pages } of sequence) {
        await changes[name]!(at)
        await assertRight(processes[reader]!, pages)
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
  for (const counted of processes) await assertRight(counted, [1, 2, 3, 4])
  assert.deepEqual([await isCounted(), await listWrongCounts(db, tenant, false)], [true, []])
})

const isCounted = async () => {
  const [clock] = await rows<{ counted: boolean | null }>(
    'select counted_at = now as counted from tenant_clocks where installer_id = $1',
    [tenant],
  )
  return clock!.counted
}

test('totals are those that are kept, until a version before has written without counting', async () => {
  const list = lists[0]!
  const { length } = await inOrder(list)
  const total = async () => (await readPage(createCountedLists(), list, 1)).total
  await rows(
    `update lead_counts set leads = leads + 7 where installer_id = $1 and company_id = $1 and product_line = $2`,
    [tenant, list.scope.productLine],
  )
  assert.equal(await total(), length + 7)

  // As it writes: the clock moves alone. Nothing that is written after it makes what is kept good again.
  await rows(clockMoved, [tenant])
  assert.equal(await total(), length)
  await lead(installer)
  assert.deepEqual([await total(), await isCounted()], [length + 1, null])
  assert.deepEqual(await listWrongCounts(db, tenant, false), [])

  await countAgain(db, AbortSignal.timeout(10_000))
  assert.deepEqual([await total(), await isCounted()], [length + 1, true])
  await lead(installer)
  assert.deepEqual([await total(), await isCounted()], [length + 2, true])
  assert.deepEqual(await listWrongCounts(db, tenant, false), [])
})

test('pages that are read while others write are whole, in order, and right once it is quiet', async () => {
  const counted = createCountedLists()
  const list = lists[0]!
  const leads = await inOrder(list)
  let writing = true
  const writers = [0, 1, 2].map(async (n) => {
    for (let i = 0; i < 40; i++)
      await updateLead(installer.as(), leads[(i * 7 + n) % leads.length]!, { phone: `w${n}-${i}` })
  })
  const readers = [1, 2, 3].map(async (page) => {
    let read = 0
    do {
      const { ids, count, remaining, total } = await readPage(counted, list, page)
      assert.deepEqual([new Set(ids).size, total], [count, leads.length])
      assert.ok(count <= perPage && count + remaining <= total)
      read++
    } while (writing)
    return read
  })
  await Promise.all(writers)
  writing = false
  for (const read of await Promise.all(readers)) assert.ok(read > 1)
  await assertRight(counted, [1, 2, 3])
})

test('a record that is there all the time is on the first page of a short list all the time', async () => {
  const scope: LineScope = { installerId: other.company.id, companyId: null, productLine: 'solar' }
  for (const table of ['leads', 'projects'] as const) {
    const deals = [await project(other), await project(other)]
    const ids = deals.map((deal) => (table === 'leads' ? deal.leadId : deal.projectId))
    const counted = createCountedLists()
    let writing = true
    const writer = async () => {
      for (let i = 0; i < 150; i++) await updateLead(other.as(), deals[i % 2]!.leadId, { phone: `${i}` })
      writing = false
    }
    const reader = async () => {
      while (writing) {
        const page = await readPage(counted, { table, scope }, 1)
        assert.ok(
          ids.every((id) => page.ids.includes(id)),
          `${table}: ${JSON.stringify(page)}`,
        )
      }
    }
    await Promise.all([writer(), reader(), reader()])
  }
})

test('more lists than are remembered are right too, and a list of nobody is empty', async () => {
  const counted = createCountedLists()
  const list = lists[0]!
  const expected = slice(await inOrder(list), 2)
  assert.deepEqual(await readPage(counted, list, 2), expected)
  const nothing = { ids: [], count: 0, remaining: 0, total: 0 }
  for (let i = 0; i < 205; i++) {
    const scope: LineScope = { ...list.scope, companyId: `comp_${i}` }
    assert.deepEqual(await readPage(counted, { table: 'leads', scope }, 1), nothing)
  }
  assert.deepEqual(await readPage(counted, list, 2), expected)
  const foreign = { ...list.scope, installerId: 'comp_0' }
  assert.deepEqual(await readPage(counted, { table: 'projects', scope: foreign }, 1), nothing)
})
