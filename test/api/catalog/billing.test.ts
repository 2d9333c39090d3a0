import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { draftBody, invoiceIn, invoicesPath, plan, post, site } from '../../support/invoices.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other, otherDealer } = world
const { key } = installer

const patch = (id: string, body: unknown, by = key) =>
  app.call('PATCH', `${invoicesPath}/${id}`, { key: by, body })

test('a draft is answered in full, with computed amounts, and reads the same', async () => {
  const { status, body } = await post(app, key, '', {
    customer: { name: '  Ada Moreno ', email: '', address: '1 Market St' },
    currency: 'eur',
    period_start: '2026-10-01',
    period_end: '2026-10-31',
    due_date: '2026-12-24',
    line_items: [
      { description: 'Energy', quantity: 1234.567, unit: 'kWh', unit_price: 0.1185 },
      { description: 'Visit', unit_price: 1.005 },
      { description: 'Goodwill', quantity: 1, unit_price: -10 },
    ],
  })
  assert.equal(status, 201)
  const { id, created_at, updated_at, ...rest } = body
  assert.match(id, /^inv_/)
  assert.equal(updated_at, created_at)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    number: null,
    status: 'draft',
    currency: 'EUR',
    subtotal: 137.31,
    credit_applied: 0,
    amount_due: 137.31,
    amount_paid: 0,
    amount_remaining: 137.31,
    installation_id: null,
    customer: { name: 'Ada Moreno', email: null, address: '1 Market St' },
    period_start: '2026-10-01',
    period_end: '2026-10-31',
    due_date: '2026-12-24',
    line_items: [
      { description: 'Energy', quantity: 1234.567, unit: 'kWh', unit_price: 0.1185, amount: 146.3 },
      { description: 'Visit', quantity: 1, unit: 'each', unit_price: 1.005, amount: 1.01 },
      { description: 'Goodwill', quantity: 1, unit: 'each', unit_price: -10, amount: -10 },
    ],
    finalized_at: null,
    paid_at: null,
    voided_at: null,
  })
  assert.deepEqual((await app.get(`${invoicesPath}/${id}`, key)).body, body)
  const final = (await post(app, key, `/${id}/finalize`)).body
  assert.deepEqual([final.due_date, final.status], ['2026-12-24', 'open'])
})

test('an installation gives customer, company and, with a plan, currency and term', async () => {
  const home = await site(app.database, dealer)
  const line_items = [{ description: 'Visit', unit_price: 80 }]
  const bare = (await post(app, key, '', { installation_id: home, line_items })).body
  assert.deepEqual(bare.customer, {
    name: 'Moreno residence',
    email: null,
    address: '1 Market St, Denver, CO 80202',
  })
  assert.equal(bare.currency, 'USD')
  await plan(dealer, home, { currency: 'CAD', paymentTermDays: 10 })
  const { body } = await post(app, key, '', { installation_id: home, line_items })
  assert.deepEqual([body.customer.name, body.currency, body.due_date], ['Ada Moreno', 'CAD', null])
  // It is the dealer's, who sold it.
  const read = await app.get(`${invoicesPath}/${body.id}`, dealer.key)
  assert.equal(read.status, 200)
  const inTenDays = () =>
    Temporal.Now.zonedDateTimeISO('America/Denver').toPlainDate().add({ days: 10 }).toString()
  const before = inTenDays()
  const final = (await post(app, dealer.key, `/${body.id}/finalize`)).body
  assert.match(final.number, new RegExp(`^${dealer.company.number}-`))
  // Over midnight it is one of both.
  assert.ok([before, inTenDays()].includes(final.due_date), final.due_date)
})

test('what is wrong is refused with what to change, and nothing is written', async () => {
  const line = draftBody.line_items[0]!
  const foreign = await site(app.database, other)
  const sisters = await site(app.database, sister)
  const cases: [object, RegExp, string?][] = [
    [{}, /line_items is required/],
    [{ line_items: [line] }, /customer is required where there is no installation_id/],
    [{ ...draftBody, line_items: [] }, /line_items must have at least 1 item/],
    [{ ...draftBody, line_items: Array.from({ length: 501 }, () => line) }, /at most 500 items/],
    [{ ...draftBody, line_items: [{ unit_price: 1 }] }, /line_items\[0\]\.description is required/],
    [
      { ...draftBody, line_items: [{ ...line, unit_price: '1' }] },
      /line_items\[0\]\.unit_price must be a number/,
    ],
    [
      { ...draftBody, line_items: [{ ...line, quantity: 1e-7 }] },
      /line_items\[0\]\.quantity must have at most 6/,
    ],
    [{ ...draftBody, line_items: [{ ...line, amount: 5 }] }, /line_items\[0\]\.amount is not a field here/],
    [{ ...draftBody, line_items: [{ ...line, unit_price: -1 }] }, /cannot be below zero/],
    [{ ...draftBody, line_items: [{ ...line, quantity: 1e9, unit_price: 1e9 }] }, /at most 999999999\.99/],
    [{ ...draftBody, due_date: '2026-02-30' }, /due_date must be a day/],
    [{ ...draftBody, period_start: '2026-01-01' }, /send both, or neither/],
    [{ ...draftBody, period_start: '2026-01-02', period_end: '2026-01-01' }, /must not be before/],
    [{ ...draftBody, currency: 'JPY' }, /two decimal places/],
    [{ ...draftBody, currency: 'Dollar' }, /three-letter/],
    [{ ...draftBody, customer: { name: '' } }, /customer\.name must not be empty/],
    [{ ...draftBody, customer: { name: 'A', email: 'x' } }, /customer\.email must be an email/],
    [{ ...draftBody, status: 'open' }, /status is not a field here/],
    [{ ...draftBody, due_dat: '2026-01-01' }, /did you mean due_date/],
    [{ ...draftBody, installation_id: foreign }, /installation_id: there is no installation/],
    [{ ...draftBody, installation_id: 'nonsense' }, /installation_id: there is no installation/],
    [{ ...draftBody, installation_id: sisters }, /installation_id: there is no installation/, dealer.key],
  ]
  const count = async () => (await app.database.rows('select count(*) as n from invoices'))[0]!.n
  const before = await count()
  for (const [body, message, by = key] of cases) {
    const answer = await post(app, by, '', body)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, message)
  }
  assert.equal(await count(), before)
  assert.equal((await post(app, key, '', { ...draftBody, installation_id: sisters })).status, 201)
})

test('a draft can be changed, field by field; what changes nothing makes no new version', async () => {
  const id = await invoiceIn(app, key, 'draft')
  const version = async () =>
    (await app.database.rows('select version from invoices where id = $1', [id]))[0]!.version
  const lines = (await patch(id, { line_items: [{ description: 'Other', quantity: 3, unit_price: 0.335 }] }))
    .body
  assert.deepEqual([lines.amount_due, lines.customer.name], [1.01, 'Ada Moreno'])
  assert.equal(await version(), 2)
  const same = await patch(id, { line_items: [{ description: 'Other', quantity: 3, unit_price: 0.335 }] })
  assert.deepEqual([same.status, same.body, await version()], [200, lines, 2])
  assert.deepEqual((await patch(id, {})).body, lines)
  const dated = (
    await patch(id, { due_date: '2027-01-01', period_start: '2026-01-01', period_end: '2026-01-31' })
  ).body
  assert.deepEqual([dated.due_date, dated.period_end], ['2027-01-01', '2026-01-31'])
  assert.equal((await patch(id, { period_start: null })).status, 400)
  const cleared = (await patch(id, { due_date: null, period_start: null, period_end: null })).body
  assert.deepEqual([cleared.due_date, cleared.period_start], [null, null])
  assert.equal((await patch(id, { customer: { name: 'Bo' } })).body.customer.email, null)
  assert.match((await patch(id, { installation_id: 'x' })).body.error.message, /not a field here/)
  assert.match((await patch(id, { number: '1' })).body.error.message, /not a field here/)
})

test('lists: newest first, by status, page by page; a dealer sees its own', async () => {
  const before = (await app.get(`${invoicesPath}?per_page=1`, otherDealer.key)).body.meta.total
  assert.equal(before, 0)
  const made: string[] = []
  for (const state of ['draft', 'open', 'paid', 'void', 'draft'] as const) {
    made.unshift(await invoiceIn(app, otherDealer.key, state))
  }
  await invoiceIn(app, other.key, 'draft')
  const list = async (query: string, by = otherDealer.key) => {
    const { status, body } = await app.get(`${invoicesPath}${query}`, by)
    assert.equal(status, 200)
    return { ids: body.data.map((i: { id: string }) => i.id), meta: body.meta }
  }
  assert.deepEqual(await list(''), { ids: made, meta: { page: 1, per_page: 20, total: 5 } })
  assert.deepEqual((await list('?status=draft')).ids, [made[0], made[4]])
  assert.deepEqual((await list('?status=void')).ids, [made[1]])
  assert.deepEqual(await list('?page=2&per_page=2'), {
    ids: made.slice(2, 4),
    meta: { page: 2, per_page: 2, total: 5 },
  })
  assert.deepEqual((await list('?page=9')).ids, [])
  assert.equal((await list('', other.key)).meta.total, 6)
  assert.equal((await list('?status=draft', other.key)).meta.total, 3)
  for (const query of ['?status=late', '?page=0', '?per_page=101', '?page=x', '?state=open', '?page=-1']) {
    assert.equal((await app.get(`${invoicesPath}${query}`, key)).status, 400, query)
  }
})

const actions = ['finalize', 'pay', 'void']

test('foreign, sister’s, unknown, deleted and malformed ids are all the same 404', async () => {
  const id = await invoiceIn(app, dealer.key, 'open')
  const gone = await invoiceIn(app, dealer.key, 'draft')
  await app.call('DELETE', `${invoicesPath}/${gone}`, { key: dealer.key })
  const messages = new Set<string>()
  for (const [by, wanted] of [
    [other.key, id],
    [sister.key, id],
    [key, gone],
    [key, 'inv_01jcq5d8m0b6x7v2k9fz3h4t1w'],
    [key, 'nonsense'],
    [key, 'inst_01jcq5d8m0b6x7v2k9fz3h4t1w'],
    [key, '%F0%9F%98%80'],
  ] as const) {
    const answers = [
      await app.get(`${invoicesPath}/${wanted}`, by),
      await app.get(`${invoicesPath}/${wanted}.pdf`, by),
      await patch(wanted, {}, by),
      await app.call('DELETE', `${invoicesPath}/${wanted}`, { key: by }),
      ...(await Promise.all(actions.map((action) => post(app, by, `/${wanted}/${action}`)))),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 404, wanted)
      messages.add(answer.body.error.message)
    }
  }
  assert.equal(messages.size, 1)
  assert.equal((await app.get(`${invoicesPath}/${id}`, key)).body.status, 'open')
})

test('order: key, body, record, who may, state', async () => {
  const id = await invoiceIn(app, key, 'open')
  const { secret: reader } = await keyFor(world, installer, { access: 'read' })
  const { secret: elsewhere } = await keyFor(world, installer, { interfaces: ['legacy'] })
  const pay = (by: string | undefined, wanted: string, body: unknown) =>
    app.call('POST', `${invoicesPath}/${wanted}/pay`, { ...(by ? { key: by } : {}), body })
  assert.equal((await pay(undefined, 'x', { amount: 'x' })).status, 401)
  assert.equal((await pay(reader, 'x', { amount: 'x' })).status, 400)
  assert.equal((await pay(reader, 'x', { amount: 0.001 })).status, 400)
  assert.equal((await pay(reader, 'x', { amount: 0.015 })).status, 400)
  assert.equal((await pay(reader, 'inv_0000000000000', { amount: 1 })).status, 404)
  assert.equal((await pay(reader, id, { amount: 1 })).status, 403)
  assert.equal((await pay(elsewhere, id, { amount: 1 })).status, 403)
  assert.equal((await pay(key, id, { amount: 1e6 })).status, 400)
  assert.equal((await pay(reader, await invoiceIn(app, key, 'void'), {})).status, 403)
  assert.equal((await post(app, reader, '', {})).status, 400)
  assert.equal((await post(app, reader, '', draftBody)).status, 403)
  assert.equal((await patch(id, {}, reader)).status, 403)
  assert.equal((await app.call('DELETE', `${invoicesPath}/${id}`, { key: reader })).status, 403)
  assert.equal((await app.get(`${invoicesPath}/${id}`, reader)).status, 200)
  for (const action of actions) {
    assert.equal((await post(app, key, `/${id}/${action}`, { extra: 1 })).status, 400)
    assert.equal((await app.call('GET', `${invoicesPath}/${id}/${action}`, { key })).status, 404)
  }
  assert.equal((await app.call('PUT', `${invoicesPath}/${id}`, { key, body: {} })).status, 404)
})

test('an action takes no body, an empty one, or only the header that announces one', async () => {
  for (const call of [{}, { body: {} }, { headers: { 'content-type': 'application/json' } }]) {
    const id = await invoiceIn(app, key, 'draft')
    for (const action of ['finalize', 'pay']) {
      const { status, text } = await app.call('POST', `${invoicesPath}/${id}/${action}`, { key, ...call })
      assert.equal(status, 200, text)
    }
  }
  const id = await invoiceIn(app, key, 'draft')
  const headers = { 'content-type': 'application/json' }
  assert.equal((await app.call('DELETE', `${invoicesPath}/${id}`, { key, headers })).status, 204)
})
