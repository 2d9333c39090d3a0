import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, member, project, type World } from '../support/factories.ts'
import { site } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { webhookIn } from '../support/watched.ts'

type Session = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let mia: Session
let noah: Session

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  const person = (name: string) =>
    addPerson(app, world.installer.company.id, 'admin', name, `${name}@example.com`)
  mia = await signedIn(app, await person('mia'))
  noah = await signedIn(app, await person('noah'))
})

const patch = (who: Session, path: string, body: object) => who.call('PATCH', path, { body })

async function refusedWith(answer: Awaited<ReturnType<typeof patch>>, now: object): Promise<void> {
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual([answer.body.error.code, answer.body.error.now], ['changed_meanwhile', now])
}

describe('two windows on a lead', () => {
  const opened = async (more: object = {}) => {
    const id = await lead(world.installer, { firstName: 'Bo', lastName: 'Young', ...more })
    return { id, path: `/leads/${id}`, read: async () => (await mia.get(`/leads/${id}`)).body }
  }

  test('the second is told what the first made of the field, and nothing is written', async () => {
    const { path, read } = await opened({ phone: '1' })
    assert.equal((await patch(mia, path, { phone: '2', seen: { phone: '1' } })).status, 200)
    await refusedWith(await patch(noah, path, { phone: '3', seen: { phone: '1' } }), { phone: '2' })
    assert.equal((await read()).customer.phone, '2')
    const kept = await patch(noah, path, { phone: '3', seen: { phone: '2' } })
    assert.equal(kept.body.customer.phone, '3')
  })

  test('what others write beside it, or just the same, is nobody’s conflict', async () => {
    const { path, read } = await opened()
    await patch(mia, path, { notes: 'Hers', address: { city: 'Reno' } })
    assert.equal((await patch(noah, path, { phone: '5', seen: { phone: null } })).status, 200)
    const same = await patch(noah, path, { notes: 'Hers', seen: { notes: null } })
    assert.equal(same.status, 200)
    const city = await patch(noah, path, {
      address: { city: 'Ely' },
      seen: { 'address.city': 'San Diego' },
    })
    await refusedWith(city, { 'address.city': 'Reno' })
    assert.equal((await read()).address.city, 'Reno')
  })

  test('nothing seen is nothing there; numbers are as they are worth', async () => {
    const { path } = await opened()
    const bill = (monthlyBill: string, seen: unknown) =>
      patch(noah, path, { utility: { monthlyBill }, seen: { 'utility.monthlyBill': seen } })
    assert.equal((await bill('182.5', '')).status, 200)
    assert.equal((await bill('190', '182.50')).status, 200)
    assert.equal((await bill('191', '190')).status, 200)
    await refusedWith(await bill('1', '2'), { 'utility.monthlyBill': '191.00' })
    for (const seen of [{ phone: { a: 1 } }, [], 'x', { notes: 'x'.repeat(20_001) }])
      assert.equal((await patch(noah, path, { phone: '9', seen })).status, 400)
  })

  test('at the same time one of them is first', async () => {
    const { path } = await opened({ phone: '1' })
    const both = await Promise.all(
      [mia, noah].map((who, i) => patch(who, path, { phone: `2${i}`, seen: { phone: '1' } })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  })
})

test('two windows on a project: its notes, days, people and contract', async () => {
  const { projectId } = await project(world.installer, { firstName: 'Ada', lastName: 'Two' })
  const path = `/projects/${projectId}`
  const { contract } = (await mia.get(path)).body
  const steps: [first: object, second: object, seen: Record<string, unknown>, now: object][] = [
    [{ notes: 'Hers' }, { notes: 'His' }, { notes: null }, { notes: 'Hers' }],
    [
      { installDate: '2031-03-01' },
      { installDate: '2031-03-02' },
      { installDate: null },
      { installDate: '2031-03-01' },
    ],
    [
      { milestones: { permitSubmitted: '2031-01-01' } },
      { milestones: { permitSubmitted: '2031-01-02' } },
      { 'milestones.permitSubmitted': null },
      { 'milestones.permitSubmitted': '2031-01-01' },
    ],
    [
      { contractPrice: '100.00', financing: { lender: 'Hers' } },
      { contractPrice: '200.00', financing: { lender: 'His' } },
      { contractPrice: contract.price, 'financing.lender': null },
      { contractPrice: '100.00', 'financing.lender': 'Hers' },
    ],
  ]
  for (const [first, second, seen, now] of steps) {
    assert.deepEqual((await patch(mia, path, { ...first, seen })).body, { changed: true })
    await refusedWith(await patch(noah, path, { ...second, seen }), now)
    assert.deepEqual((await patch(noah, path, { ...second, seen: now })).body, { changed: true })
  }
})

describe('two windows on settings', () => {
  test('a webhook endpoint: its URL, its description and what it is told', async () => {
    const { webhookId } = await webhookIn(app.database, world.installer)
    const path = `/webhooks/${webhookId}`
    const { url, description, events } = (await mia.get(path)).body
    const seen = { url, description, events: [...events].sort().join(' ') }
    const theirs = { description: 'Hers', events: ['lead.created', 'alert.resolved'] }
    assert.equal((await patch(mia, path, { ...theirs, seen })).status, 200)
    const mine = { description: 'His', events: ['lead.created'] }
    await refusedWith(await patch(noah, path, { ...mine, seen }), {
      description: 'Hers',
      events: 'alert.resolved lead.created',
    })
    assert.deepEqual((await mia.get(path)).body.description, 'Hers')
    // In whatever order they are said, they are the same.
    const again = { ...mine, seen: { description: 'Hers', events: 'alert.resolved lead.created' } }
    assert.equal((await patch(noah, path, again)).status, 200)
    assert.deepEqual((await mia.get(path)).body.events, ['lead.created'])
  })

  test('a billing plan: its rate, its customer, and whether there is one at all', async () => {
    const home = await site(app.database, world.installer)
    const path = `/billing/plans/${home}`
    const put = (who: Session, body: object) => who.call('PUT', path, { body: { ...wanted, ...body } })
    const wanted = {
      kind: 'ppa',
      rate: '0.12',
      escalatorPercent: '2.9',
      startDate: '2026-01-01',
      currency: 'USD',
      customer: { name: 'Ada', email: null, address: null },
      paymentTermDays: 30,
    }
    const none = { kind: null, rate: null, 'customer.name': null, running: null }
    assert.equal((await put(mia, { seen: none })).status, 200)
    // There was none when he began.
    await refusedWith(await put(noah, { rate: '0.15', seen: none }), { rate: '0.12' })
    const seen = { rate: '0.12', 'customer.name': 'Ada', running: true }
    const bo = { name: 'Bo', email: null, address: null }
    assert.equal((await put(mia, { rate: '0.13', customer: bo, seen })).status, 200)
    await refusedWith(await put(noah, { rate: '0.14', seen }), { rate: '0.13', 'customer.name': 'Bo' })
    assert.equal((await put(noah, { rate: '0.130', customer: bo, seen })).status, 200)
    // Ended meanwhile, it is not begun again unasked: who saw it end may begin another.
    assert.equal((await mia.call('DELETE', path)).status, 200)
    const later = { rate: '0.13', 'customer.name': 'Bo', running: true }
    const another = { rate: '0.14', customer: bo }
    await refusedWith(await put(noah, { ...another, seen: later }), { running: false })
    assert.equal((await put(noah, { ...another, seen: { ...later, running: false } })).status, 200)
  })

  test('an installation, a company, a colleague, an entry of the catalogue and how long things are kept', async () => {
    const home = await site(app.database, world.installer)
    const where = `/monitoring/${home}`
    const { name, timezone } = (await mia.get(where)).body
    assert.equal((await patch(mia, where, { name: 'Hers', seen: { name } })).status, 200)
    await refusedWith(await patch(noah, where, { name: 'His', seen: { name } }), { name: 'Hers' })
    assert.equal((await patch(noah, where, { timezone, address: '2 Oak St', seen: { name } })).status, 200)
    assert.equal((await patch(noah, where, { name: 'His', seen: { name: 'Hers' } })).status, 200)

    const company = `/companies/${world.dealer.company.id}`
    const before = (await mia.get(company)).body
    assert.equal((await patch(mia, company, { name: 'Hers', seen: { name: before.name } })).status, 200)
    await refusedWith(await patch(noah, company, { name: 'His', seen: { name: before.name } }), {
      name: 'Hers',
    })

    const { id: repId, phone } = await member(world, world.installer, 'Rita')
    const person = `/people/${repId}`
    assert.equal((await patch(mia, person, { phone: '1', seen: { phone } })).status, 200)
    await refusedWith(await patch(noah, person, { phone: '2', seen: { phone } }), { phone: '1' })

    const body = { name: 'Snow guard', productLine: 'solar', unit: 'each', unitPrice: '12.50' }
    const { id } = (await mia.call('POST', '/adders', { body })).body
    const entry = `/adders/${id}`
    assert.equal((await patch(mia, entry, { version: 1, unitPrice: '13' })).status, 200)
    await refusedWith(await patch(noah, entry, { version: 1, unitPrice: '14' }), { version: 2 })

    const rule = { unsoldMonths: 24, mailMonths: null, requestDays: null, keepInvoiceNames: false }
    const keep = (who: Session, more: object) => who.call('PUT', '/retention', { body: { ...rule, ...more } })
    assert.equal((await keep(mia, { version: 0 })).status, 200)
    const { version } = (await mia.get('/retention')).body
    await refusedWith(await keep(noah, { mailMonths: 3, version: 0 }), { version })
  })
})
