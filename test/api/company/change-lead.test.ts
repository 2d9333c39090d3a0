import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, member, project } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const team = {
  rep: await member(world, dealer, 'Rita Rep'),
  setter: await member(world, dealer, 'Sam Setter', 'setter'),
  manager: await member(world, installer, 'Mona Manager', 'manager'),
  foreign: await member(world, other, 'Fran Foreign'),
  sister: await member(world, sister, 'Sid Sister'),
}
const keys = await lesserKeys(world)

const patch = (id: string, body: unknown, by = key) => app.call('PATCH', `/v1/leads/${id}`, { key: by, body })
const feed = async (id: string) =>
  (await app.get(`/v1/leads/${id}/activities`, key)).body.data.map((a: { body: string }) => a.body)
const eventsOf = (id: string) =>
  rows<{ type: string; changes: object }>(
    'select type, changes from events where lead_id = $1 order by at, ordinal',
    [id],
  )

test('a lead changes its status, people, source, utility and archive in one change', async () => {
  const id = await lead(dealer)
  const before = (await app.get(`/v1/leads/${id}`, key)).body
  const { status, body } = await patch(id, {
    status: 'appointmentSet',
    salesRep: { email: team.rep.email.toUpperCase() },
    setter: team.setter.id,
    source: { name: 'Web', subSource: 'Landing page' },
    utility: { name: 'SDG&E', monthlyBill: 184.35 },
    archived: true,
  })
  assert.equal(status, 200)
  assert.deepEqual(
    [body.status, body.salesRep.name, body.setter.name, body.source, body.utility, body.archived],
    [
      'appointmentSet',
      'Rita Rep',
      'Sam Setter',
      { name: 'Web', subSource: 'Landing page' },
      { name: 'SDG&E', monthlyBill: 184.35 },
      true,
    ],
  )
  assert.ok(body.updatedAt > before.updatedAt)
  assert.deepEqual((await app.get(`/v1/leads/${id}`, key)).body, body)
  assert.deepEqual((await feed(id)).slice(0, 4).toSorted(), [
    'Archived',
    'Assigned to Rita Rep (sales rep) and Sam Setter (setter)',
    'Changed status from new to appointment set',
    'Changed utility company, monthly bill, source, sub-source',
  ])
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['lead.created', 'lead.updated'],
  )
  const told = await rows<{ text: string }>('select text from notifications where member_id = $1', [
    team.rep.id,
  ])
  assert.match(told[0]!.text, /you are now the sales rep$/)
})

test('what a read answers is taken back as it is, and changes nothing', async () => {
  const id = await lead(dealer, { salesRepEmail: team.rep.email, source: { name: 'Web', subSource: null } })
  const { body } = await app.get(`/v1/leads/${id}`, key)
  const { status, archived, salesRep, setter, source, utility, notes, coBorrower, address } = body
  const echo = { status, archived, salesRep, setter, source, utility, notes, coBorrower, address }
  assert.deepEqual((await patch(id, echo)).body, body)
  // Who has left since is answered still, and stays.
  await updateMember(world.db, new Date(), dealer.company.id, team.rep.id, { active: false })
  const left = (await app.get(`/v1/leads/${id}`, key)).body
  assert.equal((await patch(id, { salesRep: left.salesRep })).body.updatedAt, left.updatedAt)
  const otherLead = await lead(dealer)
  assert.equal((await patch(otherLead, { salesRep: left.salesRep })).status, 400)
  await updateMember(world.db, new Date(), dealer.company.id, team.rep.id, { active: true })
  const sold = await project(dealer)
  const read = (await app.get(`/v1/leads/${sold.leadId}`, key)).body
  assert.deepEqual((await patch(sold.leadId, { status: 'sold' })).body, read)
})

describe('people', () => {
  test('are named by email, id or as a read answers them; null takes them off', async () => {
    const id = await lead(dealer)
    const forms = [
      team.rep.email,
      team.rep.id,
      { id: team.rep.id },
      { email: team.rep.email },
      { name: 'Whoever', email: ` ${team.rep.email} `, phone: null },
    ]
    for (const salesRep of forms) {
      assert.equal((await patch(id, { salesRep })).body.salesRep?.name, 'Rita Rep', JSON.stringify(salesRep))
      assert.equal((await patch(id, { salesRep: null })).body.salesRep, null)
    }
    assert.deepEqual((await feed(id)).slice(0, 2), [
      'Took off Rita Rep (sales rep)',
      'Assigned to Rita Rep (sales rep)',
    ])
  })

  test('are of the lead’s company, or of the installer where its key says so', async () => {
    const id = await lead(dealer)
    assert.equal((await patch(id, { salesRep: team.manager.email })).body.salesRep.name, 'Mona Manager')
    const own = await lead(dealer)
    const refused = await patch(own, { salesRep: team.manager.email }, dealer.key)
    assert.equal(refused.status, 400)
    assert.match(
      refused.body.error.message,
      /^salesRep: no active member of the lead's company has this email/,
    )
    for (const who of [team.foreign, team.sister])
      for (const setter of [who.email, who.id]) {
        const answer = await patch(own, { setter })
        assert.equal(answer.status, 400, who.name)
        assert.match(answer.body.error.message, /^setter: no active member/)
      }
  })

  test('who is nobody is 400 naming the field, and nothing is changed', async () => {
    const id = await lead(dealer)
    const before = (await app.get(`/v1/leads/${id}`, key)).body
    const nobodies = [
      {},
      { email: null },
      { email: '' },
      'nobody@example.com',
      'mem_0000000000',
      { id: 'x' },
      '',
      7,
      [],
    ]
    for (const salesRep of nobodies) {
      const { status, body } = await patch(id, { firstName: 'Other', salesRep })
      assert.equal(status, 400, JSON.stringify(salesRep))
      assert.match(body.error.message, /^salesRep/)
    }
    assert.match(
      (await patch(id, { salesRep: { mail: 'x' } })).body.error.message,
      /salesRep\.mail is not a field here/,
    )
    assert.deepEqual((await app.get(`/v1/leads/${id}`, key)).body, before)
  })
})

describe('status', () => {
  test('sold is by the sale only, and a sold lead stays so', async () => {
    const id = await lead(installer)
    const refused = await patch(id, { status: 'sold' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /^status: .*POST \/v1\/leads\/\{id\}\/sale/)
    const { leadId } = await project(installer)
    const away = await patch(leadId, { status: 'lost' })
    assert.equal(away.status, 400)
    assert.match(away.body.error.message, /^status: a sold lead stays sold/)
    assert.equal((await patch(id, { status: 'won' })).status, 400)
    assert.equal((await patch(id, { status: null })).status, 400)
    for (const status of ['contacted', 'nurture', 'proposalSent', 'lost', 'unqualified', 'new'])
      assert.equal((await patch(id, { status })).body.status, status)
  })
})

test('parts of source and utility are kept where absent, cleared by null or empty text', async () => {
  const id = await lead(installer)
  await patch(id, { source: { name: 'Web', subSource: 'Ads' }, utility: { name: 'SDG&E', monthlyBill: 0 } })
  const partly = (await patch(id, { source: { subSource: '' }, utility: { name: null } })).body
  assert.deepEqual(
    [partly.source, partly.utility],
    [
      { name: 'Web', subSource: null },
      { name: null, monthlyBill: 0 },
    ],
  )
  const cleared = (await patch(id, { source: { name: null }, utility: { monthlyBill: null } })).body
  assert.deepEqual(
    [cleared.source, cleared.utility],
    [
      { name: null, subSource: null },
      { name: null, monthlyBill: null },
    ],
  )
  assert.equal((await patch(id, { source: {}, utility: {} })).body.updatedAt, cleared.updatedAt)
  assert.equal(
    (await patch(id, { utility: { monthlyBill: 9_999_999_999.99 } })).body.utility.monthlyBill,
    9_999_999_999.99,
  )
})

test('hostile values are 400 naming the field', async () => {
  const id = await lead(installer)
  const wrong: [unknown, RegExp][] = [
    [{ utility: { monthlyBill: 1.005 } }, /utility\.monthlyBill must have at most 2 decimal places/],
    [{ utility: { monthlyBill: -1 } }, /utility\.monthlyBill must be/],
    [{ utility: { monthlyBill: 1e300 } }, /utility\.monthlyBill must be/],
    [{ utility: { monthlyBill: '12' } }, /utility\.monthlyBill must be a number/],
    [{ utility: null }, /utility must be an object/],
    [{ utility: { bill: 1 } }, /utility\.bill is not a field here/],
    [{ source: { name: 'x'.repeat(201) } }, /source\.name must have at most 200/],
    [{ source: { name: 'a\0b' } }, /NUL/],
    [{ archived: 'true' }, /archived must be true or false/],
    [{ salesRep: 'x'.repeat(321) }, /salesRep must have at most 320/],
    [{ salesRepId: team.rep.id }, /salesRepId is not a field here/],
    [{ externalId: 'x' }, /externalId is not a field here/],
  ]
  for (const [body, message] of wrong) {
    const answer = await patch(id, body)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, message)
  }
})

test('who may', async () => {
  const own = await lead(dealer)
  const foreign = await lead(other)
  const sisters = await lead(sister)
  const at = (id: string) => `/v1/leads/${id}`
  const body = { status: 'contacted', archived: true }
  await assertStatuses(app, [
    ['dealer', dealer.key, 'PATCH', at(own), body, 200],
    ['its installer', key, 'PATCH', at(own), { archived: false }, 200],
    ['a sister', sister.key, 'PATCH', at(own), body, 404],
    ['dealer of a sister’s', dealer.key, 'PATCH', at(sisters), body, 404],
    ['foreign', key, 'PATCH', at(foreign), body, 404],
    ['reader', keys.readOnly, 'PATCH', at(own), body, 403],
    ['other interface', keys.catalogOnly, 'PATCH', at(own), body, 403],
    ['nobody', keys.nobody, 'PATCH', at(own), body, 401],
    ['suspended', keys.suspended, 'PATCH', at(own), body, 401],
  ])
})

test('of an erased customer only the people can change', async () => {
  const id = await lead(dealer)
  await erase(app, installer, id)
  for (const body of [
    { status: 'lost' },
    { archived: false },
    { source: { name: 'Web' } },
    { utility: { name: 'U' } },
  ]) {
    const answer = await patch(id, body)
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.error.message, /was erased/)
  }
  assert.equal((await patch(id, { salesRep: team.rep.email })).body.salesRep.name, 'Rita Rep')
})
