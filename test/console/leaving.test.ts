import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { leadBody } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let company: string
let other: string
let owner: Client

before(async () => {
  app = await startApp()
  const { db } = app.server.deps
  company = (await createCompany(db, new Date(), { name: 'Sun & Sons' })).id
  other = (await createCompany(db, new Date(), { name: 'Other Power' })).id
  owner = await signedIn(app, await addPerson(app, company, 'owner', 'Olga Owner'))
})

const leave = (client: Client, { id }: Pick<Person, 'id'>) =>
  client.call('POST', `/account/memberships/${id}/leave`)
const switchTo = (client: Client, { id }: Person) =>
  client.call('POST', '/session/company', { body: { memberId: id } })
const subjectsTo = async ({ email }: Person) =>
  (
    await app.database.rows<{ subject: string }>(
      'select subject from mails where to_address = $1 order by created_at, id',
      [email],
    )
  ).map(({ subject }) => subject)
const eventsOf = async ({ id }: Person) =>
  app.database.rows<{ type: string; actor_name: string }>(
    'select type, actor_name from events where subject_id = $1 order by at, ordinal',
    [id],
  )

describe('who leaves a company by themselves', () => {
  test('is out at once, and comes back by another invitation only', async () => {
    const ada = await addPerson(app, company, 'rep', 'Ada', 'ada@example.com')
    const [here, there] = [await signedIn(app, ada), await signedIn(app, ada)]
    const { address } = (await here.call('POST', '/calendar/feed')).body
    const left = await leave(here, ada)
    assert.equal(left.status, 200, left.text)
    assert.deepEqual(left.body, { choices: [] })
    for (const { get } of [here, there]) assert.equal((await get('/session')).status, 401)
    const calendar = () => app.send('GET', new URL(address).pathname)
    assert.equal((await calendar()).status, 404)
    assert.deepEqual(await eventsOf(ada), [{ type: 'member.left', actor_name: 'Ada' }])
    assert.deepEqual(await subjectsTo(ada), ['You left a company'])

    // Being wanted back is not having agreed.
    assert.equal((await owner.call('POST', `/people/${ada.id}/reactivate`)).status, 200)
    const again = await signedIn(app, ada)
    assert.equal((await again.get('/session')).status, 403)
    assert.equal((await calendar()).status, 404)
    assert.equal((await owner.call('POST', `/people/${ada.id}/invitation`)).status, 200)
    const [mail] = (await owner.get(`/mails?to=${ada.email}`)).body.mails
    const { body } = (await owner.get(`/mails/${mail.id}`)).body
    const token = /token=([\w-]+)/.exec(body)![1]!
    assert.equal((await again.call('POST', '/invitation-link/accept', { body: { token } })).status, 200)
    assert.equal((await again.get('/session')).body.memberId, ada.id)
  })

  test('goes on elsewhere, from when they choose it; nobody leaves for others', async () => {
    const email = 'bea@example.com'
    const here = await addPerson(app, company, 'rep', 'Bea', email)
    const there = await addPerson(app, other, 'manager', 'Bea', email)
    const client = await signedIn(app, here)
    assert.equal((await client.get('/session')).body.memberId, here.id)
    for (const id of ['memb_none000000', '%00', (await owner.get('/session')).body.memberId])
      assert.equal((await leave(client, { id })).status, 404)
    assert.deepEqual((await leave(client, here)).body, {
      choices: [{ memberId: there.id, companyName: 'Other Power' }],
    })
    assert.equal((await client.get('/session')).body.error.code, 'company_ended')
    assert.equal((await switchTo(client, there)).status, 200)
    assert.equal((await client.get('/session')).body.company.name, 'Other Power')
    assert.equal((await leave(client, here)).status, 404)
    // What they were is no matter of the others.
    const others = await app.database.rows<{ company_id: string }>(
      `select company_id from mails where to_address = $1 and subject = 'You left a company'`,
      [email],
    )
    assert.deepEqual(others, [{ company_id: company }])
  })

  test('is never the last owner, also of two who leave at once', async () => {
    const { id } = await createCompany(app.server.deps.db, new Date(), { name: 'Two Owners' })
    const owners = await Promise.all(
      ['Ann', 'Bob'].map((name) => addPerson(app, id, 'owner', name, `${name.toLowerCase()}@two.example`)),
    )
    const clients = await Promise.all(owners.map((one) => signedIn(app, one)))
    const answers = await Promise.all(clients.map((client, at) => leave(client, owners[at]!)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    assert.match(answers.find(({ status }) => status === 400)!.body.error.message, /is the last owner/)
  })
})

test('what a page means for one company is not done in another', async () => {
  const email = 'cora@example.com'
  const here = await addPerson(app, company, 'manager', 'Cora', email)
  const there = await addPerson(app, other, 'manager', 'Cora', email)
  const client = await signedIn(app, here)
  const add = ({ id }: Person) =>
    client.call('POST', '/leads', { body: leadBody, headers: { 'x-sunstead-member': id } })
  assert.equal((await add(here)).status, 201)
  // In another window of the same browser.
  assert.equal((await switchTo(client, there)).status, 200)
  const refused = await add(here)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'other_company')
  assert.equal((await client.get('/leads')).body.leads.length, 0)
  assert.equal((await add(there)).status, 201)
})

describe('a second factor that a colleague has lost', () => {
  const reset = (client: Client, id: string) => client.call('POST', `/people/${id}/second-factor/reset`)

  async function guarded(name: string, role: 'rep' | 'owner' | 'admin' = 'rep', at = company) {
    const person = await addPerson(app, at, role, name, `${name.toLowerCase()}@guarded.example`)
    await app.database.rows(
      `with passkey as (
          insert into auth_passkeys (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
          select $1, 'x', id, $1, 0, 'singleDevice', false from auth_users where email = $1)
        update auth_users set "twoFactorEnabled" = true where email = $1`,
      [person.email],
    )
    return person
  }
  const factorsOf = async ({ email }: Person) =>
    (
      await app.database.rows<{ codes: boolean; passkeys: number; sessions: number }>(
        `select u."twoFactorEnabled" as codes,
          (select count(*)::int from auth_passkeys p where p."userId" = u.id) as passkeys,
          (select count(*)::int from auth_sessions s where s."userId" = u.id) as sessions
          from auth_users u where u.email = $1`,
        [email],
      )
    )[0]
  const stateOf = async ({ id }: Person) =>
    (await owner.get('/people')).body.people.find((one: Person) => one.id === id).secondFactor

  test('is reset by an owner or admin, who is not let in by it', async () => {
    const person = await addPerson(app, company, 'rep', 'Dora', 'dora@guarded.example')
    const { get } = await signedIn(app, person)
    await app.database.rows('update auth_users set "twoFactorEnabled" = true where email = $1', [
      person.email,
    ])
    assert.equal(await stateOf(person), 'set')
    assert.equal((await reset(owner, person.id)).status, 200)
    assert.deepEqual(await factorsOf(person), { codes: false, passkeys: 0, sessions: 0 })
    assert.equal(await stateOf(person), 'none')
    assert.equal((await get('/session')).status, 401)
    // Their password is still theirs alone.
    assert.equal((await (await signedIn(app, person)).get('/session')).status, 200)
    const [mail] = await app.database.rows<{ subject: string; body: string }>(
      `select subject, body from mails where to_address = $1 and subject like '%second factor%'`,
      [person.email],
    )
    assert.equal(mail?.subject, 'Your second factor was reset')
    assert.match(mail.body, /By: Olga Owner\nCompany: Sun & Sons/)
    assert.deepEqual(await eventsOf(person), [
      { type: 'member.second_factor_reset', actor_name: 'Olga Owner' },
    ])
    assert.match((await reset(owner, person.id)).body.error.message, /has no second factor/)
  })

  test('stays where it guards another company too, even one that let them go', async () => {
    const person = await guarded('Eva')
    const elsewhere = await addPerson(app, other, 'rep', 'Eva', person.email)
    const refused = async () => {
      const { status, body } = await reset(owner, person.id)
      assert.equal(status, 400)
      assert.match(body.error.message, /Ask whoever runs the server/)
      assert.deepEqual(await factorsOf(person), { codes: true, passkeys: 1, sessions: 0 })
    }
    await refused()
    await app.database.rows('update members set deactivated_at = now() where id = $1', [elsewhere.id])
    await refused()
  })

  test('of oneself, an owner or a stranger is not an admin’s to reset', async () => {
    const fred = await addPerson(app, company, 'admin', 'Fred')
    const admin = await signedIn(app, fred)
    assert.equal((await reset(admin, fred.id)).status, 400)
    const boss = await guarded('Greta', 'owner')
    assert.equal((await reset(admin, boss.id)).status, 403)
    const foreign = await guarded('Hans', 'rep', other)
    assert.equal((await reset(admin, foreign.id)).status, 404)
    for (const person of [boss, foreign])
      assert.deepEqual(await factorsOf(person), { codes: true, passkeys: 1, sessions: 0 })
    const invited = await owner.call('POST', '/people/invitations', {
      body: { email: 'new@guarded.example', name: 'New', role: 'rep' },
    })
    assert.equal((await reset(admin, invited.body.id)).status, 400)
    assert.equal((await reset(owner, boss.id)).status, 200)
  })
})
