import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, leadBody, member, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

let app: App
let world: World
let olga: Person
let owner: Client
let admin: Client
let company: string

before(async () => {
  app = await startApp()
  world = await createWorld(app.database.db)
  company = world.installer.company.id
  olga = await addPerson(app, company, 'owner', 'Olga Owner')
  owner = await signedIn(app, olga)
  admin = await signedIn(app, await addPerson(app, company, 'admin', 'Adam Admin'))
})

const change = (client: Client, id: string, body: object) => client.call('PATCH', `/people/${id}`, { body })
const deactivate = (client: Client, id: string, body = {}) =>
  client.call('POST', `/people/${id}/deactivate`, { body })
const eventsOf = (id: string) =>
  app.database.rows<{ type: string; changes: object; actor_name: string }>(
    'select type, changes, actor_name from events where subject_id = $1 order by at, ordinal',
    [id],
  )

/** Waits until a person's work has gone to another. */
async function reassigned(client: Client, id: string) {
  const end = Date.now() + 60_000
  for (;;) {
    const { body } = await client.get(`/people/${id}/work`)
    if (body.reassignment && body.reassignment.state !== 'running') return body
    assert.ok(Date.now() < end, 'the work is still on its way')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a person', () => {
  test('gets another name, phone and role, each noted from what to what', async () => {
    const rita = await member(world, world.installer, 'Rita Rep')
    const leadId = await lead(world.installer, { salesRepId: rita.id })
    const body = { name: ' Rita Newname ', phone: '+1 619 555 0100', role: 'manager' }
    assert.equal((await change(admin, rita.id, body)).status, 200)
    const { salesRep } = (await app.get(`/v1/leads/${leadId}`, world.installer.key)).body
    assert.deepEqual([salesRep.name, salesRep.phone], ['Rita Newname', '+1 619 555 0100'])
    const [noted] = await eventsOf(rita.id)
    assert.deepEqual(noted, {
      type: 'member.changed',
      actor_name: 'Adam Admin',
      changes: {
        name: ['Rita Rep', 'Rita Newname'],
        phone: ['+1 619 555 0188', '+1 619 555 0100'],
        role: ['rep', 'manager'],
      },
    })
    assert.equal((await change(admin, rita.id, { phone: null })).status, 200)
    const { people } = (await owner.get('/people')).body
    assert.equal(people.find(({ id }: { id: string }) => id === rita.id).phone, null)
    for (const wrong of [{}, { name: ' ' }, { role: 'king' }, { email: 'x@example.com' }, { phone: 7 }])
      assert.equal((await change(owner, rita.id, wrong)).status, 400, JSON.stringify(wrong))
  })

  test('only owners make and change owners, and a company keeps one', async () => {
    const ben = await member(world, world.installer, 'Ben Both', 'manager')
    assert.equal((await change(admin, ben.id, { role: 'owner' })).status, 403)
    assert.equal((await change(admin, olga.id, { name: 'Somebody' })).status, 403)
    assert.equal((await deactivate(admin, olga.id)).status, 403)
    for (const refused of [await change(owner, olga.id, { role: 'admin' }), await deactivate(owner, olga.id)])
      assert.equal(refused.status, 400)
    assert.equal((await change(owner, ben.id, { role: 'owner' })).status, 200)
    assert.equal((await change(owner, ben.id, { role: 'manager' })).status, 200)
    const last = await change(owner, olga.id, { role: 'admin' })
    assert.match(last.body.error.message, /the last owner/)
  })

  test('a dealer’s people are the installer’s to change too, and nobody else’s', async () => {
    const dora = await member(world, world.dealer, 'Dora Dealer')
    assert.equal((await change(admin, dora.id, { role: 'setter' })).status, 200)
    const dealersAdmin = await signedIn(app, await addPerson(app, world.dealer.company.id, 'admin'))
    assert.equal((await change(dealersAdmin, dora.id, { role: 'rep' })).status, 200)
    const stranger = await member(world, world.other, 'Stan Stranger')
    for (const id of [olga.id, stranger.id, 'memb_none000000', '%00']) {
      assert.equal((await change(dealersAdmin, id, { role: 'rep' })).status, 404, id)
      assert.equal((await deactivate(dealersAdmin, id)).status, 404, id)
      assert.equal((await dealersAdmin.get(`/people/${id}/work`)).status, 404, id)
    }
  })
})

describe('who is deactivated', () => {
  test('is out at once, with open pages and calendars; reactivated, they sign in again', async () => {
    const gus = await addPerson(app, company, 'manager', 'Gus Gone', 'gus@example.com')
    const client = await signedIn(app, gus)
    const { address } = (await client.call('POST', '/calendar/feed')).body
    const live = await fetch(`${app.url}/console/api/live`, { headers: { cookie: client.cookie } })
    const calendar = () => app.send('GET', new URL(address).pathname)
    assert.equal((await calendar()).status, 200)
    assert.equal((await deactivate(admin, gus.id)).status, 200)
    assert.equal((await client.get('/session')).status, 401)
    assert.equal((await calendar()).status, 404)
    // The stream ends of itself: read to its end.
    await live.text()
    const again = await app.send('POST', '/console/auth/sign-in/email', {
      body: { email: gus.email, password: gus.password },
      headers: { origin: app.url },
    })
    assert.equal(again.status, 200)
    const cookie = [again.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0])
    const refused = await app.send('GET', '/console/api/session', { headers: { cookie: cookie.join('; ') } })
    assert.match(refused.body.error.message, /your access was ended/)

    assert.equal((await admin.call('POST', `/people/${gus.id}/reactivate`)).status, 200)
    assert.equal((await (await signedIn(app, gus)).get('/session')).status, 200)
    assert.equal((await client.get('/session')).status, 401, 'the old session stays ended')
    assert.deepEqual(
      (await eventsOf(gus.id)).map(({ type, changes }) => [type, changes]),
      [
        ['member.deactivated', { active: [true, false] }],
        ['member.reactivated', { active: [false, true] }],
      ],
    )
    assert.equal((await app.get('/v1/me', world.installer.key)).status, 200, 'keys stay')
  })

  test('and works elsewhere too stays signed in, and goes there when they say so', async () => {
    const email = 'two@example.com'
    const here = await addPerson(app, company, 'rep', 'Two Jobs', email)
    const there = await addPerson(app, world.other.company.id, 'rep', 'Two Jobs', email)
    const client = await signedIn(app, here)
    assert.equal((await client.get('/session')).status, 200)
    assert.equal((await deactivate(owner, here.id)).status, 200)
    // What they were about to do was meant for the one that let them go.
    for (const answer of [
      await client.get('/session'),
      await client.call('POST', '/leads', { body: leadBody }),
    ]) {
      assert.equal(answer.status, 403)
      assert.equal(answer.body.error.code, 'company_ended')
    }
    const { choices, factorGap } = (await client.get('/account')).body
    assert.deepEqual(
      [choices, factorGap],
      [[{ memberId: there.id, companyName: 'Other Power', current: false }], null],
    )
    assert.equal((await client.call('POST', '/session/company', { body: { memberId: here.id } })).status, 404)
    assert.equal(
      (await client.call('POST', '/session/company', { body: { memberId: there.id } })).status,
      200,
    )
    assert.equal((await client.get('/session')).body.company.name, 'Other Power')
    assert.equal((await client.get('/leads')).body.leads.length, 0)
  })

  test('nobody deactivates themselves', async () => {
    const { memberId } = (await admin.get('/session')).body
    assert.equal((await deactivate(admin, memberId)).status, 400)
  })
})

describe('work that goes to another', () => {
  test('open leads and projects change as by hand, in every place; what is over stays', async () => {
    const { installer } = world
    const from = await member(world, installer, 'Fran From')
    const to = await member(world, installer, 'Tina To')
    const open = await lead(installer, { salesRepId: from.id, setterId: from.id })
    const { leadId, projectId } = await project(installer, { setterId: from.id })
    await owner.call('PATCH', `/projects/${projectId}`, {
      body: { projectManagerId: from.id, siteSurveyorId: from.id },
    })
    const lost = await lead(installer, { salesRepId: from.id })
    await owner.call('PATCH', `/leads/${lost}`, { body: { status: 'lost' } })
    const archived = await lead(installer, { salesRepId: from.id })
    await owner.call('POST', '/leads/bulk', { body: { ids: [archived], archive: true } })
    const many = await Promise.all(
      Array.from({ length: 130 }, () => lead(installer, { salesRepId: from.id })),
    )
    const since = (await app.get(`/v1/leads/${open}`, installer.key)).body.updatedAt

    assert.equal((await owner.get(`/people/${from.id}/work`)).body.open, 132)
    assert.equal((await deactivate(owner, from.id, { workTo: to.id })).status, 200)
    const work = await reassigned(owner, from.id)
    const { id } = work.reassignment
    assert.deepEqual(work, {
      open: 0,
      reassignment: { id, toMemberId: to.id, state: 'done', failure: null, done: 132, total: 132 },
    })

    const read = (await app.get(`/v1/leads/${open}`, installer.key)).body
    assert.deepEqual([read.salesRep.name, read.setter.name], ['Tina To', 'Tina To'])
    assert.ok(read.updatedAt > since)
    const sold = (await app.get(`/v1/projects/${projectId}`, installer.key)).body
    assert.deepEqual(
      [sold.setter.name, sold.projectManager.name, sold.siteSurveyor.name],
      ['Tina To', 'Tina To', 'Tina To'],
    )
    for (const id of [lost, archived])
      assert.equal((await app.get(`/v1/leads/${id}`, installer.key)).body.salesRep.name, 'Fran From')
    const [{ kept }] = (await app.database.rows<{ kept: number }>(
      'select count(*)::int as kept from leads where id = any($1) and sales_rep_id = $2',
      [many, to.id],
    )) as [{ kept: number }]
    assert.equal(kept, many.length)

    const { activities } = (await owner.get(`/leads/${open}/activities`)).body
    assert.match(activities[0].body, /Assigned to Tina To \(sales rep\) and Tina To \(setter\)/)
    const [event] = await app.database.rows<{ changes: object; actor_name: string }>(
      `select changes, actor_name from events where type = 'project.updated' and project_id = $1 order by at desc limit 1`,
      [projectId],
    )
    assert.deepEqual(event, {
      actor_name: 'Olga Owner',
      changes: {
        setterId: [from.id, to.id],
        projectManagerId: [from.id, to.id],
        siteSurveyorId: [from.id, to.id],
      },
    })
    const told = await app.database.rows('select text from notifications where member_id = $1', [to.id])
    assert.deepEqual(told, [{ text: "Fran From's open work is now yours" }])
    const { stale } = await checkRenderings(app.database.db, new Date(), company, false)
    assert.deepEqual(stale, [])
    assert.ok(leadId)
  })

  test('goes to an active member of the same company only', async () => {
    const from = await member(world, world.dealer, 'Doug Doors')
    const dealer = await member(world, world.dealer, 'Dina Doors')
    const gone = await member(world, world.dealer, 'Glen Gone')
    assert.equal((await deactivate(owner, gone.id)).status, 200)
    const give = (to: string) => owner.call('POST', `/people/${from.id}/work`, { body: { to } })
    for (const to of [olga.id, gone.id, from.id, 'memb_none000000'])
      assert.equal((await give(to)).status, 400, to)
    assert.equal((await deactivate(owner, from.id, { workTo: olga.id })).status, 400)
    const { people } = (await owner.get(`/people?company=${world.dealer.company.id}`)).body
    assert.ok(people.find(({ id }: { id: string }) => id === from.id).active, 'nothing is half done')
    await lead(world.dealer, { salesRepId: from.id })
    assert.equal((await give(dealer.id)).status, 201)
    assert.equal((await reassigned(owner, from.id)).reassignment.done, 1)
  })
})
