import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { invoiceStatuses } from '../../../src/domain/billing/invoices/invoice.ts'
import { listWrongCounts } from '../../../src/domain/operations/checks/count-queries.ts'
import { alertStatuses, alertTypes, severities } from '../../../src/domain/sites/alerts/alert.ts'
import { findAlerts } from '../../../src/domain/sites/alerts/find-alerts.ts'
import { simulateFleet } from '../../domain/sites/alerts/fleet.ts'
import { store } from '../../domain/sites/alerts/store.ts'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { draftBody, invoicesPath, post } from '../../support/invoices.ts'
import { installation, panel, wholeList } from '../../support/panels.ts'

const app = await startApp()
const { db } = app.database
const world = await createWorld(db)
const { installer, dealer } = world

async function countsAreRight(): Promise<void> {
  assert.deepEqual(await listWrongCounts(db, installer.company.id, false), [])
}

const perPage = 4
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('add' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(1_000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('turn' as const), which: fc.nat(1_000) }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('read' as const), page: fc.nat(9), only: fc.boolean() }),
  },
)

test('a page is what it is by its number, whatever was read and changed before', async () => {
  const { key } = installer
  const home = await installation(app, installer)
  const there: { id: string; status: string }[] = []
  const add = async () => there.unshift({ id: await panel(app, installer, home), status: 'active' })
  for (let i = 0; i < 30; i++) await add()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
      for (const one of steps) {
        const at = 'which' in one ? one.which % there.length : 0
        const path = `/catalog/v1/panels/${there[at]!.id}`
        if (one.do === 'add') await add()
        else if (one.do === 'delete') {
          await app.call('DELETE', path, { key })
          there.splice(at, 1)
        } else if (one.do === 'turn') {
          const status = there[at]!.status === 'active' ? 'inactive' : 'active'
          await app.call('PATCH', path, { key, body: { status } })
          there[at]!.status = status
        } else {
          const listed = there.filter(({ status }) => !one.only || status === 'active')
          const filter = one.only ? '&status=active' : ''
          const query = `page=${one.page + 1}&per_page=${perPage}${filter}`
          const { data, meta } = (await app.get(`/catalog/v1/panels?${query}`, key)).body
          const from = one.page * perPage
          const expected = listed.slice(from, from + perPage).map(({ id }) => id)
          assert.deepEqual([data.map((p: { id: string }) => p.id), meta.total], [expected, listed.length])
        }
      }
    }),
    { numRuns: 15, endOnFailure: true },
  )
  await countsAreRight()
})

test('what changes between two readings of a page far down is seen by both sizes of page', async () => {
  const { key } = dealer
  const home = await installation(app, dealer)
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.unshift(await panel(app, dealer, home))
  const page = async (n: number, size: number) =>
    (await app.get(`/catalog/v1/panels?page=${n}&per_page=${size}`, key)).body.data.map(
      (p: { id: string }) => p.id,
    )
  assert.deepEqual(await page(3, 4), ids.slice(8, 12))
  assert.deepEqual(await page(5, 2), ids.slice(8, 10))
  // One comes and one goes: there are as many as before.
  ids.unshift(await panel(app, dealer, home))
  await app.call('DELETE', `/catalog/v1/panels/${ids.pop()}`, { key })
  assert.deepEqual(await page(3, 4), ids.slice(8, 12))
  assert.deepEqual(await page(5, 2), ids.slice(8, 10))
  assert.deepEqual(await page(4, 4), [])
})

test('a list says of each panel what its own latest day made, whichever day the others have last', async () => {
  const { key, company } = world.sister
  const home = await installation(app, world.sister)
  const latest = ['2026-06-10', '2026-06-01', '2026-06-30', null, '2025-01-01', '2026-06-10']
  const ids: string[] = []
  for (const day of latest) {
    const id = await panel(app, world.sister, home)
    ids.push(id)
    await app.database.rows(
      `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours)
       select $1, $2, d::date, $4::int * 1000000 + extract(day from d)::int * 1000, 24, '{}'
       from generate_series($3::date - 40, $3::date, '1 day') d`,
      [company.installerId, id, day, ids.length],
    )
  }
  for (const size of [1, 2, 3, 6]) {
    const listed = await wholeList(app, key, '/catalog/v1/panels', size)
    assert.deepEqual(
      listed.map((p) => p.daily_output_kwh).toReversed(),
      [1.01, 2.001, 3.03, 0, 5.001, 6.01],
      `${size} a page`,
    )
  }
  const first = (await app.get(`/catalog/v1/panels/${ids[2]}`, key)).body
  assert.equal(first.daily_output_kwh, 3.03)
})

test('invoices: totals and pages follow every change of status', async () => {
  for (const { key } of [installer, dealer]) {
    const ids: string[] = []
    for (let i = 0; i < 9; i++) ids.push((await post(app, key, '', draftBody)).body.id)
    for (const id of ids.slice(0, 6)) await post(app, key, `/${id}/finalize`)
    for (const id of ids.slice(0, 2)) await post(app, key, `/${id}/pay`)
    await post(app, key, `/${ids[2]}/pay`, { amount: 1 })
    await post(app, key, `/${ids[3]}/void`)
    await app.call('DELETE', `${invoicesPath}/${ids[8]}`, { key })
    await app.call('PATCH', `${invoicesPath}/${ids[7]}`, { key, body: { currency: 'EUR' } })
  }
  await countsAreRight()
  for (const [{ key }, times] of [
    [installer, 2],
    [dealer, 1],
  ] as const) {
    const all = await wholeList(app, key, invoicesPath, 3)
    assert.equal(all.length, 8 * times)
    assert.deepEqual(
      all.map(({ id }) => id),
      all
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
    for (const status of invoiceStatuses) {
      const some = await wholeList(app, key, `${invoicesPath}?status=${status}`, 2)
      assert.deepEqual(
        some,
        all.filter((invoice) => invoice.status === status),
      )
      assert.ok(some.length > 0)
    }
  }
})

test('alerts: totals and pages follow every change, and a list reads as one alert does', async () => {
  const path = '/catalog/v1/monitoring/alerts'
  const fleet = simulateFleet({ seed: 7, panels: 150, days: 40, faulty: 0.3 })
  const half = Math.ceil(fleet.sites.length / 2)
  await store(app.database, installer.company, fleet.sites.slice(0, half))
  await store(app.database, dealer.company, fleet.sites.slice(half))
  for (const day of [18, 24, 30, 36]) await findAlerts(db, installer.company.id, fleet.at(day, 12))
  const found = await wholeList(app, installer.key, path)
  for (const [i, { id }] of found.entries()) {
    if (i % 3 === 0) await app.call('POST', `${path}/${id}/acknowledge`, { key: installer.key })
    if (i % 4 === 0) {
      const { status, body } = await app.call('POST', `${path}/${id}/resolve`, { key: installer.key })
      const listed = (await wholeList(app, installer.key, path)).find((alert) => alert.id === id)
      if (status === 200) assert.deepEqual(listed, body)
    }
  }
  assert.deepEqual(
    (await listWrongCounts(db, installer.company.id, false)).filter(({ what }) => what.startsWith('alert')),
    [],
  )
  for (const { key } of [installer, dealer]) {
    const all = await wholeList(app, key, path)
    assert.ok(all.length > 10)
    const order = all.map(({ triggered_at, id }) => `${triggered_at} ${id}`)
    assert.deepEqual(order, order.toSorted().toReversed())
    const listed = async (filters: Record<string, string>) => {
      const asked = new URLSearchParams(Object.entries(filters).filter(([, value]) => value))
      assert.deepEqual(
        await wholeList(app, key, `${path}?${asked}`, 3),
        all.filter((alert) => [...asked].every(([field, value]) => alert[field] === value)),
        String(asked),
      )
    }
    for (const status of ['', ...alertStatuses]) {
      for (const severity of ['', ...severities]) await listed({ status, severity })
      for (const type of alertTypes) await listed({ status, type })
    }
    await listed({ status: 'active', severity: 'high', type: 'outage' })
  }
})
