import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { updateMember } from '../../src/domain/tenants/members/update-member.ts'
import { type App, startApp } from '../support/app.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>
interface Row {
  id: string
  email: string
  joining: string
}

/** No mail is sent here: links are read in the outbox, by whoever may. */
let app: App
let attackers: string
let bright: string
let dealer: string
let attacker: Client
let brightsOwner: Client
let brightsAdmin: Client
let dealersOwner: Client
const password = 'the attackers password'

before(async () => {
  app = await startApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  const { db } = app.server.deps
  attackers = (await createCompany(db, new Date(), { name: 'Attack Solar' })).id
  bright = (await createCompany(db, new Date(), { name: 'Bright Ridge' })).id
  dealer = (await createCompany(db, new Date(), { name: 'Doors', installer: bright })).id
  attacker = await signedIn(app, await addPerson(app, attackers, 'owner'))
  brightsOwner = await signedIn(app, await addPerson(app, bright, 'owner', 'Bo Owner'))
  brightsAdmin = await signedIn(app, await addPerson(app, bright, 'admin', 'Ada Admin'))
  dealersOwner = await signedIn(app, await addPerson(app, dealer, 'owner', 'Dora Owner'))
})

async function invite(client: Client, email: string, role = 'rep', company?: string): Promise<string> {
  const body = { email, role, name: 'Vera', ...(company ? { company } : {}) }
  const answer = await client.call('POST', '/people/invitations', { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

async function linkTo(client: Client, email: string): Promise<string> {
  const [mail] = (await client.get(`/mails?to=${encodeURIComponent(email)}`)).body.mails
  const { body } = (await client.get(`/mails/${mail.id}`)).body
  return /\/invitation\?token=([\w-]{20,})/.exec(body)?.[1] ?? assert.fail(`no link: ${body}`)
}

let callers = 0
/** Each call from another place: how often one place may try links is no matter of this file. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${++callers % 250}` })

const open = (path: string, body: object, cookie?: string) =>
  app.send('POST', `/console/api/invitation-link${path}`, {
    body,
    headers: { 'x-sunstead-console': '1', ...elsewhere(), ...(cookie ? { cookie } : {}) },
  })
const accept = (token: string, secret = password) => open('/accept', { token, password: secret })
const companiesOf = async (client: Client): Promise<string[]> =>
  (await client.get('/session')).body.choices.map(({ companyName }: { companyName: string }) => companyName)
const joiningOf = async (client: Client, email: string, company = ''): Promise<string> =>
  (await client.get(`/people${company && `?company=${company}`}`)).body.people.find(
    (row: Row) => row.email === email,
  ).joining
const invitationsOf = (email: string) =>
  app.database.rows<{ id: string; state: string }>(
    'select id, state from invitations where email = $1 order by created_at',
    [email],
  )
/** As though its password had been chosen by a link that came by mail. */
const prove = (email: string) =>
  app.database.rows('update auth_users set "emailVerified" = true where email = $1', [email])

describe('an invitation grants nothing to who holds another company’s link', () => {
  test('nor to an installer that invited the same person first', async () => {
    const email = 'victim@example.com'
    await invite(attacker, email)
    const token = await linkTo(attacker, email)
    await invite(brightsOwner, email, 'admin')
    assert.equal((await accept(token)).status, 200)

    const asVictim = await signedIn(app, { email, password })
    assert.deepEqual(await companiesOf(asVictim), ['Attack Solar'])
    assert.equal(await joiningOf(brightsOwner, email), 'invited')
    // Nobody has proven the address: it is told of nothing, and accepts nothing without the link.
    assert.deepEqual((await asVictim.get('/invitations')).body.invitations, [])
    const [, theirs] = await invitationsOf(email)
    for (const action of ['accept', 'decline'])
      assert.equal((await asVictim.call('POST', `/invitations/${theirs!.id}/${action}`)).status, 404)
    const { memberId } = (await asVictim.get('/session')).body
    const [member] = await app.database.rows<{ id: string }>(
      'select id from members where company_id = $1 and email = $2',
      [bright, email],
    )
    assert.notEqual(memberId, member!.id)
    const swap = await asVictim.call('POST', '/session/company', { body: { memberId: member!.id } })
    assert.equal(swap.status, 404)
    // Both orders: the link of before is read, the other invitation is written afterwards.
    assert.equal((await brightsOwner.call('POST', `/people/${member!.id}/invitation`)).status, 200)
    assert.deepEqual(await companiesOf(asVictim), ['Attack Solar'])
  })

  test('nor to a dealer’s owner, of its own installer', async () => {
    const email = 'climber@example.com'
    await invite(dealersOwner, email)
    const token = await linkTo(dealersOwner, email)
    await invite(brightsOwner, email, 'admin')
    assert.equal((await accept(token)).status, 200)
    const climber = await signedIn(app, { email, password })
    assert.deepEqual(await companiesOf(climber), ['Doors'])
    assert.equal((await climber.get('/session')).body.role, 'rep')
    assert.equal(await joiningOf(brightsOwner, email), 'invited')
    // The dealer's outbox has its own mail only.
    const mails = (await dealersOwner.get(`/mails?to=${email}`)).body.mails
    const invitations = mails.filter(({ subject }: { subject: string }) => /has invited you/.test(subject))
    assert.equal(invitations.length, 1)
  })

  test('and who has an account is made a member by nobody, nor moved', async () => {
    const person = await addPerson(app, bright, 'rep', 'Kim', 'kim@example.com')
    await invite(attacker, person.email, 'owner')
    const kim = await signedIn(app, person)
    assert.deepEqual(await companiesOf(kim), ['Bright Ridge'])
    assert.equal((await kim.get('/session')).body.company.name, 'Bright Ridge')
    // The inviter reads the link, but is somebody else.
    const token = await linkTo(attacker, person.email)
    assert.equal((await accept(token)).status, 400)
    assert.equal((await open('/accept', { token }, attacker.cookie)).status, 403)
    assert.equal((await open('', { token }, attacker.cookie)).body.next, 'signIn')
    assert.equal((await open('/accept', { token })).status, 401)
    await signedIn(app, person)
    assert.equal((await open('/accept', { token }, kim.cookie)).status, 200)
    // Joined by their own will, and still where they were; also next time.
    assert.equal((await kim.get('/session')).body.company.name, 'Bright Ridge')
    assert.equal((await (await signedIn(app, person)).get('/session')).body.company.name, 'Bright Ridge')
  })
})

describe('an invitation', () => {
  test('ends when another is written, it is withdrawn, its member goes, changes address or role', async () => {
    const { db } = app.server.deps
    const endings: [string, (id: string) => Promise<unknown>][] = [
      ['replaced', (id) => brightsOwner.call('POST', `/people/${id}/invitation`)],
      ['withdrawn', (id) => brightsAdmin.call('POST', `/people/${id}/invitation/withdraw`)],
      ['withdrawn', (id) => brightsOwner.call('POST', `/people/${id}/deactivate`, { body: {} })],
      ['withdrawn', (id) => brightsOwner.call('PATCH', `/people/${id}`, { body: { role: 'owner' } })],
      ['withdrawn', (id) => updateMember(db, new Date(), bright, id, { email: `new-${id}@example.com` })],
      ['declined', async () => open('/decline', { token: await linkTo(brightsOwner, 'e5@example.com') })],
    ]
    for (const [index, [state, end]] of endings.entries()) {
      const email = `e${index}@example.com`
      const id = await invite(brightsOwner, email)
      const token = await linkTo(brightsOwner, email)
      assert.equal((await open('', { token })).status, 200)
      await end(id)
      assert.equal((await invitationsOf(email))[0]!.state, state, email)
      for (const path of ['', '/accept', '/decline'])
        assert.equal((await open(path, path === '/accept' ? { token, password } : { token })).status, 404)
      const users = await app.database.rows('select 1 from auth_users where email = $1', [email])
      assert.equal(users.length, 0, 'nothing is made by it')
      const sealed = await app.database.rows(
        'select 1 from mails where to_address = $1 and link_sealed is not null',
        [email],
      )
      assert.equal(sealed.length, state === 'replaced' ? 1 : 0)
    }
    // Who is wanted again is invited again: what ended stays so.
    const id = (await brightsOwner.get('/people')).body.people.find(
      ({ email }: Row) => email === 'e2@example.com',
    ).id
    const before = await invitationsOf('e2@example.com')
    assert.equal((await brightsOwner.call('POST', `/people/${id}/reactivate`)).status, 200)
    assert.deepEqual(await invitationsOf('e2@example.com'), before)
  })

  test('ends by itself, and its link is erased', async () => {
    const email = 'late@example.com'
    const id = await invite(brightsOwner, email)
    const token = await linkTo(brightsOwner, email)
    await app.database.rows(`update invitations set expires_at = now() where member_id = $1`, [id])
    assert.equal((await accept(token)).status, 404)
    assert.equal(await joiningOf(brightsOwner, email), 'expired')
    const mail = (await brightsOwner.get(`/mails?to=${email}`)).body.mails[0]
    assert.equal((await brightsOwner.get(`/mails/${mail.id}`)).body.hidesLink, true)
    assert.equal((await brightsOwner.call('POST', `/people/${id}/invitation`)).status, 200)
    assert.equal((await accept(await linkTo(brightsOwner, email))).status, 200)
  })

  test('is accepted once, by one of those who do so at once', async () => {
    const email = 'race@example.com'
    await invite(brightsOwner, email)
    const token = await linkTo(brightsOwner, email)
    const secrets = ['first password here', 'second password here', 'third password here']
    const answers = await Promise.all(secrets.map((secret) => accept(token, secret)))
    const won = answers.findIndex(({ status }) => status === 200)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.ok(answers.every(({ status }) => [200, 400, 404].includes(status)))
    await signedIn(app, { email, password: secrets[won]! })
    const events = await app.database.rows(
      `select 1 from events where type = 'invitation.accepted' and changes->'email'->>1 = $1`,
      [email],
    )
    assert.equal(events.length, 1)
  })

  test('of two companies, opened at once: one makes the account, the other does not choose its password', async () => {
    const email = 'twice@example.com'
    await invite(brightsOwner, email)
    await invite(attacker, email)
    const tokens = [await linkTo(brightsOwner, email), await linkTo(attacker, email)]
    const answers = await Promise.all(tokens.map((token, i) => accept(token, `password of number ${i}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    const won = answers.findIndex(({ status }) => status === 200)
    const client = await signedIn(app, { email, password: `password of number ${won}` })
    assert.equal((await companiesOf(client)).length, 1)
  })

  test('is no link to choose a password, nor the other way round', async () => {
    const person = await addPerson(app, bright, 'rep', 'Pat', 'pat@example.com')
    await invite(attacker, person.email)
    const token = await linkTo(attacker, person.email)
    const auth = (path: string, body: object) =>
      app.send('POST', `/console/auth${path}`, { body, headers: { origin: app.url } })
    for (const path of ['/reset-password', `/reset-password?token=${token}`])
      assert.equal((await auth(path, { token, newPassword: password })).status, 400)
    await auth('/request-password-reset', { email: person.email })
    const [mail] = await app.database.rows<{ link_sealed: string; installer_id: string; id: string }>(
      `select link_sealed, installer_id, id from mails where link_kind = 'password' order by created_at desc limit 1`,
    )
    const link = app.server.deps.box.open(mail!.link_sealed, `mail-link:${mail!.installer_id}:${mail!.id}`)
    const reset = new URL(link).searchParams.get('token')!
    const pat = await signedIn(app, person)
    assert.equal((await open('/accept', { token: reset }, pat.cookie)).status, 404)
    assert.equal((await accept(reset)).status, 404)
    // Used, it is erased; and it proves nothing, as no mail carried it.
    assert.equal(
      (await auth('/reset-password', { token: reset, newPassword: 'another password' })).status,
      200,
    )
    const [row] = await app.database.rows('select link_sealed from mails where id = $1', [mail!.id])
    assert.deepEqual(row, { link_sealed: null })
    const again = await signedIn(app, { email: person.email, password: 'another password' })
    assert.deepEqual((await again.get('/invitations')).body.invitations, [])
  })

  test('is for the address and nobody’s member twice', async () => {
    const { db } = app.server.deps
    const person = await addPerson(app, bright, 'rep', 'Mo', 'mo@example.com')
    // Their record gets another's address, and another one theirs: accounts stay whose they are.
    await updateMember(db, new Date(), bright, person.id, { email: 'other-mo@example.com' })
    const mo = await signedIn(app, person)
    assert.equal((await mo.get('/session')).body.memberId, person.id)
    await invite(brightsOwner, person.email, 'admin')
    const twice = await open('/accept', { token: await linkTo(brightsOwner, person.email) }, mo.cookie)
    assert.equal(twice.status, 400)
    assert.match(twice.body.error.message, /work for Bright Ridge already/)
    assert.equal((await mo.get('/session')).body.role, 'rep')
    // A record that is given somebody's address takes nothing of theirs.
    const taker = await invite(attacker, 'taker@example.com', 'rep')
    await updateMember(db, new Date(), attackers, taker, { email: person.email })
    assert.deepEqual(await companiesOf(mo), ['Bright Ridge'])
  })

  test('is written at most ten times a day', async () => {
    const id = await invite(brightsOwner, 'often@example.com')
    for (let i = 0; i < 9; i++)
      assert.equal((await brightsOwner.call('POST', `/people/${id}/invitation`)).status, 200)
    const refused = await brightsOwner.call('POST', `/people/${id}/invitation`)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /10 times today/)
    // Nor in the name of one of its dealers: there can be any number of those.
    const body = { email: 'often@example.com', role: 'rep', name: 'Vera', company: dealer }
    assert.equal((await brightsOwner.call('POST', '/people/invitations', { body })).status, 400)
  })

  test('of an owner is for owners to write, to read and to withdraw', async () => {
    const id = await invite(brightsOwner, 'chief@example.com', 'owner')
    for (const path of ['', '/withdraw'])
      assert.equal((await brightsAdmin.call('POST', `/people/${id}/invitation${path}`)).status, 403)
    assert.equal((await dealersOwner.call('POST', `/people/${id}/invitation/withdraw`)).status, 404)
    assert.equal((await attacker.call('POST', `/people/${id}/invitation/withdraw`)).status, 404)
  })
})

describe('a proven address', () => {
  let person: Person
  let client: Client

  before(async () => {
    person = await addPerson(app, bright, 'rep', 'Sam', 'sam@example.com')
    await prove(person.email)
    client = await signedIn(app, person)
  })

  test('is told who invites it, and accepts or declines without the link', async () => {
    const from = async (name: string) => {
      const { id } = await createCompany(app.server.deps.db, new Date(), { name })
      const owner = await signedIn(app, await addPerson(app, id, 'owner', `${name}’s Owner`))
      await invite(owner, ' Sam@EXAMPLE.com ', 'manager')
      return owner
    }
    const yes = await from('Yes Solar')
    const no = await from('No Solar')
    const { invitations } = (await client.get('/invitations')).body
    const shown = invitations.map(({ company, role, from }: Record<string, string>) => [company, role, from])
    assert.deepEqual(shown, [
      ['No Solar', 'manager', 'No Solar’s Owner'],
      ['Yes Solar', 'manager', 'Yes Solar’s Owner'],
    ])
    const [noId, yesId] = invitations.map(({ id }: { id: string }) => id)
    const stranger = await signedIn(app, await addPerson(app, bright, 'setter'))
    for (const id of [yesId, 'invt_none000000', '%00']) {
      const answer = await stranger.call('POST', `/invitations/${id}/accept`)
      assert.equal(answer.status, 404, id)
    }
    assert.equal((await client.call('POST', `/invitations/${noId}/decline`)).status, 200)
    assert.equal(await joiningOf(no, person.email), 'declined')
    const accepted = await client.call('POST', `/invitations/${yesId}/accept`)
    assert.equal(accepted.body.company, 'Yes Solar')
    assert.equal(await joiningOf(yes, person.email), 'joined')
    for (const id of [yesId, noId])
      assert.equal((await client.call('POST', `/invitations/${id}/accept`)).status, 404)
    assert.equal((await client.get('/session')).body.company.name, 'Bright Ridge', 'nobody is moved')
    const noted = await app.database.rows<{ type: string; actor_name: string }>(
      `select type, actor_name from events where type like 'invitation.%' and subject_id = $1 order by at, ordinal`,
      [accepted.body.memberId],
    )
    assert.deepEqual(noted, [
      { type: 'invitation.written', actor_name: 'Yes Solar’s Owner' },
      { type: 'invitation.accepted', actor_name: 'Vera' },
    ])
  })

  test('signs in to the company used last, and each session stays with its own', async () => {
    const { choices } = (await client.get('/session')).body
    const yes = choices.find(({ companyName }: { companyName: string }) => companyName === 'Yes Solar')
    const elsewhere = await signedIn(app, person)
    assert.equal((await elsewhere.get('/session')).body.company.name, 'Bright Ridge')
    await elsewhere.call('POST', '/session/company', { body: { memberId: yes.memberId } })
    assert.equal((await (await signedIn(app, person)).get('/session')).body.company.name, 'Yes Solar')
    assert.equal((await client.get('/session')).body.company.name, 'Bright Ridge')
  })

  test('is told of nothing by a company that is suspended', async () => {
    const { id } = await createCompany(app.server.deps.db, new Date(), { name: 'Gone Solar' })
    await invite(await signedIn(app, await addPerson(app, id, 'owner')), person.email)
    assert.equal((await client.get('/invitations')).body.invitations.length, 1)
    await app.database.rows(`update companies set status = 'suspended' where id = $1`, [id])
    assert.equal((await client.get('/invitations')).body.invitations.length, 0)
  })

  test('without any company still sees what it is invited to', async () => {
    const only = await addPerson(app, attackers, 'rep', 'Lee', 'lee@example.com')
    await prove(only.email)
    await attacker.call('POST', `/people/${only.id}/deactivate`, { body: {} })
    await invite(brightsOwner, only.email)
    const lee = await signedIn(app, only)
    assert.equal((await lee.get('/session')).status, 403)
    const [shown] = (await lee.get('/invitations')).body.invitations
    assert.equal((await lee.call('POST', `/invitations/${shown.id}/accept`)).status, 200)
    assert.equal((await lee.get('/session')).body.company.name, 'Bright Ridge')
  })
})
