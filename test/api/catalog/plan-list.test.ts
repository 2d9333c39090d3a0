import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listWrongClocked } from '../../../src/domain/operations/checks/clocked-counts.ts'
import { countAgain } from '../../../src/domain/operations/checks/count-again.ts'
import { startApp } from '../../support/app.ts'
import { clockMoved } from '../../support/clock-watch.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { plan, plansPath, site } from '../../support/invoices.ts'
import { wholeList } from '../../support/panels.ts'

const app = await startApp()
const { database } = app
const world = await createWorld(database.db)
const { installer, dealer, sister, other } = world
const { key } = installer

const sites: string[] = []
for (const owner of [installer, installer, dealer, installer]) {
  const id = await site(database, owner)
  await plan(owner, id, sites.length === 1 ? { kind: 'lease', rate: '99' } : {})
  sites.push(id)
}
await site(database, installer)
const ended = await site(database, installer)
await plan(installer, ended)
await app.call('DELETE', `${plansPath}/${ended}`, { key })
await database.rows(
  `insert into billing_months (installer_id, installation_id, month, state, reason, at)
    values ($1, $2, '2026-02-01', 'held', 'Too little came in', now()), ($1, $2, '2026-01-01', 'held', 'Nothing came in', now()),
      ($1, $2, '2026-03-01', 'released', 'its draft was deleted', now())`,
  [installer.company.id, sites[3]],
)
const idsOf = (plans: Record<string, unknown>[]) => plans.map(({ installation_id }) => installation_id)

test('those that bill are listed, of the newest installation first, as each reads', async () => {
  for (const perPage of [1, 2, 3, 100]) {
    const plans = await wholeList(app, key, plansPath, perPage)
    assert.deepEqual(idsOf(plans), sites.toReversed())
    for (const one of plans)
      assert.deepEqual(one, (await app.get(`${plansPath}/${one.installation_id}`, key)).body)
  }
  const [first] = await wholeList(app, key, plansPath)
  assert.deepEqual(first!.held_months, [
    { month: '2026-01', reason: 'Nothing came in' },
    { month: '2026-02', reason: 'Too little came in' },
  ])
})

test('they are narrowed by their kind, and to a dealer its own', async () => {
  assert.deepEqual(idsOf(await wholeList(app, key, `${plansPath}?kind=lease`)), [sites[1]])
  assert.deepEqual(idsOf(await wholeList(app, dealer.key, plansPath)), [sites[2]])
  assert.deepEqual(idsOf(await wholeList(app, dealer.key, `${plansPath}?kind=lease`)), [])
  for (const { key: stranger } of [sister, other])
    assert.deepEqual(await wholeList(app, stranger, plansPath), [])
})

test('their number is kept, and counted where a version before has written', async () => {
  const totals = async () =>
    Promise.all(
      ['', '?kind=lease'].map(async (query) => (await app.get(`${plansPath}${query}`, key)).body.meta.total),
    )
  const { db, rows } = database
  assert.deepEqual(await listWrongClocked(db, installer.company.id, false), [])
  await rows(`update plan_counts set plans = plans + 5 where kind = 'lease'`)
  assert.deepEqual(await totals(), [9, 6])
  await rows(clockMoved, [installer.company.id])
  assert.deepEqual(await totals(), [4, 1])
  await countAgain(db, AbortSignal.timeout(10_000))
  await plan(installer, sites[0]!, { kind: 'lease', rate: '99' })
  assert.deepEqual(await totals(), [4, 2])
  assert.deepEqual(await listWrongClocked(db, installer.company.id, false), [])
})

test('a page is what it is by its number, whatever was read and changed before', async () => {
  const { rows } = database
  const here = (await wholeList(app, key, plansPath)).map(({ installation_id, kind }) => ({
    id: installation_id as string,
    kind,
  }))
  const set = async (id: string, kind: string) =>
    plan(installer, id, kind === 'lease' ? { kind, rate: '99' } : {})
  for (let i = 0; i < 14; i++) {
    const id = await site(database, installer)
    const kind = i % 3 ? 'ppa' : 'lease'
    await set(id, kind)
    here.unshift({ id, kind })
  }
  const pagesAreRight = async () => {
    for (const kind of ['', 'lease', 'ppa']) {
      const wanted = here.filter((one) => kind === '' || one.kind === kind)
      for (const [page, perPage] of [
        [3, 3],
        [4, 3],
        [2, 4],
        [3, 3],
        [1, 4],
        [30, 3],
      ] as const) {
        const query = `page=${page}&per_page=${perPage}${kind && `&kind=${kind}`}`
        const { data, meta } = (await app.get(`${plansPath}?${query}`, key)).body
        const from = (page - 1) * perPage
        assert.deepEqual(
          [idsOf(data), meta.total],
          [wanted.slice(from, from + perPage).map(({ id }) => id), wanted.length],
        )
      }
    }
  }
  await pagesAreRight()

  // As many of each kind as before, and others.
  const [ppa, lease] = ['ppa', 'lease'].map((kind) => here.find((one) => one.kind === kind)!)
  await set(ppa!.id, 'lease')
  await set(lease!.id, 'ppa')
  ppa!.kind = 'lease'
  lease!.kind = 'ppa'
  await pagesAreRight()
  await app.call('DELETE', `${plansPath}/${here[2]!.id}`, { key })
  const [gone] = here.splice(2, 1)
  await pagesAreRight()
  await set(gone!.id, gone!.kind as string)
  here.splice(2, 0, gone!)
  await pagesAreRight()

  // As the version before: one ends and another begins, and it only moves the clock.
  const other = await site(database, installer)
  await set(other, here[1]!.kind as string)
  here.unshift({ id: other, kind: here[1]!.kind })
  await pagesAreRight()
  await rows(`update billing_plans set ended_at = now() where installation_id = $1`, [other])
  await rows(`update billing_plans set ended_at = null where installation_id = $1`, [ended])
  const again = here.shift()!
  here.splice(
    here.findIndex(({ id }) => id === sites[3]),
    0,
    { id: ended, kind: again.kind },
  )
  await rows(`update billing_plans set kind = $2 where installation_id = $1`, [ended, again.kind])
  await rows(clockMoved, [installer.company.id])
  await countAgain(database.db, AbortSignal.timeout(10_000))
  await pagesAreRight()
  await rows(clockMoved, [installer.company.id])
  await pagesAreRight()
})

test('a wrong field is 400, no key 401, and a key that may only read reads it', async () => {
  for (const query of ['kind=cash', 'page=0', 'per_page=101', 'status=open'])
    assert.equal((await app.get(`${plansPath}?${query}`, key)).status, 400, query)
  assert.deepEqual((await app.get(`${plansPath}?page=9`, key)).body.data, [])
  assert.equal((await app.call('GET', plansPath)).status, 401)
  const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
  assert.equal((await app.get(plansPath, readOnly)).status, 200)
})
