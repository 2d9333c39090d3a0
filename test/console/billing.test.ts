import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { countAgain } from '../../src/domain/operations/checks/count-again.ts'
import { type App, startApp } from '../support/app.ts'
import { clockMoved } from '../support/clock-watch.ts'
import { createWorld, type World } from '../support/factories.ts'
import { invoiceIn, invoicesPath, made, plan, plansPath, site } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let manager: Client
let dealer: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  manager = await signedIn(app, await addPerson(app, world.installer.company.id, 'manager', 'Mara Manager'))
  dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'owner', 'Dora Dealer'))
})

const post = (client: Client, path: string, body: object) => client.call('POST', path, { body })
const draft = (state: 'draft' | 'open' = 'draft') => invoiceIn(app, world.installer.key, state)
const overApi = async (id: string) =>
  (await app.send('GET', `${invoicesPath}/${id}`, { key: world.installer.key })).body
const planBody = {
  kind: 'ppa',
  rate: '0.13',
  escalatorPercent: '2.9',
  startDate: '2026-01-01',
  currency: 'USD',
  customer: { name: 'Ada Moreno', email: 'ada@example.com', address: null },
  paymentTermDays: 14,
}

/** Asks until the run is done. */
async function done(client: Client, id: string) {
  for (;;) {
    const { body } = await client.get(`/billing/runs/${id}`)
    if (body.run.state === 'done') return body
  }
}

describe('invoices', () => {
  test('a draft is changed, finalised and paid, to the cent', async () => {
    const id = await draft()
    const path = `/billing/invoices/${id}`
    const lineItems = [
      { description: 'Energy', quantity: '1125.123456', unit: 'kWh', unitPrice: '0.13' },
      { description: 'Credit', quantity: '1', unit: 'each', unitPrice: '-0.10' },
    ]
    const changed = await manager.call('PATCH', path, {
      body: { version: 1, dueDate: '2027-01-31', lineItems },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual([changed.body.amountDue, changed.body.version, changed.body.edited], ['146.17', 2, true])
    const open = await post(manager, `${path}/finalize`, { version: 2 })
    assert.equal(open.status, 200, open.text)
    assert.equal(open.body.status, 'open')
    assert.match(open.body.number, /^\d+-\d{6}$/)
    const part = await post(manager, `${path}/pay`, { version: 3, amount: '46.17' })
    assert.deepEqual([part.body.status, part.body.amountRemaining], ['open', '100.00'])
    const paid = await post(manager, `${path}/pay`, { version: 4, amount: '100' })
    assert.equal(paid.body.status, 'paid')
    assert.deepEqual(
      paid.body.payments.map(({ amount, by }: { amount: string; by: string }) => [amount, by]),
      [
        ['46.17', 'Mara Manager'],
        ['100.00', 'Mara Manager'],
      ],
    )
    assert.deepEqual([(await overApi(id)).status, (await overApi(id)).amount_due], ['paid', 146.17])
  })

  test('is refused in its present state, and when somebody saw another version', async () => {
    const id = await draft('open')
    const path = `/billing/invoices/${id}`
    const refused = async (answer: Promise<{ status: number; body: { message: string } }>, words: RegExp) => {
      const { status, body } = await answer
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), words)
    }
    await refused(post(manager, `${path}/finalize`, { version: 2 }), /This invoice is open/)
    await refused(post(manager, `${path}/delete`, { version: 2 }), /This invoice is open/)
    await refused(post(manager, `${path}/pay`, { version: 1, amount: '1' }), /in the meantime/)
    await refused(post(manager, `${path}/pay`, { version: 2, amount: '136.51' }), /136.50 USD remain/)
    assert.equal((await post(manager, `${path}/void`, { version: 2 })).body.status, 'void')
    await refused(post(manager, `${path}/pay`, { version: 3, amount: '1' }), /This invoice is void/)
  })

  test('bad input says what to change, and is never an error of ours', async () => {
    const id = await draft()
    const line = { description: 'Energy', quantity: '1', unit: 'kWh', unitPrice: '1' }
    const bodies = [
      {},
      { version: 1, lineItems: [] },
      { version: 1, lineItems: [{ ...line, quantity: '1e9' }] },
      { version: 1, lineItems: [{ ...line, quantity: '0.1234567' }] },
      { version: 1, lineItems: [{ ...line, quantity: '999999999', unitPrice: '999999999' }] },
      { version: 1, lineItems: [{ ...line, unitPrice: '-1' }] },
      { version: 1, lineItems: [{ ...line, description: 'a\u0000b' }] },
      { version: 1, dueDate: '2026-02-30' },
      { version: 1, number: '1' },
      { version: 1, customer: { name: '', email: null, address: null } },
    ]
    for (const body of bodies) {
      const { status, text } = await manager.call('PATCH', `/billing/invoices/${id}`, { body })
      assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`)
    }
    for (const amount of ['0', '0.00', '-1', '1.234', '1e3', '', 5, '12345678901'])
      assert.equal((await post(manager, `/billing/invoices/${id}/pay`, { version: 1, amount })).status, 400)
    for (const query of ['status=lost', 'month=2026-13', 'after=x', 'limit=0', 'limit=101', 'search=%00'])
      assert.equal((await manager.get(`/billing/invoices?${query}`)).status, 400, query)
  })

  test('the list is narrowed by status, words, month and installation, and goes on by key', async () => {
    const home = await site(app.database, world.installer, { name: 'Lindqvist residence' })
    const of = (name: string, more: object = {}) =>
      invoiceIn(app, world.installer.key, 'open', {
        installation_id: home,
        customer: { name, email: 'lina@example.com' },
        line_items: [{ description: 'Cleaning', unit_price: 10 }],
        ...more,
      })
    const may = await of('Lina Lindqvist', { period_start: '2026-05-03', period_end: '2026-05-31' })
    const june = await of('Lina Lindqvist', { period_start: '2026-06-01', period_end: '2026-06-30' })
    const { number } = await overApi(june)
    const ids = async (query: string) =>
      (await manager.get(`/billing/invoices?${query}`)).body.invoices.map(({ id }: { id: string }) => id)
    assert.deepEqual(await ids('search=lina%20lindq'), [june, may])
    assert.deepEqual(await ids(`search=${number}`), [june])
    assert.deepEqual(await ids('search=lindqvist&month=2026-05'), [may])
    assert.deepEqual(await ids('search=lindqvist&status=paid'), [])
    assert.deepEqual(await ids(`installation=${home}&status=open`), [june, may])
    const first = (await manager.get(`/billing/invoices?installation=${home}&limit=1`)).body
    assert.deepEqual(
      [first.invoices[0].id, first.invoices[0].installation.name],
      [june, 'Lindqvist residence'],
    )
    assert.deepEqual(await ids(`installation=${home}&limit=1&after=${first.next}`), [may])
    assert.deepEqual((await dealer.get('/billing/invoices?search=lindqvist')).body.invoices, [])
  })

  test('the sums are those of what the reader sees', async () => {
    const before = (await dealer.get('/billing/summary')).body
    assert.deepEqual(before.sums, [])
    const late = await invoiceIn(app, world.dealer.key, 'draft')
    await app.send('PATCH', `${invoicesPath}/${late}`, {
      key: world.dealer.key,
      body: { due_date: '2026-01-01' },
    })
    await post(dealer, `/billing/invoices/${late}/finalize`, { version: 2 })
    await post(dealer, `/billing/invoices/${late}/pay`, { version: 3, amount: '36.5' })
    await invoiceIn(app, world.dealer.key, 'void')
    const { sums, lastMonth } = (await dealer.get('/billing/summary')).body
    assert.deepEqual(sums, [
      { status: 'open', currency: 'USD', invoices: 1, due: '136.50', paid: '36.50', overdue: 1 },
      { status: 'void', currency: 'USD', invoices: 1, due: '136.50', paid: '0.00', overdue: 0 },
    ])
    assert.match(lastMonth, /^\d{4}-\d{2}$/)

    // As a version before writes: what is kept is not gone by, until it is counted again.
    const { db, rows } = app.database
    await rows(`update invoice_sums set invoices = 2 where company_id = $1 and status = 'open' and due > 0`, [
      world.dealer.company.id,
    ])
    const shown = async () => (await dealer.get('/billing/summary')).body.sums
    assert.equal((await shown())[0].invoices, 2)
    await rows(clockMoved, [world.installer.company.id])
    assert.deepEqual(await shown(), sums)
    await countAgain(db, AbortSignal.timeout(10_000))
    assert.deepEqual(await shown(), sums)
    await post(dealer, `/billing/invoices/${late}/pay`, { version: 4, amount: '100' })
    assert.deepEqual((await shown())[0], {
      ...{ status: 'paid', currency: 'USD', invoices: 1, due: '136.50', paid: '136.50', overdue: 0 },
    })
    // The days on which nothing is due any more go.
    await countAgain(db, AbortSignal.timeout(10_000))
    assert.deepEqual(await rows('select from invoice_sums where invoices = 0'), [])
  })

  test('the PDF opens in the page, guarded, or is taken along', async () => {
    const id = await draft('open')
    const inline = await manager.get(`/billing/invoices/${id}/pdf`)
    assert.equal(inline.status, 200)
    assert.ok(inline.text.startsWith('%PDF-'))
    const { headers } = inline
    assert.deepEqual(
      [headers['content-type'], headers['x-content-type-options'], headers['cache-control']],
      ['application/pdf', 'nosniff', 'no-store'],
    )
    assert.match(String(headers['content-disposition']), /^inline; filename="invoice-\d+-\d{6}\.pdf"$/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    const taken = await manager.get(`/billing/invoices/${id}/pdf?download=yes`)
    assert.match(String(taken.headers['content-disposition']), /^attachment/)
  })
})

describe('plans and the monthly run', () => {
  test('a plan is set, changed and ended, as the API reads it and the log tells', async () => {
    const home = await site(app.database, world.installer, { name: 'Quist residence' })
    const path = `/billing/plans/${home}`
    const listed = async (state: string) =>
      (await manager.get(`/billing/plans?search=quist&state=${state}`)).body.installations
    assert.equal((await listed('without')).length, 1)
    assert.equal((await manager.call('PUT', path, { body: planBody })).status, 200)
    const [{ plan: shown }] = await listed('with')
    assert.deepEqual(shown, { ...planBody, completenessPercent: '95', endedAt: null })
    const read = await app.send('GET', `${plansPath}/${home}`, { key: world.installer.key })
    assert.equal(read.body.rate, 0.13)
    await manager.call('PUT', path, { body: { ...planBody, rate: '0.14' } })
    assert.equal((await manager.call('DELETE', path)).status, 200)
    assert.equal((await manager.call('DELETE', path)).status, 404)
    assert.deepEqual([(await listed('with')).length, (await listed('ended')).length], [0, 1])
    const logged = await app.database.rows(
      `select type, changes->'rate' as rate from events where subject_id = $1 order by at, ordinal`,
      [home],
    )
    assert.deepEqual(
      logged.map(({ type, rate }) => [type, rate]),
      [
        ['plan.set', [null, '0.13']],
        ['plan.changed', ['0.13', '0.14']],
        ['plan.ended', null],
      ],
    )
  })

  test('refuses a plan that cannot be', async () => {
    const home = await site(app.database, world.installer)
    const bad = [
      { rate: '-1' },
      { rate: '0.1234567' },
      { kind: 'lease', rate: '1.234' },
      { escalatorPercent: '51' },
      { currency: 'JPY' },
      { startDate: 'soon' },
      { paymentTermDays: 366 },
    ]
    for (const part of bad) {
      const { status, text } = await manager.call('PUT', `/billing/plans/${home}`, {
        body: { ...planBody, ...part },
      })
      assert.equal(status, 400, `${JSON.stringify(part)}: ${text}`)
    }
  })

  test('a run bills what it can, says what it holds and why, and nothing twice', async () => {
    const [full, gaps, late] = [
      await site(app.database, world.dealer, { name: 'A full month' }),
      await site(app.database, world.dealer, { name: 'B with gaps' }),
      await site(app.database, world.dealer, { name: 'C begins later' }),
    ]
    await plan(world.dealer, full)
    await plan(world.dealer, gaps)
    await plan(world.dealer, late, { startDate: '2026-06-01' })
    await made(app.database, world.dealer, full, '2026-03-01', '2026-03-31', 10)
    await made(app.database, world.dealer, gaps, '2026-03-01', '2026-03-29', 10)
    const ordered = await post(dealer, '/billing/runs', { month: '2026-03' })
    assert.equal(ordered.status, 200, ordered.text)
    const { counts, outcomes } = await done(dealer, ordered.body.id)
    assert.deepEqual(counts, { drafted: 1, held: 1, skipped: 1 })
    const told = Object.fromEntries(
      outcomes.map((one: { installationId: string }) => [one.installationId, one]),
    )
    assert.deepEqual([told[full].outcome, told[full].amountDue], ['drafted', '37.20'])
    assert.match(told[gaps].detail, /^9\d\.\d+% of the daylight readings received/)
    assert.equal(told[late].detail, 'the plan starts on Jun 1, 2026')
    const held = (await dealer.get('/billing/unbilled')).body.months
    assert.deepEqual(
      held.map(({ installationId, month, state }: Record<string, string>) => [installationId, month, state]),
      [[gaps, '2026-03-01', 'held']],
    )
    assert.deepEqual((await dealer.get('/billing/summary')).body.unbilled, { count: 1, orMore: false })
    const only = (await dealer.get(`/billing/runs/${ordered.body.id}?outcome=held`)).body.outcomes
    assert.equal(only.length, 1)
    const again = await post(dealer, '/billing/runs', { month: '2026-03' })
    assert.deepEqual((await done(dealer, again.body.id)).counts, { unchanged: 1, held: 1, skipped: 1 })
    await post(dealer, `/billing/invoices/${told[full].invoiceId}/finalize`, { version: 1 })
    const third = await post(dealer, '/billing/runs', { month: '2026-03' })
    assert.deepEqual((await done(dealer, third.body.id)).counts, { billed: 1, held: 1, skipped: 1 })
    assert.equal((await dealer.get('/billing/runs')).body.runs[0].actorName, 'Dora Dealer')
    assert.ok((await manager.get('/billing/unbilled')).body.months.length > 0, 'the installer sees it too')
  })

  test('a month that has not ended is refused', async () => {
    for (const month of ['2999-01', '2026-1', '2026-00', 'now'])
      assert.equal((await post(manager, '/billing/runs', { month })).status, 400, month)
  })
})
