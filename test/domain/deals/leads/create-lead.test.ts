import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateMember } from '../../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../../support/app.ts'
import { createWorld, leadBody, member } from '../../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer

const post = (body: unknown, as = key) => app.call('POST', '/v1/leads', { key: as, body })
const made = async (more: object, as = key) => {
  const answer = await post({ ...leadBody, ...more }, as)
  assert.equal(answer.status, 201, answer.text)
  return (await app.get(`/v1/leads/${answer.body.leadId}`, as)).body
}
const feed = async (leadId: string) =>
  (await app.get(`/v1/leads/${leadId}/activities`, key)).body.data as { type: string; body: string }[]

test('what is not sent has its default', async () => {
  const lead = await made({})
  assert.deepEqual([lead.productLine, lead.status, lead.archived], ['solar', 'new', false])
  assert.deepEqual(lead.address, { ...leadBody.address, line2: null, country: 'US' })
  assert.deepEqual(lead.customer, { firstName: 'Ada', lastName: 'Moreno', email: null, phone: null })
  assert.deepEqual(
    (await feed(lead.id)).map((a) => a.type),
    ['leadCreated'],
  )
})

test('texts are trimmed, empty optional ones are as if not sent, the product line and country are taken', async () => {
  const lead = await made({
    firstName: '  Ada\n',
    email: ' Ada@Example.com ',
    phone: ' (619) 555-0100 ',
    notes: '   ',
    salesRepEmail: '',
    productLine: 'hi',
    address: { ...leadBody.address, line2: ' ', country: 'mx' },
  })
  assert.deepEqual(lead.customer, {
    firstName: 'Ada',
    lastName: 'Moreno',
    email: 'Ada@Example.com',
    phone: '(619) 555-0100',
  })
  assert.deepEqual(
    [lead.notes, lead.externalId, lead.productLine, lead.address.line2, lead.address.country],
    [null, null, 'hi', null, 'MX'],
  )
  assert.equal((await feed(lead.id)).length, 1)
  assert.equal((await made({ phone: '(619) 555-0100' })).customer.phone, '(619) 555-0100')
  const [us] = await app.database.rows(
    "select phone_e164 from leads where phone = '(619) 555-0100' and country = 'US'",
  )
  assert.equal(us!.phone_e164, '+16195550100')
})

test('notes are saved and posted', async () => {
  const lead = await made({ notes: ' Ring the bell\ntwice ' })
  assert.equal(lead.notes, 'Ring the bell\ntwice')
  const notes = (await feed(lead.id)).filter((a) => a.type === 'note')
  assert.deepEqual(
    notes.map((a) => a.body),
    ['Ring the bell\ntwice'],
  )
})

test('people are matched by email among the active members of the company, others are listed', async () => {
  const rep = await member(world, installer, 'Ina Rep')
  const gone = await member(world, installer, 'Gone Rep')
  await updateMember(app.database.db, new Date(), installer.company.id, gone.id, { active: false })
  const dealers = await member(world, dealer, 'Dealer Rep')
  const foreign = await member(world, other, 'Foreign Rep')
  const lead = await made({ salesRepEmail: rep.email.toUpperCase(), setterEmail: rep.email })
  assert.deepEqual([lead.salesRep.name, lead.setter.name], ['Ina Rep', 'Ina Rep'])
  for (const email of [gone.email, dealers.email, foreign.email, 'Nobody@Example.com']) {
    const answer = await post({ ...leadBody, salesRepEmail: email, setterEmail: rep.email })
    assert.deepEqual(answer.body.unassigned, [email])
    const { body } = await app.get(`/v1/leads/${answer.body.leadId}`, key)
    assert.equal(body.salesRep, null)
    assert.equal(body.setter.name, 'Ina Rep')
  }
  const both = await post({ ...leadBody, salesRepEmail: 'a@b.co', setterEmail: 'c@d.co' }, dealer.key)
  assert.deepEqual(both.body.unassigned, ['a@b.co', 'c@d.co'])
  const own = await post({ ...leadBody, salesRepEmail: dealers.email }, dealer.key)
  assert.deepEqual(own.body.unassigned, [])
})

test('each text has its limit, counted in characters', async () => {
  const at = (field: string, length: number, make = (n: number) => '🌞'.repeat(n)) => ({
    ...leadBody,
    [field]: make(length),
  })
  const mail = (n: number) => `${'a'.repeat(n - 12)}@example.com`
  const inAddress = (field: string, n: number) => ({
    ...leadBody,
    address: { ...leadBody.address, [field]: 'é'.repeat(n) },
  })
  const limits: [(n: number) => unknown, number][] = [
    [(n) => at('firstName', n), 200],
    [(n) => at('lastName', n), 200],
    [(n) => at('phone', n), 40],
    [(n) => at('notes', n), 20_000],
    [(n) => at('externalId', n), 128],
    [(n) => at('email', n, mail), 320],
    [(n) => at('salesRepEmail', n, mail), 320],
    [(n) => at('setterEmail', n, mail), 320],
    ...['line1', 'line2', 'city', 'state', 'postalCode'].map((f): [(n: number) => unknown, number] => [
      (n) => inAddress(f, n),
      200,
    ]),
  ]
  for (const [body, limit] of limits) {
    const fits = await post(body(limit))
    assert.equal(fits.status, 201, fits.text.slice(0, 200))
    const over = await post(body(limit + 1))
    assert.equal(over.status, 400)
    assert.match(over.body.error.message, new RegExp(`at most ${limit}`))
  }
})

test('what is required, mistyped or malformed is 400 and named', async () => {
  const without = (field: string) => ({ ...leadBody, [field]: undefined })
  const inAddress = (more: object) => ({ ...leadBody, address: { ...leadBody.address, ...more } })
  const bodies: [object, RegExp][] = [
    [without('firstName'), /firstName is required/],
    [without('lastName'), /lastName/],
    [without('address'), /address/],
    [{ ...leadBody, firstName: '  ' }, /firstName/],
    [{ ...leadBody, firstName: null }, /firstName/],
    [{ ...leadBody, firstName: ['Ada'] }, /firstName/],
    [{ ...leadBody, email: 'ada' }, /email/],
    [{ ...leadBody, email: 'a@b' }, /email/],
    [{ ...leadBody, email: 'a b@c.de' }, /email/],
    [{ ...leadBody, email: 'a@b.c,d@e.f' }, /email/],
    [{ ...leadBody, phone: 6195550100 }, /phone/],
    [{ ...leadBody, salesRepEmail: 'Rita' }, /salesRepEmail/],
    [{ ...leadBody, externalId: 7 }, /externalId/],
    [{ ...leadBody, productLine: 'roof' }, /productLine.*solar/],
    [{ ...leadBody, status: 'sold' }, /status/],
    [{ ...leadBody, reference: 'ABCDEFGHIJ' }, /reference/],
    [{ ...leadBody, address: 'here' }, /address/],
    ...['line1', 'city', 'state', 'postalCode'].flatMap((field): [object, RegExp][] => [
      [inAddress({ [field]: undefined }), new RegExp(`address.${field}`)],
      [inAddress({ [field]: ' ' }), new RegExp(`address.${field}`)],
    ]),
    [inAddress({ country: 'USA' }), /country/],
    [inAddress({ country: '' }), /country/],
    [inAddress({ county: 'x' }), /county.*country/],
  ]
  for (const [body, message] of bodies) {
    const answer = await post(body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body.error.message, message)
  }
})

test('100 simultaneous posts of one externalId make one lead: one 201 and 99 times 200', async () => {
  // Connections are opened first: otherwise the first post is done before the others arrive.
  await Promise.all(Array.from({ length: 100 }, () => app.get('/v1/leads', key)))
  for (const externalId of ['crm 1042 / é', 'crm-1043', 'crm-1044']) {
    const body = { ...leadBody, externalId, notes: 'once' }
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(body)))
    const created = answers.filter((a) => a.status === 201)
    assert.equal(created.length, 1)
    assert.equal(answers.filter((a) => a.status === 200).length, 99)
    const { leadId } = created[0]!.body
    assert.ok(answers.every((a) => a.body.leadId === leadId && a.body.created === (a.status === 201)))
    const [count] = await app.database.rows(
      `select (select count(*) from leads where external_id = $1) as leads,
        (select count(*) from events where lead_id = $2) as events,
        (select count(*) from activities where lead_id = $2) as activities`,
      [externalId, leadId],
    )
    assert.deepEqual(count, { leads: 1, events: 1, activities: 2 })
  }
})

test('a known externalId changes nothing of the lead and is known in its own company only', async () => {
  const body = { ...leadBody, externalId: 'shared' }
  const first = await post(body)
  const again = await post({
    ...body,
    firstName: 'Other',
    salesRepEmail: 'nobody@example.com',
    externalId: ' shared ',
  })
  assert.deepEqual([again.status, again.body.leadId, again.body.created], [200, first.body.leadId, false])
  assert.deepEqual(again.body.unassigned, ['nobody@example.com'])
  assert.equal((await app.get(`/v1/leads/${first.body.leadId}`, key)).body.customer.firstName, 'Ada')
  assert.equal((await post({ ...body, externalId: 'Shared' })).status, 201)
  const others = await Promise.all([dealer, sister, other].map((who) => post(body, who.key)))
  assert.deepEqual(
    others.map((a) => a.status),
    [201, 201, 201],
  )
  assert.equal(new Set([first, ...others].map((a) => a.body.leadId)).size, 4)
})
