import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { address, createWorld, lead } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'
import { stock } from '../../support/stock.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const keys = await lesserKeys(world)
const { panel, inverter, battery, retired, guard, thermostat, roof, permit } = await stock(installer)

const system = { panels: { id: panel.id, count: 22 }, inverters: { id: inverter.id, count: 22 } }
const contract = { price: 26_609, signedAt: '2026-01-31' }
const sale = { contract, financing: { type: 'cash' }, system }
const sell = (id: string, body: unknown = sale, by = key) =>
  app.call('POST', `/v1/leads/${id}/sale`, { key: by, body })
const projectsOf = (id: string) => rows('select id from projects where lead_id = $1', [id])

test('a solar lead becomes a project, as the console makes it', async () => {
  const id = await lead(dealer, { address: { ...address, state: 'CA' } })
  const { status, body } = await sell(
    id,
    {
      contract: { price: 31_000.5, signedAt: '2026-01-31T23:30:00-07:00' },
      financing: {
        type: 'loan',
        lender: 'Harbor Credit',
        aprPercent: 6.99,
        termMonths: 240,
        dealerFeePercent: null,
      },
      system: {
        ...system,
        batteries: { id: battery.id, count: 1 },
        adders: [{ id: guard.id }, { id: thermostat.id, quantity: 2 }],
        pricePerWatt: { base: 2.95 },
        annualConsumptionKwh: 11_000,
      },
      notes: 'Gate code 4410',
    },
    dealer.key,
  )
  assert.equal(status, 201)
  const read = (await app.get(`/v1/projects/${body.id}`, dealer.key)).body
  assert.deepEqual(body, read)
  assert.deepEqual(
    [
      read.leadId,
      read.stage.name,
      read.contract.price,
      read.contract.signedAt,
      read.milestones,
      read.notes.project,
    ],
    [id, 'Sold', 31_000.5, '2026-02-01T06:30:00.000Z', { contractSigned: '2026-01-31' }, 'Gate code 4410'],
  )
  assert.deepEqual(
    [read.financing.type, read.financing.amount, read.financing.termMonths],
    ['loan', 31_000.5, 240],
  )
  assert.ok(read.financing.monthlyPayment > 200)
  assert.deepEqual(
    [
      read.system.sizeKw,
      read.system.panels.count,
      read.system.batteries.model,
      read.system.pricePerWatt.base,
    ],
    [9.02, 22, 'Cellar 10', 2.95],
  )
  assert.ok(read.system.annualProductionKwh > 10_000)
  assert.deepEqual(
    read.system.adders.map((a: { name: string; quantity: number }) => [a.name, a.quantity]),
    [
      [guard.name, 22],
      ['Thermostat', 2],
    ],
  )
  const sold = (await app.get(`/v1/leads/${id}`, key)).body
  assert.deepEqual([sold.status, sold.project.id], ['sold', body.id])
  const events = await rows<{ type: string }>(
    'select type from events where lead_id = $1 order by at, ordinal',
    [id],
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['lead.created', 'lead.updated', 'project.created'],
  )
  const [first] = (await app.get(`/v1/leads/${id}/activities`, key)).body.data
  assert.deepEqual([first.type, first.author], ['projectCreated', 'Bright Doors CRM'])
  // What the read answers is taken back: nothing changes.
  const echo = await app.call('PATCH', `/v1/projects/${body.id}`, {
    key,
    body: { milestones: read.milestones },
  })
  assert.deepEqual(echo.body, { changed: false })
})

test('a home-improvement lead is sold with products', async () => {
  const id = await lead(installer, { productLine: 'hi' })
  const { status, body } = await sell(id, {
    contract: { price: 18_900, signedAt: '2026-02-11' },
    financing: { type: 'lease', termMonths: 120, monthlyPayment: 199.99, escalatorPercent: 2.9 },
    products: [
      { id: roof.id, quantity: 12 },
      { id: permit.id, quantity: 1 },
    ],
  })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body.productLine, body.system, body.products.length], ['hi', null, 2])
  assert.deepEqual([body.contract.price, body.financing.monthlyPayment], [18_900, 199.99])
})

test('a lead that is sold answers 200 with its project, however often and whatever is sent', async () => {
  const id = await lead(dealer)
  const all = await Promise.all(Array.from({ length: 10 }, () => sell(id, sale, dealer.key)))
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [...Array(9).fill(200), 201])
  assert.equal(new Set(all.map(({ body }) => body.id)).size, 1)
  const otherwise = await sell(id, { ...sale, contract: { ...contract, price: 1 } })
  assert.deepEqual([otherwise.status, otherwise.body.contract.price], [200, 26_609])
  assert.equal((await projectsOf(id)).length, 1)
})

test('sent again by its key, the first answer comes again', async () => {
  const id = await lead(dealer)
  const send = () =>
    app.call('POST', `/v1/leads/${id}/sale`, { key, body: sale, headers: { 'idempotency-key': 'sale-1' } })
  const [first, again] = [await send(), await send()]
  assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
  assert.equal(again.headers['idempotency-replayed'], 'true')
  const note = () =>
    app.call('POST', `/v1/leads/${id}/activity`, {
      key,
      body: { body: 'Called' },
      headers: { 'idempotency-key': 'note-1' },
    })
  const [written, repeated] = [await note(), await note()]
  assert.deepEqual([written.status, repeated.status, repeated.text], [201, 201, written.text])
})

test('a lead that has changed since it was read is not sold', async () => {
  const id = await lead(dealer)
  const { headers } = await app.get(`/v1/leads/${id}`, key)
  const send = (etag: string) =>
    app.call('POST', `/v1/leads/${id}/sale`, { key, body: sale, headers: { 'if-match': etag } })
  await app.call('PATCH', `/v1/leads/${id}`, { key, body: { status: 'contacted' } })
  assert.equal((await send(headers['etag']!)).status, 412)
  assert.equal((await projectsOf(id)).length, 0)
  assert.equal((await send((await app.get(`/v1/leads/${id}`, key)).headers['etag']!)).status, 201)
})

describe('what cannot be sold', () => {
  const wrong: [string, object, RegExp][] = [
    ['no contract', { financing: sale.financing, system }, /contract is required/],
    ['no system', { contract, financing: sale.financing }, /^system: this is a solar lead/],
    [
      'products',
      { ...sale, system: undefined, products: [{ id: roof.id, quantity: 1 }] },
      /^system: this is a solar lead/,
    ],
    [
      'unknown panel',
      { ...sale, system: { ...system, panels: { id: 'eqp_x', count: 1 } } },
      /^system\.panels\.id: there is no active panel/,
    ],
    [
      'retired panel',
      { ...sale, system: { ...system, panels: { id: retired.id, count: 1 } } },
      /^system\.panels\.id/,
    ],
    [
      'unknown adder',
      { ...sale, system: { ...system, adders: [{ id: 'x' }] } },
      /^system\.adders: there is no active solar adder/,
    ],
    [
      'a loan without APR',
      { ...sale, financing: { type: 'loan', termMonths: 12 } },
      /^financing\.aprPercent: a loan needs it/,
    ],
    [
      'a PPA without rate',
      { ...sale, financing: { type: 'ppa', termMonths: 12 } },
      /^financing\.rate: a PPA needs it/,
    ],
    [
      'tomorrow',
      { ...sale, contract: { ...contract, signedAt: '2999-01-01' } },
      /^contract\.signedAt must be a day that has come/,
    ],
    [
      'long ago',
      { ...sale, contract: { ...contract, signedAt: '1999-12-31T00:00:00Z' } },
      /^contract\.signedAt must be a day that has come/,
    ],
    [
      'no day',
      { ...sale, contract: { ...contract, signedAt: '2026-02-30' } },
      /^contract\.signedAt must be a day as YYYY-MM-DD, or/,
    ],
    [
      'no zone',
      { ...sale, contract: { ...contract, signedAt: '2026-02-03T10:00:00' } },
      /^contract\.signedAt must be a day as/,
    ],
    [
      'fractions of cents',
      { ...sale, contract: { ...contract, price: 10.001 } },
      /^contract\.price must have at most 2 decimal places/,
    ],
    ['less than nothing', { ...sale, contract: { ...contract, price: -1 } }, /^contract\.price must be/],
    ['too much', { ...sale, contract: { ...contract, price: 1e15 } }, /^contract\.price must be/],
    [
      'price as text',
      { ...sale, contract: { ...contract, price: '1' } },
      /^contract\.price must be a number/,
    ],
    [
      'no panels',
      { ...sale, system: { ...system, panels: { id: panel.id, count: 0 } } },
      /^system\.panels\.count/,
    ],
    [
      'half a panel',
      { ...sale, system: { ...system, panels: { id: panel.id, count: 1.5 } } },
      /^system\.panels\.count/,
    ],
    ['unknown field', { ...sale, price: 3 }, /^price is not a field here/],
  ]
  for (const [name, body, message] of wrong) {
    test(name, async () => {
      const id = await lead(installer)
      const answer = await sell(id, body)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error.message, message)
      assert.equal((await projectsOf(id)).length, 0)
      assert.equal((await app.get(`/v1/leads/${id}`, key)).body.status, 'new')
    })
  }

  test('a house in a place without an estimate needs one', async () => {
    const id = await lead(installer, { address: { ...address, country: 'BR', state: 'Bahia' } })
    const answer = await sell(id)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, /^system\.annualProductionKwh is required/)
    const sold = await sell(id, { ...sale, system: { ...system, annualProductionKwh: 14_000.25 } })
    assert.deepEqual([sold.status, sold.body.system.annualProductionKwh], [201, 14_000.25])
  })

  test('an erased customer', async () => {
    const id = await lead(dealer)
    await erase(app, installer, id)
    const answer = await sell(id)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, /was erased/)
  })
})

test('who may', async () => {
  const path = async (of = dealer) => `/v1/leads/${await lead(of)}/sale`
  await assertStatuses(app, [
    ['dealer', dealer.key, 'POST', await path(), sale, 201],
    ['its installer', key, 'POST', await path(), sale, 201],
    ['a sister', sister.key, 'POST', await path(), sale, 404],
    ['foreign', key, 'POST', await path(other), sale, 404],
    ['foreign catalogue', other.key, 'POST', await path(other), sale, 400],
    ['reader', keys.readOnly, 'POST', await path(), sale, 403],
    ['reader of what is not there', keys.readOnly, 'POST', '/v1/leads/lead_0000000000/sale', sale, 404],
    ['other interface', keys.catalogOnly, 'POST', await path(), sale, 403],
    ['nobody', keys.nobody, 'POST', await path(), sale, 401],
    ['suspended', keys.suspended, 'POST', await path(), sale, 401],
  ])
})
