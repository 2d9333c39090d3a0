import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { createWorld } from '../../support/factories.ts'
import { draftBody, invoiceIn, invoicesPath, post, type State } from '../../support/invoices.ts'

const app = await startApp()
const { installer, dealer, other } = await createWorld(app.database.db)
const { key } = installer

const states: State[] = ['draft', 'open', 'paid', 'void']
type Doing = 'change' | 'delete' | 'finalize' | 'pay' | 'pay a part' | 'void'
const calls: Record<Doing, (id: string) => [method: string, path: string, body?: object]> = {
  change: (id) => ['PATCH', `/${id}`, { due_date: '2027-01-31' }],
  delete: (id) => ['DELETE', `/${id}`],
  finalize: (id) => ['POST', `/${id}/finalize`],
  pay: (id) => ['POST', `/${id}/pay`],
  'pay a part': (id) => ['POST', `/${id}/pay`, { amount: 1 }],
  void: (id) => ['POST', `/${id}/void`],
}

// Every action in every state: what it becomes, or null where it is refused.
const machine: Record<Doing, Record<State, State | 'gone' | null>> = {
  change: { draft: 'draft', open: null, paid: null, void: null },
  delete: { draft: 'gone', open: null, paid: null, void: null },
  finalize: { draft: 'open', open: null, paid: null, void: null },
  pay: { draft: null, open: 'paid', paid: null, void: null },
  'pay a part': { draft: null, open: 'open', paid: null, void: null },
  void: { draft: null, open: 'void', paid: null, void: null },
}

const events = async (id: string) =>
  await app.database.rows<{ type: string; data: { version: number; status: string; id: string } }>(
    'select type, data from events where subject_id = $1 order by at, ordinal',
    [id],
  )

for (const action of Object.keys(machine) as Doing[]) {
  for (const state of states) {
    const becomes = machine[action][state]
    test(`${action} a ${state} invoice: ${becomes ?? 'refused'}`, async () => {
      const id = await invoiceIn(app, key, state)
      const before = (await app.get(`${invoicesPath}/${id}`, key)).body
      assert.equal(before.status, state)
      const told = (await events(id)).length
      const [method, path, body] = calls[action](id)
      const answer = await app.call(method, invoicesPath + path, { key, ...(body ? { body } : {}) })
      const after = await app.get(`${invoicesPath}/${id}`, key)
      if (becomes === null) {
        assert.equal(answer.status, 400)
        assert.match(answer.body.error.message, new RegExp(`This invoice is ${state}`))
        assert.deepEqual(after.body, before)
        assert.equal((await events(id)).length, told)
      } else if (becomes === 'gone') {
        assert.equal(answer.status, 204)
        assert.equal(after.status, 404)
      } else {
        assert.equal(answer.status, 200, answer.text)
        assert.equal(answer.body.status, becomes)
        assert.deepEqual(after.body, answer.body)
        // That the last payment came, and that it is paid.
        assert.equal((await events(id)).length, told + (action === 'pay' ? 2 : 1))
      }
    })
  }
}

test('each step is told once, with the record as it then reads and a growing version', async () => {
  const id = await invoiceIn(app, key, 'draft')
  const read = async () => (await app.get(`${invoicesPath}/${id}`, key)).body
  const records = [await read()]
  await post(app, key, `/${id}/finalize`)
  records.push(await read())
  await post(app, key, `/${id}/pay`, { amount: 36.5 })
  await post(app, key, `/${id}/pay`, { amount: 100 })
  records.push(await read())
  const all = await events(id)
  assert.deepEqual(
    all.map((e) => e.type),
    [
      'invoice.created',
      'invoice.finalized',
      'invoice.payment_recorded',
      'invoice.payment_recorded',
      'invoice.paid',
    ],
  )
  const told = all.filter((e) => e.type !== 'invoice.payment_recorded')
  told.forEach(({ data: { version, ...data } }, i) => {
    assert.deepEqual(data, records[i])
    assert.ok(i === 0 || version > told[i - 1]!.data.version)
  })
  const voided = await invoiceIn(app, key, 'void')
  assert.equal((await events(voided)).at(-1)!.type, 'invoice.voided')
})

test('an invoice that asks for nothing is paid when it is finalized', async () => {
  const id = await invoiceIn(app, key, 'draft', {
    ...draftBody,
    line_items: [
      { description: 'Visit', unit_price: 80 },
      { description: 'Goodwill', unit_price: -80 },
    ],
  })
  const { status, body } = await post(app, key, `/${id}/finalize`)
  assert.equal(status, 200)
  assert.deepEqual([body.status, body.amount_due, body.amount_remaining], ['paid', 0, 0])
  assert.equal(body.paid_at, body.finalized_at)
  const told = await events(id)
  assert.deepEqual(
    told.map((e) => [e.type, e.data.status, e.data.version]),
    [
      ['invoice.created', 'draft', 1],
      ['invoice.finalized', 'open', 2],
      ['invoice.paid', 'paid', 3],
    ],
  )
})

test('payments: parts add up exactly, more than remains is refused, the last part pays it', async () => {
  const body = { ...draftBody, line_items: [{ description: 'Fee', unit_price: 0.3 }] }
  const id = await invoiceIn(app, key, 'open', body)
  const pay = (amount?: number) => post(app, key, `/${id}/pay`, amount === undefined ? undefined : { amount })
  for (const [amount, remaining] of [
    [0.1, 0.2],
    [0.1, 0.1],
  ]) {
    const { body } = await pay(amount)
    assert.deepEqual([body.status, body.amount_remaining, body.paid_at], ['open', remaining, null])
  }
  const more = await pay(0.11)
  assert.equal(more.status, 400)
  assert.match(more.body.error.message, /0\.10 USD remain/)
  for (const [amount, message] of [
    [0, /amount must be a number from 0.01/],
    [-1, /amount must be a number from 0.01/],
    [0.015, /amount must have at most 2 decimal places/],
    ['1', /amount must be a number/],
    [1e9, /amount must be a number from/],
  ] as const) {
    const refused = await post(app, key, `/${id}/pay`, { amount })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, message)
  }
  const last = await pay()
  assert.deepEqual([last.body.status, last.body.amount_paid, last.body.amount_remaining], ['paid', 0.3, 0])
  const kept = await app.database.rows(
    'select amount from invoice_payments where invoice_id = $1 order by ordinal',
    [id],
  )
  assert.deepEqual(kept, [{ amount: '0.10' }, { amount: '0.10' }, { amount: '0.10' }])
})

test('50 payments at once: as many as there is money for, not one more', async () => {
  const body = { ...draftBody, line_items: [{ description: 'Fee', unit_price: 30 }] }
  const id = await invoiceIn(app, key, 'open', body)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(app, key, `/${id}/pay`, { amount: 1 })),
  )
  assert.equal(answers.filter((a) => a.status === 200).length, 30)
  assert.equal(answers.filter((a) => a.status === 400).length, 20)
  const { status, amount_paid } = (await app.get(`${invoicesPath}/${id}`, key)).body
  assert.deepEqual([status, amount_paid], ['paid', 30])
})

test('numbers have no gaps and no doubles: 50 finalized at once, some refused, some transactions killed', {
  skip: oneServerOnly(),
}, async () => {
  const { db, rows } = app.database
  const { company } = other
  const ids: string[] = []
  for (let i = 0; i < 50; i++) ids.push(await invoiceIn(app, other.key, 'draft'))
  // Ten of them fail after they have taken their number; five connections are killed in the middle of it.
  await db.execute(`
    create function fail_some() returns trigger language plpgsql as $$
    begin
      if new.status = 'open' and new.customer->>'name' = 'Fails' then raise exception 'planted'; end if;
      if new.status = 'open' and new.customer->>'name' = 'Killed' then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$;
    create trigger fail_some after update on invoices for each row execute function fail_some();`)
  const named = async (name: string, count: number) => {
    const made: string[] = []
    for (let i = 0; i < count; i++) {
      made.push(await invoiceIn(app, other.key, 'draft', { ...draftBody, customer: { name } }))
    }
    return made
  }
  const bad = [...(await named('Fails', 10)), ...(await named('Killed', 5))]
  const mixed = [...ids, ...ids.slice(0, 10), ...bad].sort((a, b) => (a.slice(-4) < b.slice(-4) ? -1 : 1))
  const answers = await Promise.all(
    mixed.map((id) => app.send('POST', `${invoicesPath}/${id}/finalize`, { key: other.key })),
  )
  await db.execute('drop trigger fail_some on invoices; drop function fail_some;')
  assert.equal(answers.filter((a) => a.status === 200).length, 50)
  assert.equal(answers.filter((a) => a.status === 400).length, 10)
  assert.equal(answers.filter((a) => a.status >= 500).length, 15)
  for (const id of bad) assert.equal((await post(app, other.key, `/${id}/finalize`)).status, 200)

  const numbers = await rows<{ number: string }>(
    'select number from invoices where company_id = $1 and number is not null order by number',
    [company.id],
  )
  assert.deepEqual(
    numbers.map((row) => row.number),
    Array.from({ length: 65 }, (_, i) => `${company.number}-${String(i + 1).padStart(6, '0')}`),
  )
})

test('each company counts for itself; a voided invoice keeps its number, a deleted draft never had one', async () => {
  const first = await invoiceIn(app, dealer.key, 'void')
  await app.call('DELETE', `${invoicesPath}/${await invoiceIn(app, dealer.key, 'draft')}`, {
    key: dealer.key,
  })
  const second = await invoiceIn(app, dealer.key, 'open')
  const numberOf = async (id: string) => (await app.get(`${invoicesPath}/${id}`, dealer.key)).body.number
  assert.equal(await numberOf(first), `${dealer.company.number}-000001`)
  assert.equal(await numberOf(second), `${dealer.company.number}-000002`)
})
