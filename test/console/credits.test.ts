import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, type World } from '../support/factories.ts'
import { draftBody, invoiceIn } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let manager: Client
let colleague: Client

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  manager = await signedIn(app, await addPerson(app, world.installer.company.id, 'manager', 'Mara Manager'))
  colleague = await signedIn(app, await addPerson(app, world.installer.company.id, 'admin', 'Abe Admin'))
})

const post = (client: Client, path: string, body: object, key?: string) =>
  client.call('POST', path, { body, ...(key ? { headers: { 'idempotency-key': key } } : {}) })
const transfer = { method: 'check', reference: '1042', on: '2026-02-03' }
let made = 0
const open = (more: object = {}) =>
  invoiceIn(app, world.installer.key, 'open', {
    ...draftBody,
    customer: { name: `Customer ${++made}`, email: `c${made}@example.com` },
    ...more,
  })

test('a payment is recorded with method, number and day; the same form sent twice is one payment', async () => {
  const path = `/billing/invoices/${await open()}`
  const form = { version: 2, amount: '36.50', ...transfer }
  const both = await Promise.all([1, 2].map(() => post(manager, `${path}/pay`, form, 'form-0001')))
  for (const { status, body } of both) assert.deepEqual([status, body.amountPaid], [200, '36.50'])
  const { payments } = (await manager.get(path)).body
  assert.equal(payments.length, 1)
  const { amount, method, reference, on, by } = payments[0]
  assert.deepEqual(
    [amount, method, reference, on, by],
    ['36.50', 'check', '1042', '2026-02-03', 'Mara Manager'],
  )
})

test('two clerks at once: the second is told, and nothing is paid twice', async () => {
  const path = `/billing/invoices/${await open()}`
  const [one, two] = await Promise.all([
    post(manager, `${path}/pay`, { version: 2, amount: '136.50', ...transfer }, 'clerk-001'),
    post(colleague, `${path}/pay`, { version: 2, amount: '136.50', ...transfer }, 'clerk-002'),
  ])
  assert.deepEqual([one.status, two.status].sort(), [200, 400])
  assert.equal((await manager.get(path)).body.payments.length, 1)
})

test('voiding says what became of what was paid; the credit is listed, used and refunded', async () => {
  const id = await open()
  const path = `/billing/invoices/${id}`
  await post(manager, `${path}/pay`, { version: 2, amount: '40', ...transfer })
  const stale = await post(manager, `${path}/void`, { version: 2 })
  assert.match(JSON.stringify(stale.body), /in the meantime/)
  const voided = (await post(manager, `${path}/void`, { version: 3 })).body
  assert.deepEqual([voided.status, voided.amountPaid, voided.amountRemaining], ['void', '40.00', '0.00'])
  assert.deepEqual([voided.credit.amount, voided.credit.remaining], ['40.00', '40.00'])
  const name = voided.customer.name
  const listed = async (query: string) =>
    (await manager.get(`/billing/credits?${query}search=${encodeURIComponent(name)}`)).body.credits
  const [credit] = await listed('')
  assert.deepEqual([credit.id, credit.number, credit.remaining], [voided.credit.id, voided.number, '40.00'])
  assert.deepEqual((await manager.get('/billing/summary')).body.credits, [
    { currency: 'USD', remaining: '40.00' },
  ])

  const draft = await invoiceIn(app, world.installer.key, 'draft', {
    customer: voided.customer,
    line_items: [{ description: 'Visit', unit_price: 15 }],
  })
  const read = (await manager.get(`/billing/invoices/${draft}`)).body
  assert.deepEqual([read.subtotal, read.creditApplied, read.amountDue], ['15.00', '15.00', '0.00'])
  assert.deepEqual(
    read.uses.map((use: Record<string, string>) => [use['invoiceId'], use['number'], use['amount']]),
    [[id, voided.number, '15.00']],
  )
  const [used] = await listed('')
  assert.deepEqual(
    [used.remaining, used.uses],
    ['25.00', [{ invoiceId: draft, number: null, amount: '15.00' }]],
  )
  const refund = (body: object, key?: string) =>
    post(manager, `/billing/credits/${credit.id}/refund`, { ...transfer, ...body }, key)
  const old = await refund({ version: credit.version, amount: '25' })
  assert.match(JSON.stringify(old.body), /in the meantime/)
  assert.equal((await refund({ version: used.version, amount: '25.01' })).status, 400)
  const form = { version: used.version, amount: '25' }
  const both = await Promise.all([refund(form, 'refund-001'), refund(form, 'refund-001')])
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await listed(''), [])
  const [done] = await listed('state=all&')
  assert.deepEqual([done.refunded, done.refunds.length, done.refunds[0].by], ['25.00', 1, 'Mara Manager'])
})

test('a refund with the voiding is recorded at once', async () => {
  const path = `/billing/invoices/${await open()}`
  await post(manager, `${path}/pay`, { version: 2, amount: '40' })
  const voided = (await post(manager, `${path}/void`, { version: 3, refund: transfer })).body
  assert.deepEqual([voided.credit.refunded, voided.credit.remaining], ['40.00', '0.00'])
})

test('bad input says what to change, and is never an error of ours', async () => {
  const path = `/billing/invoices/${await open()}`
  const bad = [
    { on: '2999-01-01' },
    { on: 'soon' },
    { method: 'gold' },
    { reference: 5 },
    { reference: 'x'.repeat(201) },
    { key: 'form-0001' },
    { paid: true },
  ]
  for (const part of bad) {
    const { status, text } = await post(manager, `${path}/pay`, {
      version: 2,
      amount: '1',
      ...transfer,
      ...part,
    })
    assert.equal(status, 400, `${JSON.stringify(part)}: ${text}`)
  }
  for (const body of [
    { version: 2, refund: {} },
    { version: 2, refund: { ...transfer, on: '2999-01-01' } },
  ])
    assert.equal((await post(manager, `${path}/void`, body)).status, 400, JSON.stringify(body))
  for (const query of ['state=some', 'after=x', 'limit=0', 'limit=101', 'search=%00'])
    assert.equal((await manager.get(`/billing/credits?${query}`)).status, 400, query)
  assert.equal(
    (await post(manager, '/billing/credits/cred_none000000/refund', { version: 1, amount: '1', ...transfer }))
      .status,
    404,
  )
})
