import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

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
