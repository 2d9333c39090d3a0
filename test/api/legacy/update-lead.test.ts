import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'

const app = await startApp()
const { rows } = app.database
const { installer, dealer } = await createWorld(app.database.db)
const { key } = installer

const update = (body: object, as = key) => app.call('POST', '/legacy/update_lead', { key: as, body })
const updated = async (body: object, as = key) => {
  const answer = await update(body, as)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const read = async (path: string) => (await app.get(`/v1/${path}`, key)).body
/** Everything that a change would leave behind it. */
const traces = () =>
  rows(
    `select (select count(*) from events) as events, (select count(*) from activities) as activities,
      (select json_agg(t order by id) from (select id, updated_at from leads union all select id, updated_at from projects) t) as times`,
  )
const partner = { firstName: 'Uwe', lastName: 'Ott', email: 'uwe@example.com', phone: '775 555 0111' }

test('null and empty text clear; a second customer with nothing left is none', async () => {
  for (const productLine of ['solar', 'hi'] as const) {
    const home_improvement = productLine === 'hi'
    const person = { email: 'a@example.com', phone: '1', coBorrower: partner, productLine }
    const { leadId: id, projectId } = await project(dealer, person)
    const secondary = { secondary_first_name: '', secondary_last_name: '', secondary_email: '' }
    const primary = { primary_email: '', primary_phone: null }
    const answer = await updated({ id, home_improvement, ...primary, ...secondary }, dealer.key)
    assert.deepEqual([answer.primary_email, answer.primary_phone], ['', null])
    assert.deepEqual([answer.secondary_first_name, answer.secondary_phone], ['', 7755550111])
    assert.equal((await read(`leads/${id}`)).coBorrower.phone, '775 555 0111')
    const last = await updated({ id, home_improvement, secondary_phone: null })
    assert.deepEqual(last, { ...answer, secondary_phone: null })
    const [lead, sold] = [await read(`leads/${id}`), await read(`projects/${projectId}`)]
    assert.deepEqual([lead.customer.email, lead.customer.phone, lead.coBorrower], [null, null, null])
    assert.deepEqual([sold.customer, sold.coBorrower], [lead.customer, null])
  }
})

test('what is not sent is kept, and so is everything else of the lead', async () => {
  const id = await lead(dealer, { coBorrower: partner, email: 'a@example.com', phone: '(1) 2', notes: 'Dog' })
  const before = await read(`leads/${id}`)
  await updated({ id, home_improvement: false, primary_first_name: 'Ada', notes: 'x', status: 'lost' })
  const now = await read(`leads/${id}`)
  const customer = { ...before.customer, firstName: 'Ada' }
  assert.deepEqual(now, { ...before, customer, updatedAt: now.updatedAt })
  assert.ok(now.updatedAt > before.updatedAt)
})

test('a new phone is written as its digits; the digits of the one held leave it as it is written', async () => {
  const id = await lead(installer, { phone: '+1 (619) 555-0100' })
  const held = await read(`leads/${id}`)
  await updated({ id, home_improvement: false, primary_phone: 16195550100 })
  assert.deepEqual(await read(`leads/${id}`), held)
  const answer = await updated({ id, home_improvement: false, primary_phone: 999_999_999_999_999 })
  assert.equal(answer.primary_phone, 999_999_999_999_999)
  assert.equal((await read(`leads/${id}`)).customer.phone, '999999999999999')
  for (const primary_phone of ['6195550100', 1.5, -1, 1e15, true, [1]]) {
    const refused = await update({ id, home_improvement: false, primary_phone })
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /primary_phone/)
  }
})

const ordinary = [
  '(619) 555-0100',
  '+1 619.555.0100',
  '619-555-0100 x12',
  '6195550100 ext. 9',
  '0049 30 12345',
]
const odd = ['12345678901234567890', 'ask at the door', '١٢٣٤٥٦٧', 'x12', '00']
for (const phone of [...ordinary, ...odd]) {
  test(`a record sent back as it was read changes nothing: phone ${phone}`, async () => {
    const coBorrower = { firstName: 'Uwe', lastName: null, email: null, phone }
    const id = await lead(installer, { phone, coBorrower, productLine: 'hi' })
    const shown = await updated({ id, home_improvement: true })
    const [before, left] = [await read(`leads/${id}`), await traces()]
    assert.deepEqual([before.customer.phone, before.coBorrower.phone], [phone, phone])
    assert.deepEqual(await updated(shown), shown)
    assert.deepEqual(await read(`leads/${id}`), before)
    assert.deepEqual(await traces(), left)
  })
}

test('20 simultaneous updates of different fields are all kept', async () => {
  const { leadId: id, projectId } = await project(dealer)
  const fields = ['primary_first_name', 'primary_last_name', 'secondary_first_name', 'secondary_last_name']
  const sent = Array.from({ length: 20 }, (_, i) => ({ field: fields[i % 4]!, text: `Name ${i}` }))
  const answers = await Promise.all(
    sent.map(({ field, text }) => updated({ id, home_improvement: false, [field]: text })),
  )
  for (const [i, { field, text }] of sent.entries()) assert.equal(answers[i][field], text)
  const { customer, coBorrower } = await read(`leads/${id}`)
  const names = [customer.firstName, customer.lastName, coBorrower.firstName, coBorrower.lastName]
  for (const [i, name] of names.entries())
    assert.ok(sent.some(({ field, text }) => field === fields[i] && text === name))
  const sold = await read(`projects/${projectId}`)
  assert.deepEqual([sold.customer, sold.coBorrower], [customer, coBorrower])
})
