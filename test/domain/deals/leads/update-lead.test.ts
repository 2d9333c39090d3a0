import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../support/app.ts'
import { address, createWorld, lead, project } from '../../../support/factories.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const { key } = installer

const patch = async (id: string, body: unknown, status = 200) => {
  const answer = await app.call('PATCH', `/v1/leads/${id}`, { key, body })
  assert.equal(answer.status, status, `${JSON.stringify(body)}: ${answer.text}`)
  return answer.body
}
const read = async (id: string) => (await app.get(`/v1/leads/${id}`, key)).body
const feed = async (id: string) =>
  (await app.get(`/v1/leads/${id}/activities`, key)).body.data as { type: string; body: string }[]

test('each field changes alone, the others stay, and the answer is the lead as it now reads', async () => {
  const id = await lead(installer, {
    email: 'a@example.com',
    phone: '1',
    notes: 'first',
    coBorrower: { firstName: 'Luis', lastName: null, email: null, phone: null },
  })
  let before = await read(id)
  const line = { line1: '2 Main', city: 'Reno', state: 'NV', postalCode: '89501' }
  const steps: [object, object][] = [
    [{ firstName: ' Bea ' }, { customer: { ...before.customer, firstName: 'Bea' } }],
    [{ lastName: 'Low' }, { customer: { ...before.customer, firstName: 'Bea', lastName: 'Low' } }],
    [{ notes: 'second' }, { notes: 'second' }],
    [{ address: { ...line, line2: 'B' } }, { address: { ...line, line2: 'B', country: 'US' } }],
    [{ address: { ...line, country: 'ca' } }, { address: { ...line, line2: 'B', country: 'CA' } }],
    [
      { coBorrower: { phone: '2' } },
      { coBorrower: { firstName: 'Luis', lastName: null, email: null, phone: '2' } },
    ],
  ]
  for (const [body, expected] of steps) {
    const after = await patch(id, body)
    assert.deepEqual({ ...after, updatedAt: '' }, { ...before, ...expected, updatedAt: '' })
    assert.ok(after.updatedAt > before.updatedAt)
    assert.deepEqual(await read(id), after)
    before = after
  }
})

test('empty text clears email, phone and notes; an empty name is 400', async () => {
  const id = await lead(installer, { email: 'a@example.com', phone: '1', notes: 'n' })
  const cleared = await patch(id, { email: '', phone: ' ', notes: null })
  assert.deepEqual([cleared.customer.email, cleared.customer.phone, cleared.notes], [null, null, null])
  assert.ok((await feed(id)).every((a) => a.type !== 'note' || a.body === 'n'))
  for (const body of [{ firstName: '' }, { lastName: ' ' }, { firstName: null }]) {
    await patch(id, body, 400)
  }
})

test('a co-borrower with every field cleared becomes null', async () => {
  const id = await lead(installer)
  const full = { firstName: 'Luis', lastName: 'M', email: 'l@example.com', phone: '3' }
  assert.deepEqual((await patch(id, { coBorrower: full })).coBorrower, full)
  assert.deepEqual((await patch(id, { coBorrower: { email: '', lastName: '' } })).coBorrower, {
    ...full,
    email: null,
    lastName: null,
  })
  assert.equal((await patch(id, { coBorrower: { firstName: '', phone: '' } })).coBorrower, null)
  await patch(id, { coBorrower: { email: 'no' } }, 400)
  await patch(id, { coBorrower: { name: 'no' } }, 400)
})

test('an address is sent whole', async () => {
  const id = await lead(installer)
  const { line2, country, ...needed } = address
  for (const field of Object.keys(needed)) {
    await patch(id, { address: { ...needed, [field]: undefined } }, 400)
    await patch(id, { address: { ...needed, [field]: '' } }, 400)
  }
  await patch(id, { address: { line1: '5 New St' } }, 400)
  assert.deepEqual((await read(id)).address, address)
  assert.equal((await patch(id, { address: needed })).address.line2, address.line2, 'the house is the same')
  assert.equal((await patch(id, { address: { ...needed, line1: '5 New St' } })).address.line2, null)
})

test('notes are posted only when they changed', async () => {
  const id = await lead(installer, { notes: 'one' })
  await patch(id, { notes: 'one', phone: '7' })
  await patch(id, { notes: 'two' })
  await patch(id, { notes: ' two ' })
  const notes = (await feed(id)).filter((a) => a.type === 'note').map((a) => a.body)
  assert.deepEqual(notes, ['two', 'one'])
})

test('fields that are not here are 400, those of create included', async () => {
  const id = await lead(installer)
  for (const field of [
    'externalId',
    'status',
    'salesRepEmail',
    'setterEmail',
    'productLine',
    'archived',
    'utility',
    'id',
  ]) {
    await patch(id, { [field]: 'x' }, 400)
  }
  const long = await app.call('PATCH', `/v1/leads/${id}`, {
    key,
    body: { coBorrower: { firstName: 'x'.repeat(201) } },
  })
  assert.equal(long.status, 400)
})

test("a sold lead's change shows in its project, and moves both times and emits both events", async () => {
  const { leadId, projectId } = await project(installer, { notes: 'n' })
  const before = { lead: await read(leadId), project: (await app.get(`/v1/projects/${projectId}`, key)).body }
  const line = { line1: '9 Elm', line2: null, city: 'Reno', state: 'NV', postalCode: '89501', country: 'US' }
  const { line2, ...sent } = line
  const after = await patch(leadId, {
    firstName: 'New',
    address: sent,
    notes: 'm',
    coBorrower: { firstName: 'Co' },
  })
  const { body: changed } = await app.get(`/v1/projects/${projectId}`, key)
  assert.equal(changed.customer.firstName, 'New')
  assert.deepEqual(changed.address, line)
  assert.equal(changed.coBorrower.firstName, 'Co')
  assert.equal(changed.notes.customer, 'm')
  assert.ok(after.updatedAt > before.lead.updatedAt && changed.updatedAt > before.project.updatedAt)
  assert.notEqual(after.updatedAt, changed.updatedAt)
  const row = (await app.get(`/v1/projects?updatedSince=${before.project.updatedAt}`, key)).body.data[0]
  assert.deepEqual([row.id, row.customer.firstName], [projectId, 'New'])
  const events = await app.database.rows<{ type: string }>(
    'select type from events where lead_id = $1 and at >= $2 order by type',
    [leadId, after.updatedAt],
  )
  assert.deepEqual(
    events.map((e) => e.type),
    ['lead.updated', 'project.updated'],
  )
})

test('patches of different fields at the same time lose nothing', async () => {
  for (const { leadId: id } of [{ leadId: await lead(installer) }, await project(installer)]) {
    const bodies = [
      { firstName: 'F' },
      { lastName: 'L' },
      { email: 'e@example.com' },
      { phone: 'P' },
      { notes: 'N' },
      { coBorrower: { firstName: 'CF' } },
      { coBorrower: { lastName: 'CL' } },
      { coBorrower: { email: 'c@example.com' } },
      { coBorrower: { phone: 'CP' } },
      { address: { line1: 'A', city: 'B', state: 'C', postalCode: 'D' } },
    ]
    await Promise.all(bodies.map((body) => patch(id, body)))
    const now = await read(id)
    assert.deepEqual(now.customer, { firstName: 'F', lastName: 'L', email: 'e@example.com', phone: 'P' })
    assert.deepEqual(now.coBorrower, { firstName: 'CF', lastName: 'CL', email: 'c@example.com', phone: 'CP' })
    assert.deepEqual([now.notes, now.address.line1], ['N', 'A'])
    const [count] = await app.database.rows<{ n: number }>(
      "select count(*) as n from events where lead_id = $1 and type = 'lead.updated'",
      [id],
    )
    assert.equal(count!.n, now.project ? 11 : 10)
  }
})
