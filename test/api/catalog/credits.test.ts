import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText } from 'unpdf'
import { runMonth } from '../../../src/domain/billing/runs/run-month.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { creditIn, invoiceIn, invoicesPath, plan, post, site } from '../../support/invoices.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
const creditsPath = '/catalog/v1/billing/credits'

const read = async (id: string, by = key) => (await app.get(`${invoicesPath}/${id}`, by)).body
const readCredit = async (id: string, by = key) => (await app.get(`${creditsPath}/${id}`, by)).body
const refund = (id: string, body?: object, headers: Record<string, string> = {}, by = key) =>
  app.call('POST', `${creditsPath}/${id}/refund`, { key: by, headers, ...(body ? { body } : {}) })
const events = (id: string) =>
  app.database.rows<{ type: string; data: Record<string, unknown> & { version: number } }>(
    'select type, data from events where subject_id = $1 order by at, ordinal',
    [id],
  )
const amounts = ({
  subtotal,
  credit_applied,
  amount_due,
  amount_paid,
  amount_remaining,
}: Record<string, number>) => [subtotal, credit_applied, amount_due, amount_paid, amount_remaining]
let people = 0
/** Somebody of whom nothing is known yet. */
const somebody = () => ({ name: `Ada ${++people} Moreno`, email: `ada${people}@example.com` })
const invoiceOf = (customer: object, price: number, state: 'draft' | 'open' = 'draft', by = key) =>
  invoiceIn(app, by, state, { customer, line_items: [{ description: 'Visit', unit_price: price }] })
/** 40 of 100 are paid and the invoice is voided. */
const creditOf = (customer: object, by = key) => creditIn(app, by, { customer })
async function pdfText(id: string): Promise<string> {
  const { bytes } = await app.get(`${invoicesPath}/${id}.pdf`, key)
  return (await extractText(bytes, { mergePages: true })).text.replace(/\s+/g, ' ')
}

test('40 of 100 are paid, it is voided, and the run asks for 60; the API, the list and the PDF say the same', async () => {
  const home = await site(app.database, installer)
  await plan(installer, home, { kind: 'lease', rate: '100', customer: { ...somebody(), address: null } })
  const run = () =>
    runMonth(app.database.db, new Date('2026-03-02T12:00:00Z'), {
      month: '2026-02',
      installer: installer.company.id,
    })
  const drafted = async () => (await run()).find(({ installationId }) => installationId === home)!
  const first = (await drafted()).invoiceId!
  await post(app, key, `/${first}/finalize`)
  await post(app, key, `/${first}/pay`, { amount: 40, method: 'check', reference: '1042' })
  const voided = (await post(app, key, `/${first}/void`)).body
  assert.deepEqual(amounts(voided), [100, 0, 100, 40, 0])
  const told = await pdfText(first)
  assert.match(told, /Total \(USD\) \$100\.00 Paid \$40\.00 Amount due \$0\.00/)
  assert.match(told, /The \$40\.00 paid on it is kept as your credit/)

  const again = await drafted()
  assert.deepEqual([again.outcome, again.amountDue], ['drafted', '60.00'])
  const draft = await read(again.invoiceId!)
  assert.deepEqual(amounts(draft), [100, 40, 60, 0, 60])
  assert.match(
    await pdfText(draft.id),
    /Subtotal \$100\.00 Your credit -\$40\.00 Total \(USD\) \$60\.00 Paid \$0\.00 Amount due \$60\.00/,
  )
  assert.equal((await drafted()).outcome, 'unchanged', 'a second run takes nothing again')
  const listed = (await app.get(`${invoicesPath}?per_page=1`, key)).body.data[0]
  assert.deepEqual(listed, draft)

  await post(app, key, `/${draft.id}/finalize`)
  await post(app, key, `/${draft.id}/pay`, { amount: 10 })
  const voidedToo = (await post(app, key, `/${draft.id}/void`)).body
  assert.deepEqual(amounts(voidedToo), [100, 40, 60, 10, 0])
  const third = await drafted()
  assert.equal(third.amountDue, '50.00', 'what it had used came back, and what was paid on it is there too')
})

test('a draft that is deleted or changed gives back what it does not use; what is left goes to the next', async () => {
  const who = somebody()
  const credit = await creditOf(who)
  const small = await invoiceOf(who, 25)
  assert.deepEqual(amounts(await read(small)), [25, 25, 0, 0, 0])
  const next = await invoiceOf(who, 25)
  assert.deepEqual(amounts(await read(next)), [25, 15, 10, 0, 10])
  const none = await invoiceOf(who, 25)
  assert.deepEqual(amounts(await read(none)), [25, 0, 25, 0, 25])
  const used = await readCredit(credit)
  assert.deepEqual([used.amount, used.amount_used, used.amount_remaining], [40, 40, 0])
  assert.deepEqual(used.uses, [
    { invoice_id: small, amount: 25 },
    { invoice_id: next, amount: 15 },
  ])
  const changed = await app.call('PATCH', `${invoicesPath}/${small}`, {
    key,
    body: { line_items: [{ description: 'Visit', unit_price: 5 }] },
  })
  assert.deepEqual(amounts(changed.body), [5, 5, 0, 0, 0])
  await app.call('DELETE', `${invoicesPath}/${next}`, { key })
  assert.equal((await readCredit(credit)).amount_remaining, 35)
  const opened = (await post(app, key, `/${none}/finalize`)).body
  assert.deepEqual([...amounts(opened), opened.status], [25, 25, 0, 0, 0, 'paid'])
  const toSomebodyElse = await app.call('PATCH', `${invoicesPath}/${small}`, {
    key,
    body: { customer: somebody() },
  })
  assert.deepEqual(amounts(toSomebodyElse.body), [5, 0, 5, 0, 5])
  assert.equal((await readCredit(credit)).amount_remaining, 15)
})

test('who the customer is: the same name and email, at the same installation one of them, and nobody else', async () => {
  const home = await site(app.database, installer)
  const elsewhere = await site(app.database, installer)
  const ada = somebody()
  const take = async (customer: object, more: object = {}, by = key) => {
    const body = { customer, line_items: [{ description: 'Visit', unit_price: 1 }], ...more }
    const { body: made } = await post(app, by, '', body)
    await app.call('DELETE', `${invoicesPath}/${made.id}`, { key: by })
    return made.credit_applied === 1
  }
  await creditIn(app, key, { customer: ada, installation_id: home })
  const { name, email } = ada
  const yes: [object, object?][] = [
    [ada],
    [{ name: `  ${name.toUpperCase()} `.replace('ADA', 'ADA '), email: email.toUpperCase() }],
    [ada, { installation_id: elsewhere }],
    [{ name, email: 'new@example.com' }, { installation_id: home }],
    [{ name: 'Ada Moreno-Luna', email }, { installation_id: home }],
  ]
  for (const [customer, more] of yes) assert.ok(await take(customer, more), JSON.stringify([customer, more]))
  const no: [object, object?, string?][] = [
    [{ name }],
    [{ name, email: 'other@example.com' }],
    [{ name: 'Somebody else', email }],
    [{ name: 'New Owner', email: 'new.owner@example.com' }, { installation_id: home }],
    [ada, { currency: 'CAD' }],
    [ada, {}, dealer.key],
    [ada, {}, other.key],
  ]
  for (const [customer, more, by] of no)
    assert.equal(await take(customer, more, by), false, JSON.stringify([customer, more]))
  const noEmail = { name: 'Bo Nomail', address: '1 Elm St' }
  await creditOf(noEmail)
  assert.ok(await take({ name: 'bo nomail', address: '1  Elm St ' }))
  for (const customer of [
    { name: 'Bo Nomail' },
    { ...noEmail, address: '2 Elm St' },
    { ...noEmail, email: 'b@example.com' },
  ])
    assert.equal(await take(customer), false, JSON.stringify(customer))
})

test('what was paid can be refunded when it is voided, or later, never more than is left, and never twice', async () => {
  const who = somebody()
  const id = await invoiceOf(who, 100, 'open')
  const nothing = await post(app, key, `/${id}/void`, { paid_as: 'refund' })
  assert.match(nothing.body.error.message, /nothing was paid/)
  await post(app, key, `/${id}/pay`, { amount: 40 })
  const voided = await post(app, key, `/${id}/void`, {
    paid_as: 'refund',
    method: 'check',
    reference: ' 2017 ',
    refunded_on: '2026-01-31',
  })
  assert.deepEqual(amounts(voided.body), [100, 0, 100, 40, 0])
  const [paidBack] = (await app.get(creditsPath, key)).body.data
  assert.equal(paidBack.invoice_id, id)
  assert.deepEqual([paidBack.amount_refunded, paidBack.amount_remaining], [40, 0])
  const { id: refundId, created_at, ...said } = paidBack.refunds[0]
  assert.deepEqual(said, { amount: 40, method: 'check', reference: '2017', refunded_on: '2026-01-31' })
  assert.match(await pdfText(id), /The \$40\.00 paid on it was refunded/)
  assert.deepEqual(amounts(await read(await invoiceOf(who, 10))), [10, 0, 10, 0, 10])

  const credit = await creditOf(somebody())
  for (const [body, message] of [
    [{ amount: 40.01 }, /40\.00 USD of this credit is left/],
    [{ amount: 0 }, /amount must be a number from 0\.01/],
    [{ amount: 0.001 }, /amount/],
    [{ refunded_on: '2999-01-01' }, /refunded_on must be a day from 2000-01-01 to today/],
    [{ method: 'gold' }, /method/],
    [{ reference: 'x'.repeat(201) }, /reference/],
    [{ nope: 1 }, /nope/],
  ] as const) {
    const refused = await refund(credit, body)
    assert.equal(refused.status, 400, JSON.stringify(body))
    assert.match(refused.body.error.message, message)
  }
  const all = await Promise.all(Array.from({ length: 12 }, () => refund(credit, { amount: 10 })))
  assert.equal(all.filter(({ status }) => status === 200).length, 4)
  assert.equal(all.filter(({ status }) => status === 400).length, 8)
  assert.equal((await readCredit(credit)).amount_refunded, 40)
  assert.equal((await refund(credit)).status, 400)
})

test('a payment says how, when and by which number; the list of them is paged', async () => {
  const id = await invoiceOf(somebody(), 100, 'open')
  await post(app, key, `/${id}/pay`, {
    amount: 10,
    method: 'check',
    reference: '1042',
    received_on: '2026-02-03',
  })
  await post(app, key, `/${id}/pay`, { amount: 20 })
  await post(app, key, `/${id}/pay`, { method: null, reference: null })
  const path = `${invoicesPath}/${id}/payments`
  const { data, meta } = (await app.get(path, key)).body
  assert.deepEqual(meta, { page: 1, per_page: 20, total: 3 })
  assert.deepEqual(
    data.map((p: Record<string, unknown>) => [p['amount'], p['method'], p['reference']]),
    [
      [10, 'check', '1042'],
      [20, null, null],
      [70, null, null],
    ],
  )
  assert.equal(data[0].received_on, '2026-02-03')
  const second = (await app.get(`${path}?page=2&per_page=2`, key)).body
  assert.deepEqual(second, { data: [data[2]], meta: { page: 2, per_page: 2, total: 3 } })
  for (const body of [
    { received_on: '2999-01-01' },
    { received_on: '1999-12-31' },
    { method: 'gold' },
    { reference: 'a\u0000b' },
  ])
    assert.equal((await post(app, key, `/${id}/pay`, body)).status, 400, JSON.stringify(body))
})

test('the same key twice is one payment and one refund, also at once, also when the invoice is paid meanwhile', async () => {
  const id = await invoiceOf(somebody(), 100, 'open')
  const pay = (body: object, name = 'pay-1', by = key) =>
    app.call('POST', `${invoicesPath}/${id}/pay`, { key: by, body, headers: { 'idempotency-key': name } })
  const all = await Promise.all(Array.from({ length: 6 }, () => pay({ amount: 60 })))
  assert.deepEqual(
    all.map(({ status }) => status),
    Array(6).fill(200),
  )
  assert.equal(all.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 5)
  assert.equal((await read(id)).amount_paid, 60)
  await post(app, key, `/${id}/pay`)
  const late = await pay({ amount: 60 })
  // The first answer to the letter, whatever became of the invoice since.
  assert.deepEqual([late.status, late.body.status, late.body.amount_paid], [200, 'open', 60])
  assert.deepEqual(new Set([...all, late].map(({ text }) => text)).size, 1)
  for (const other of [{ amount: 61 }, {}, { amount: 60, method: 'check' }]) {
    const refused = await pay(other)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /sent before with another call/)
  }
  assert.equal((await read(id)).amount_paid, 100)
  const another = await invoiceOf(somebody(), 100, 'open')
  const elsewhere = await app.call('POST', `${invoicesPath}/${another}/pay`, {
    key,
    body: { amount: 60 },
    headers: { 'idempotency-key': 'pay-1' },
  })
  assert.equal(elsewhere.status, 400)
  const theirs = await invoiceOf(somebody(), 100, 'open', dealer.key)
  const dealers = await app.call('POST', `${invoicesPath}/${theirs}/pay`, {
    key: dealer.key,
    body: { amount: 60 },
    headers: { 'idempotency-key': 'pay-1' },
  })
  assert.deepEqual(
    [dealers.status, dealers.headers['idempotency-replayed']],
    [200, undefined],
    'each company has its own keys',
  )

  const credit = await creditOf(somebody())
  const refunds = await Promise.all(
    Array.from({ length: 4 }, () => refund(credit, { amount: 30 }, { 'idempotency-key': 'back-1' })),
  )
  assert.deepEqual(
    refunds.map(({ status }) => status),
    Array(4).fill(200),
  )
  assert.equal((await readCredit(credit)).amount_refunded, 30)
  const repeated = { amount: 5, method: 'check', reference: '7' }
  const first = await refund(credit, repeated, { 'idempotency-key': 'back-2' })
  const reordered = { reference: '7', method: 'check', amount: 5 }
  const again = await refund(credit, reordered, { 'idempotency-key': 'back-2' })
  assert.deepEqual(
    [first.status, again.status, again.headers['idempotency-replayed'], again.text],
    [200, 200, 'true', first.text],
  )
  // A key is one call's: neither another body nor another address.
  assert.equal((await refund(credit, { amount: 6 }, { 'idempotency-key': 'back-2' })).status, 400)
  assert.equal((await pay({ amount: 5 }, 'back-2')).status, 400)
  // What was refused stays so under its key: what is right is another call.
  const wrong = await refund(credit, { amount: 1000 }, { 'idempotency-key': 'back-3' })
  const right = await refund(credit, { amount: 0.5 }, { 'idempotency-key': 'back-3' })
  const corrected = await refund(credit, { amount: 0.5 }, { 'idempotency-key': 'back-4' })
  assert.deepEqual([wrong.status, right.status, corrected.status], [400, 400, 200])
  assert.equal((await readCredit(credit)).amount_refunded, 35.5)
})

test('paying and voiding at once: what was paid is on the invoice or in the credit, never lost', async () => {
  for (let i = 0; i < 5; i++) {
    const id = await invoiceOf(somebody(), 100, 'open')
    const [paid, voided] = await Promise.all([
      post(app, key, `/${id}/pay`, { amount: 40 }),
      post(app, key, `/${id}/void`),
    ])
    assert.equal(voided.status, 200)
    const { data } = (await app.get(creditsPath, key)).body
    const credit = data.find((one: { invoice_id: string }) => one.invoice_id === id)
    assert.equal(credit?.amount, paid.status === 200 ? 40 : undefined)
  }
})

test('two drafts that are made and finalized at once share a credit, which is spent once', async () => {
  const who = somebody()
  const credit = await creditOf(who)
  const ids = await Promise.all(Array.from({ length: 6 }, () => invoiceOf(who, 15)))
  const opened = await Promise.all(ids.map((id) => post(app, key, `/${id}/finalize`)))
  const applied = opened.reduce((sum, { body }) => sum + body.credit_applied, 0)
  assert.equal(applied, 40)
  assert.equal((await readCredit(credit)).amount_remaining, 0)
})

test('each step is told: part payments, drafts changed and deleted, credits made', async () => {
  const who = somebody()
  const id = await invoiceOf(who, 100)
  await app.call('PATCH', `${invoicesPath}/${id}`, { key, body: { due_date: '2027-01-31' } })
  await post(app, key, `/${id}/finalize`)
  await post(app, key, `/${id}/pay`, { amount: 40, reference: '1042' })
  await post(app, key, `/${id}/void`)
  const told = await events(id)
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.version, data['status'], data['amount_paid']]),
    [
      ['invoice.created', 1, 'draft', 0],
      ['invoice.updated', 2, 'draft', 0],
      ['invoice.finalized', 3, 'open', 0],
      ['invoice.payment_recorded', 4, 'open', 40],
      ['invoice.voided', 5, 'void', 40],
    ],
  )
  const payment = told[3]!.data['payment'] as Record<string, unknown>
  assert.deepEqual([payment['amount'], payment['reference']], [40, '1042'])
  const [credit] = (await app.get(creditsPath, key)).body.data
  const [created] = await events(credit.id)
  const { version, ...data } = created!.data
  assert.deepEqual([created!.type, version, data], ['credit.created', 1, credit])

  const full = await invoiceOf(somebody(), 50, 'open')
  await post(app, key, `/${full}/pay`)
  assert.deepEqual(
    (await events(full)).slice(2).map(({ type, data }) => [type, data.version]),
    [
      ['invoice.payment_recorded', 3],
      ['invoice.paid', 4],
    ],
  )
  const gone = await invoiceOf(somebody(), 50)
  await app.call('DELETE', `${invoicesPath}/${gone}`, { key })
  assert.deepEqual((await events(gone)).at(-1)!.type, 'invoice.deleted')
})

test('the newest credit comes first, also once the planner knows how few there are', async () => {
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.unshift(await creditOf(somebody()))
  await app.database.rows('analyze credits, credit_uses, credit_refunds, invoices')
  for (const perPage of [100, 12, 5])
    assert.deepEqual(
      (await app.get(`${creditsPath}?per_page=${perPage}`, key)).body.data
        .slice(0, 12)
        .map(({ id }: { id: string }) => id),
      made.slice(0, perPage),
    )
})

test('credits are their company’s: others find nothing, and who may only read changes nothing', async () => {
  const credit = await creditOf(somebody())
  const dealers = await creditOf(somebody(), dealer.key)
  const ids = async (by: string) =>
    (await app.get(`${creditsPath}?per_page=100`, by)).body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(other.key), [])
  assert.deepEqual(await ids(dealer.key), [dealers])
  assert.ok((await ids(key)).includes(dealers))
  const { meta } = (await app.get(`${creditsPath}?per_page=2&page=2`, key)).body
  assert.equal(meta.total, (await ids(key)).length)
  for (const by of [other.key, dealer.key]) {
    assert.equal((await app.get(`${creditsPath}/${credit}`, by)).status, 404)
    assert.equal((await refund(credit, {}, {}, by)).status, 404)
  }
  for (const id of ['cred_none000000', 'x', '%00', 'inv_01jcq5d8m0b6x7v2k9fz3h4t1w'])
    assert.equal((await app.get(`${creditsPath}/${id}`, key)).status, 404, id)
  assert.equal((await app.call('GET', creditsPath)).status, 401)
  const { secret } = await keyFor(world, installer, { access: 'read' })
  assert.equal((await refund(credit, {}, {}, secret)).status, 403)
  assert.equal((await readCredit(credit)).amount_remaining, 40)
  const mine = await invoiceOf(somebody(), 10, 'open')
  assert.equal((await app.get(`${invoicesPath}/${mine}/payments`, other.key)).status, 404)
})
