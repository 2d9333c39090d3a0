import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateLead } from '../../../src/domain/deals/leads/update-lead.ts'
import { addMember } from '../../../src/domain/tenants/members/add-member.ts'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../support/app.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { address, createWorld, lead, member, project } from '../../support/factories.ts'
import { filteredList, query } from '../../support/filtered-list.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { db } = app.database
const { installer, dealer, sister, other, otherDealer } = world
const rep = await member(world, installer, 'Rita Rep')
const dealersRep = await member(world, dealer, 'Dora Rep')
const foreignRep = await member(world, other, 'Flo Rep')

const ada = await lead(installer, {
  firstName: 'Ada',
  lastName: 'Moreno',
  email: 'Ada.Moreno@Example.com',
  phone: '(619) 555-0100',
  externalId: 'crm-1',
  salesRepEmail: rep.email,
})
const luis = await lead(dealer, {
  firstName: 'Luis',
  lastName: 'Núñez',
  email: 'luis@example.com',
  phone: '+1 619-555-0100',
  externalId: 'crm-1',
  salesRepEmail: dealersRep.email,
  address: { ...address, city: 'Fresno' },
})
const mei = await lead(sister, { firstName: 'Mei', lastName: 'Chen', externalId: 'crm-2', productLine: 'hi' })
const sold = await project(installer, { firstName: 'Omar', lastName: 'Haddad', salesRepEmail: rep.email })
const foreign = await lead(other, {
  firstName: 'Ada',
  lastName: 'Moreno',
  email: 'ada.moreno@example.com',
  phone: '(619) 555-0100',
  externalId: 'crm-1',
})
await updateLead(installer.as(), ada, { status: 'contacted' })
await updateLead(sister.as(), mei, { archived: true })

const times = new Map<string, string>()
for (const { id, updatedAt } of (await app.get('/v1/leads?limit=100', installer.key)).body.data)
  times.set(id, updatedAt)
function byChange(a: string, b: string): number {
  return times.get(a)! < times.get(b)! ? 1 : -1
}

const { ids, status } = filteredList(app, '/v1/leads', installer.key)

test('leads are found by the caller’s own id, in each company', async () => {
  assert.deepEqual(await ids({ externalId: 'crm-1' }), [ada, luis].sort(byChange))
  assert.deepEqual(await ids({ externalId: 'crm-1' }, dealer.key), [luis])
  assert.deepEqual(await ids({ externalId: 'crm-1', companyId: dealer.company.id }), [luis])
  assert.deepEqual(await ids({ externalId: 'crm-1' }, sister.key), [])
  assert.deepEqual(await ids({ externalId: 'CRM-1' }), [])
  assert.deepEqual(await ids({ externalId: 'crm-1' }, otherDealer.key), [])
  assert.equal(await status({ externalId: '' }), 400)
})

test('leads are found by email without case, and by phone in any form', async () => {
  assert.deepEqual(await ids({ email: 'ADA.moreno@example.COM' }), [ada])
  assert.deepEqual(await ids({ email: 'ada.moreno@example.co' }), [])
  assert.deepEqual(await ids({ email: 'ada.moreno@example.com' }, dealer.key), [])
  for (const phone of ['619 555 0100', '+16195550100', '1-619-555-0100', '(619) 555.0100'])
    assert.deepEqual(await ids({ phone }), [luis, ada].sort(byChange), phone)
  assert.deepEqual(await ids({ phone: '6195550100' }, dealer.key), [luis])
  assert.deepEqual(await ids({ phone: '6195550100', email: 'luis@example.com' }), [luis])
  assert.deepEqual(await ids({ phone: '619 555 0199' }), [])
  assert.equal(await status({ phone: 'call me' }), 400)
})

test('leads are found by status, rep, company and words, and by all of them at once', async () => {
  assert.deepEqual(await ids({ status: 'contacted' }), [ada])
  assert.deepEqual(await ids({ status: 'sold' }), [sold.leadId])
  assert.deepEqual(await ids({ status: 'new' }, dealer.key), [luis])
  assert.deepEqual(await ids({ salesRep: rep.id }), [ada, sold.leadId].sort(byChange))
  assert.deepEqual(await ids({ salesRep: rep.email.toUpperCase() }), [ada, sold.leadId].sort(byChange))
  assert.deepEqual(await ids({ salesRep: dealersRep.id }, dealer.key), [luis])
  assert.deepEqual(await ids({ companyId: dealer.company.id }), [luis])
  assert.deepEqual(await ids({ companyId: dealer.company.id }, dealer.key), [luis])
  assert.deepEqual(await ids({ companyId: sister.company.id }), [mei], 'the archive is in it')
  assert.deepEqual(await ids({ search: 'nunez' }), [luis])
  assert.deepEqual(await ids({ search: 'FRESNO lu' }), [luis])
  assert.deepEqual(await ids({ search: 'moreno' }), [ada])
  assert.deepEqual(await ids({ search: 'moreno' }, dealer.key), [])
  assert.deepEqual(await ids({ search: ada }), [ada])
  assert.deepEqual(await ids({ search: '%' }), [])
  assert.deepEqual(await ids({ search: 'mei', productLine: 'hi' }), [mei])
  assert.deepEqual(await ids({ search: 'mei', productLine: 'solar' }), [])
  assert.deepEqual(
    await ids({ salesRep: rep.id, status: 'sold', companyId: installer.company.id, search: 'omar' }),
    [sold.leadId],
  )
  assert.deepEqual(await ids({ salesRep: rep.id, status: 'new' }), [])
})

test('long words are found as a whole, not by their end alone', async () => {
  assert.deepEqual(await ids({ search: 'ada.moreno@example.com' }), [ada])
  assert.deepEqual(await ids({ search: 'moreno@example' }), [ada])
  for (const search of ['eda.moreno@example.com', 'ada.moreno@example.org', `lead_0${ada.slice(-8)}`])
    assert.deepEqual(await ids({ search }), [], search)
  assert.deepEqual(await ids({ search: '+1 (619) 555-0100' }), [luis, ada].sort(byChange))
  assert.deepEqual(await ids({ search: '+16195550100' }), [luis, ada].sort(byChange))
  for (const search of ['+1 (719) 555-0100', '+17195550100', '+16195550101'])
    assert.deepEqual(await ids({ search }), [], search)
})

test('an address with digits before its @ is found by all of it', async () => {
  const named = (email: string) => lead(installer, { firstName: 'Ira', lastName: 'Sol', email })
  const short = await named('home345@example.com')
  const long = await named('home1345@example.com')
  assert.deepEqual(await ids({ search: 'home345@example.com' }), [short])
  assert.deepEqual(await ids({ search: 'home1345@example.com' }), [long])
  assert.deepEqual((await ids({ search: '345@example.com' })).sort(), [short, long].sort())
  assert.deepEqual(await ids({ search: 'home345@example.org' }), [])
})

test('words are found together by all of their letters, whatever they are written in', async () => {
  const named = (firstName: string, lastName: string, line1: string) =>
    lead(installer, { firstName, lastName, address: { ...address, line1 } })
  const juniper = await named('Wren', 'Okonkwo', '345 Juniper Ct')
  const other = await named('Wren', 'Okinkwa', '1345 Uniplex Rd')
  const house = await named('🏠abcdefg', '田中🏠🏠🏠太郎', '9 Elm')
  for (const search of ['345 juniper', 'juniper 345', 'wren junip', 'okonkwo 345 wren ct'])
    assert.deepEqual(await ids({ search }), [juniper], search)
  assert.deepEqual((await ids({ search: 'wren 345' })).sort(), [juniper, other].sort())
  for (const search of ['345 junipers', 'xuniper 345', 'okonkwa wren'])
    assert.deepEqual(await ids({ search }), [], search)
  for (const search of ['🏠abcdefg', '🏠abcdefg elm', '中🏠🏠🏠太 elm', '🏠🏠 🏠🏠🏠太'])
    assert.deepEqual(await ids({ search }), [house], search)
})

test('several numbers are a phone, or each in its place', async () => {
  const grace = await lead(installer, {
    firstName: 'Grace',
    lastName: 'Hill',
    phone: '(951) 555-0177',
    address: { ...address, line1: '4125 Oak Ct', postalCode: '92562' },
  })
  for (const search of [
    '4125 92562',
    '92562 4125',
    '92562 951',
    '951 555 0177',
    '951.555.0177',
    '9515550177',
    '+1 (951) 555-0177',
    '(951) 555-0177 ',
    '92562 41 95',
    '4125 (951)',
  ])
    assert.deepEqual(await ids({ search }), [grace], search)
  for (const search of ['4125 92563', '4126 92562', '951 555 0178', '92562 25'])
    assert.deepEqual(await ids({ search }), [], search)
})

test('every word counts, and more than are looked for are refused', async () => {
  assert.deepEqual(await ids({ search: ' luis nunez fresno 619 555 0100 ' }), [luis])
  assert.deepEqual(await ids({ search: 'luis nunez fresno 619 555 0199' }), [])
  for (const path of ['leads', 'projects']) {
    const searched = (search: string) => app.get(`/v1/${path}?${query({ search })}`, installer.key)
    const refused = await searched('luis nunez fresno 1 2 3 x')
    assert.deepEqual(
      [refused.status, refused.body.error.fields],
      [400, [{ path: 'search', message: 'must hold a letter or a digit, and at most 6 words' }]],
    )
    assert.equal((await searched('a '.repeat(99))).status, 400)
    assert.equal((await searched('a'.repeat(200))).status, 200)
  }
})

test('who has left is still a filter', async () => {
  await updateMember(db, new Date(), installer.company.id, rep.id, { active: false })
  assert.equal((await ids({ salesRep: rep.email })).length, 2)
})

test('what is not there, or not the caller’s, is not found', async () => {
  for (const companyId of [other.company.id, 'comp_01m7egde1e01h969t2e9nkny', 'nobody', '\u{1F600}'])
    assert.equal(await status({ companyId }), 404)
  assert.equal(await status({ companyId: installer.company.id }, dealer.key), 404)
  for (const salesRep of [foreignRep.id, foreignRep.email, 'memb_01m7egde1e01h969t2e9nkny', 'nobody'])
    assert.equal(await status({ salesRep }), 404)
  for (const salesRep of [rep.id, rep.email]) assert.equal(await status({ salesRep }, dealer.key), 404)
  assert.deepEqual(await ids({ search: foreign }), [])
})

test('a search for nothing is refused, and not answered with everything', async () => {
  for (const search of ["'", '\u0301', ' ’ ']) assert.equal(await status({ search }), 400)
})

test('a member of two companies with one email must be named by id', async () => {
  const email = 'both@example.com'
  const named = (of: typeof dealer) => ({ company: of.company.id, email, name: 'Both', role: 'rep' as const })
  const first = await addMember(db, new Date(), named(installer))
  await addMember(db, new Date(), named(dealer))
  const { body } = await app.get(`/v1/leads?salesRep=${email}`, installer.key)
  assert.equal(body.error.code, 'invalid')
  assert.match(body.error.message, new RegExp(first.id))
  assert.deepEqual(await ids({ salesRep: email }, dealer.key), [])
})

test('filters go with order, updatedSince and pages, and cursors are bound to them', async () => {
  const all = await ids({ search: 'last' })
  const more: string[] = []
  for (let i = 0; i < 5; i++)
    more.unshift(await lead(installer, { salesRepEmail: dealersRep.email, status: 'lost' }))
  const fields = { status: 'lost', search: 'last' }
  assert.ok(all.every((id) => !more.includes(id)))
  for (const limit of [1, 2, 3, 5, 6]) {
    assert.deepEqual(await ids({ ...fields, limit }), more)
    assert.deepEqual(await ids({ ...fields, limit, order: 'asc' }), more.toReversed())
  }
  const newest = (await app.get(`/v1/leads/${more[2]}`, installer.key)).body.updatedAt
  assert.deepEqual(await ids({ ...fields, updatedSince: newest, limit: 1 }), more.slice(0, 2))
  assert.deepEqual(await ids({ ...fields, updatedSince: newest, order: 'asc' }), more.slice(0, 2).reverse())
  const { next } = (await app.get(`/v1/leads?${query({ ...fields, limit: 2 })}`, installer.key)).body
  const at = (more: Record<string, string | number>) => status({ limit: 2, cursor: next, ...more })
  assert.equal(await at(fields), 200)
  assert.equal(await at({ status: 'lost' }), 400)
  assert.equal(await at({ ...fields, search: 'first' }), 400)
  assert.equal(await at({ ...fields, status: 'new' }), 400)
  assert.equal(await at({ ...fields, expand: 'project' }), 400)
  assert.equal(await at({ ...fields, companyId: installer.company.id }), 400)
  assert.equal(await at({}), 400)
})

test('whoever has most leads of the database finds none of another’s, nor does the other', {
  skip: oneServerOnly(),
}, async () => {
  await app.database.rows(
    `insert into leads (installer_id, id, company_id, product_line, status, first_name, created_at, updated_at, rendering)
     select $1, 'lead_' || lpad(n::text, 20, '0'), $1, 'solar', 'lost', 'Zed', now(), now() - n * interval '1 day', '{}'
     from generate_series(1, 900) n returning id`,
    [installer.company.id],
  )
  await db.execute('analyze leads')
  const [most] = await app.database.rows<{ share: number }>(
    "select max(f) as share from pg_stats s, unnest(s.most_common_freqs) f where tablename = 'leads' and attname = 'installer_id'",
  )
  assert.ok(most!.share > 0.98, String(most!.share))
  assert.deepEqual(await ids({ search: '6195550100' }), [ada, luis].sort(byChange))
  for (const search of ['moreno ada', 'ada market', 'moreno 619', 'moreno 6195550100'])
    assert.deepEqual(await ids({ search }, other.key), [foreign], search)
  for (const search of ['moreno ada', 'moreno 619']) assert.deepEqual(await ids({ search }), [ada], search)
  assert.deepEqual(await ids({ search: 'moreno zed' }), [])
})
