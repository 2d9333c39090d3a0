import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDueMonths } from '../../../src/domain/billing/runs/run-month.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { made, plansPath, site } from '../../support/invoices.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const home = await site(app.database, dealer)

const at = (id = home) => `${plansPath}/${id}`
const put = (body: unknown, by = key, id = home) => app.call('PUT', at(id), { key: by, body })
const body = { kind: 'ppa', rate: 0.1185, start_date: '2026-03-15' }

test('a plan is set, read, replaced and ended', async () => {
  assert.equal((await app.get(at(), key)).status, 404)
  const first = await put(body)
  assert.equal(first.status, 201)
  const { created_at, updated_at, ...rest } = first.body
  assert.deepEqual(rest, {
    installation_id: home,
    kind: 'ppa',
    rate: 0.1185,
    escalator_percent: 0,
    start_date: '2026-03-15',
    currency: 'USD',
    customer: { name: 'Moreno residence', email: null, address: '1 Market St, Denver, CO 80202' },
    payment_term_days: 30,
    completeness_percent: 95,
    held_months: [],
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual((await app.get(at(), key)).body, first.body)
  const same = await put(body)
  assert.deepEqual([same.status, same.body], [200, first.body])
  const second = await put({
    kind: 'lease',
    rate: 99.5,
    escalator_percent: 2.9,
    start_date: '2026-04-01',
    currency: 'cad',
    customer: { name: 'Ada', email: 'ada@example.com' },
    payment_term_days: 14,
  })
  assert.equal(second.status, 200)
  assert.deepEqual(
    [second.body.kind, second.body.currency, second.body.customer.name, second.body.created_at],
    ['lease', 'CAD', 'Ada', created_at],
  )
  assert.ok(second.body.updated_at > updated_at)
  assert.equal((await app.call('DELETE', at(), { key })).status, 204)
  assert.equal((await app.call('DELETE', at(), { key })).status, 404)
  assert.equal((await app.get(at(), key)).status, 404)
})

test('what is wrong is refused with what to change', async () => {
  const cases: [object, RegExp][] = [
    [{}, /kind is required; rate is required; start_date is required/],
    [{ ...body, kind: 'loan' }, /kind must be one of ppa, lease/],
    [{ ...body, rate: -1 }, /rate must be a number from 0/],
    [{ ...body, rate: 0.1234567 }, /rate must have at most 6/],
    [{ ...body, kind: 'lease', rate: 99.555 }, /rate must have at most 2/],
    [{ ...body, escalator_percent: 51 }, /escalator_percent must be a number from -50 to 50/],
    [{ ...body, escalator_percent: 0.00001 }, /escalator_percent must have at most 4/],
    [{ ...body, start_date: '2026-02-29' }, /start_date must be a day/],
    [{ ...body, currency: 'JPY' }, /two decimal places/],
    [{ ...body, payment_term_days: 1.5 }, /payment_term_days must be a whole number/],
    [{ ...body, customer: {} }, /customer\.name is required/],
    [{ ...body, escalator: 1 }, /escalator is not a field here/],
  ]
  for (const [wrong, message] of cases) {
    const answer = await put(wrong)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, message)
  }
})

test('who may: the installer and the company of the installation; all others find nothing', async () => {
  assert.equal((await put(body, dealer.key)).status, 201)
  const unknown = 'inst_01jcq5d8m0b6x7v2k9fz3h4t1w'
  for (const [by, id] of [
    [other.key, home],
    [sister.key, home],
    [key, unknown],
    [key, 'nonsense'],
  ] as const) {
    assert.equal((await put(body, by, id)).status, 404)
    assert.equal((await app.get(at(id), by)).status, 404)
    assert.equal((await app.call('DELETE', at(id), { key: by })).status, 404)
    assert.equal((await put({}, by, id)).status, 400)
  }
  assert.equal((await app.get(at(), dealer.key)).status, 200)
  const { secret: reader } = await keyFor(world, installer, { access: 'read' })
  assert.equal((await put(body, reader)).status, 403)
  assert.equal((await put(body, reader, unknown)).status, 404)
  assert.equal((await app.call('DELETE', at(), { key: reader })).status, 403)
  assert.equal((await app.call('PUT', at(), { body })).status, 401)
  assert.equal((await app.call('GET', at())).status, 401)
})

test('months that are held back are shown with why, and gone when they are billed', async () => {
  const mine = await site(app.database, installer)
  await put({ ...body, start_date: '2026-01-01' }, key, mine)
  await app.database.rows(`update billing_plans set created_at = '2026-09-10' where installation_id = $1`, [
    mine,
  ])
  await made(app.database, installer, mine, '2026-09-01', '2026-09-27', 10)
  await runDueMonths(app.database.db, new Date('2026-10-02T00:00:00Z'))
  const [month, ...others] = (await app.get(at(mine), key)).body.held_months
  assert.deepEqual([month.month, others], ['2026-09', []])
  assert.match(month.reason, /^[\d.]+% of the daylight readings received, 95% needed; Roof sent/)
  await made(app.database, installer, mine, '2026-09-28', '2026-09-30', 10)
  await runDueMonths(app.database.db, new Date('2026-10-02T00:00:00Z'))
  assert.deepEqual((await app.get(at(mine), key)).body.held_months, [])
  const { data } = (await app.get('/catalog/v1/billing/invoices?status=draft', key)).body
  assert.deepEqual([data[0].installation_id, data[0].amount_due], [mine, 35.55])
})
