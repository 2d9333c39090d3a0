import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { LiveChange } from '../../src/api/console/live.ts'
import { writeNote } from '../../src/domain/deals/activities/write-note.ts'
import { updateLead } from '../../src/domain/deals/leads/update-lead.ts'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { createLive } from '../../src/domain/delivery/live/live.ts'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { updateMember } from '../../src/domain/tenants/members/update-member.ts'
import type { Db } from '../../src/platform/db.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, lead, leadBody, project, type World } from '../support/factories.ts'
import { installation } from '../support/panels.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

/** An open page's stream. */
async function listen(app: App, cookie: string) {
  const leaving = new AbortController()
  const answer = await fetch(`${app.url}/console/api/live`, { headers: { cookie }, signal: leaving.signal })
  const waiting: LiveChange[] = []
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    answer,
    leave: () => leaving.abort(),
    /** Everything that is told until, and with, what is waited for. */
    async until(isIt: (change: LiveChange) => boolean): Promise<LiveChange[]> {
      for (;;) {
        const at = waiting.findIndex(isIt)
        if (at >= 0) return waiting.splice(0, at + 1)
        const { value, done } = await reader.read()
        if (done) throw new Error('the stream has ended')
        text += value
        const messages = text.split('\n\n')
        text = messages.pop()!
        for (const message of messages) {
          if (message.startsWith('data: ')) waiting.push(...JSON.parse(message.slice(6)))
        }
      }
    },
    async ended(): Promise<void> {
      while (!(await reader.read()).done);
    },
  }
}

/** Long before a page would be looked after for another reason. */
async function soon(work: Promise<void>): Promise<void> {
  const timer = setTimeout(8_000, 'late', { ref: false })
  assert.notEqual(await Promise.race([work, timer]), 'late')
}

describe('what others change', () => {
  let app: App
  let world: World
  const cookies: Record<string, string> = {}
  const people: Record<string, Person> = {}

  before(async () => {
    app = await startApp()
    world = await createWorld(app.server.deps.db)
    const { installer, dealer, other } = world
    people.owner = await addPerson(app, installer.company.id, 'owner')
    people.rep = await addPerson(app, installer.company.id, 'rep')
    people.dealerOwner = await addPerson(app, dealer.company.id, 'owner')
    people.stranger = await addPerson(app, other.company.id, 'owner')
    for (const [name, person] of Object.entries(people)) cookies[name] = (await signedIn(app, person)).cookie
  })

  test('nobody listens without a session', async () => {
    const { status } = await app.send('GET', '/console/api/live')
    assert.equal(status, 401)
  })

  test('a stage moved by the API is told, in a form that proxies let through', async () => {
    const { projectId, leadId } = await project(world.installer)
    const page = await listen(app, cookies.owner!)
    assert.equal(page.answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(page.answer.headers.get('x-accel-buffering'), 'no')
    assert.match(page.answer.headers.get('cache-control')!, /no-transform/)
    // What happened while the page was being loaded comes first.
    await page.until(({ type }) => type === 'project.created')
    await app.call('POST', `/v1/projects/${projectId}/stage`, {
      key: world.installer.key,
      body: { stage: 'Design' },
    })
    const told = await page.until(({ type }) => type === 'project.updated')
    assert.deepEqual(told, [
      { type: 'project.stage_changed', leadId, projectId },
      { type: 'project.updated', leadId, projectId },
    ])
    page.leave()
  })

  test('each is told of their own: the tenant, the company, the records they are on', async () => {
    const { installer, dealer, other } = world
    const pages = {
      owner: await listen(app, cookies.owner!),
      rep: await listen(app, cookies.rep!),
      dealerOwner: await listen(app, cookies.dealerOwner!),
      stranger: await listen(app, cookies.stranger!),
    }
    const ofInstaller = await lead(installer)
    const ofDealer = await lead(dealer)
    const ofRep = await lead(installer, { salesRepId: people.rep!.id })
    const ofOther = await lead(other)
    const last = await lead(dealer)
    const toldOf = async (page: keyof typeof pages, until: string) => {
      const told = await pages[page].until(({ leadId }) => leadId === until)
      const made = [ofInstaller, ofDealer, ofRep, ofOther, last]
      return told.map(({ leadId }) => leadId).filter((id) => id !== null && made.includes(id))
    }
    assert.deepEqual(await toldOf('owner', last), [ofInstaller, ofDealer, ofRep, last])
    assert.deepEqual(await toldOf('dealerOwner', last), [ofDealer, last])
    assert.deepEqual(await toldOf('rep', ofRep), [ofRep])
    assert.deepEqual(await toldOf('stranger', ofOther), [ofOther])
    for (const page of Object.values(pages)) page.leave()
  })

  test('who is on a project is told what happens at its installation, and not of others', async () => {
    const { installer } = world
    const renamed = async (id: string, name: string) => {
      const { status, text } = await app.send('PATCH', `/catalog/v1/installations/${id}`, {
        key: installer.key,
        body: { name },
      })
      assert.equal(status, 200, text)
    }
    const { leadId, projectId } = await project(installer, { salesRepId: people.rep!.id })
    await moveStage(installer.as(), projectId, 'Installed')
    const [{ id } = { id: '' }] = await app.database.rows<{ id: string }>(
      'select id from installations where project_id = $1',
      [projectId],
    )
    const foreign = await installation(app, installer)
    const page = await listen(app, cookies.rep!)
    await renamed(foreign, 'Another roof')
    await renamed(id, 'Their roof')
    const told = await page.until((change) => change.type === 'installation.updated')
    assert.deepEqual(
      told.filter(({ type }) => type === 'installation.updated').map((change) => change.leadId),
      [leadId],
    )
    page.leave()
  })

  test('a note and a new name are told too', async () => {
    const { projectId } = await project(world.installer)
    const page = await listen(app, cookies.owner!)
    await page.until(({ type }) => type === 'project.created')
    await writeNote(world.installer.as(), { project: projectId }, { body: 'The gate code is 4711' })
    await page.until(({ type }) => type === 'activity')
    await updateMember(world.db, new Date(), world.installer.company.id, people.rep!.id, {
      name: 'Renamed Rep',
    })
    await page.until(({ type }) => type === 'directory')
    page.leave()
  })

  test('a stage that was changed while the page was being loaded is told', async () => {
    const { call, get, cookie } = await signedIn(app, people.owner!)
    const { id, version } = (await get('/ladders')).body.stages[0]
    await call('PATCH', `/stages/${id}`, { body: { version, daysAllowed: 44 } })
    const page = await listen(app, cookie)
    const told = await page.until(({ type }) => type === 'stage.changed')
    assert.ok(told.some(({ type }) => type === 'directory'))
    page.leave()
  })

  test('who is taken off a record is told, and the record is theirs no more', async () => {
    const { installer } = world
    const rep = await signedIn(app, people.rep!)
    const page = await listen(app, rep.cookie)
    const { leadId, projectId } = await project(installer, { salesRepId: people.rep!.id })
    await page.until((change) => change.type === 'project.created' && change.leadId === leadId)
    await updateLead(installer.as(), leadId, { salesRepId: null })
    await page.until((change) => change.type === 'lead.updated' && change.leadId === leadId)
    assert.equal((await rep.get(`/projects/${projectId}`)).status, 404)
    await updateLead(installer.as(), leadId, { notes: 'Not theirs to know' })
    const own = await lead(installer, { salesRepId: people.rep!.id })
    const told = await page.until((change) => change.leadId === own)
    assert.ok(!told.some((change) => change.type === 'lead.updated'))
    page.leave()
  })

  test('a proposal that the customer opens is told', async () => {
    const { projectId } = await project(world.installer)
    const page = await listen(app, cookies.owner!)
    await page.until((change) => change.projectId === projectId)
    const proposal = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body.links.proposal
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605.1' }
    assert.equal((await app.send('GET', new URL(proposal).pathname, { headers })).status, 200)
    await page.until(({ type }) => type === 'activity')
    page.leave()
  })

  test('of a flood it is only told that there is one', async () => {
    const page = await listen(app, cookies.stranger!)
    await lead(world.other)
    await page.until(({ type }) => type === 'lead.created')
    const { id } = world.other.company
    const [clock] = await app.database.rows<{ next: Date }>(
      `select now + interval '1 s' as next from tenant_clocks where installer_id = $1`,
      [id],
    )
    await app.database.rows(
      `with clock as (update tenant_clocks set now = $2 where installer_id = $1 returning now as at)
        insert into events (installer_id, at, ordinal, type, company_id, subject_id, actor_kind)
        select $1, clock.at, n, 'lead.updated', $1, 'lead_x', 'job' from clock, generate_series(1, 500) n`,
      [id, clock!.next],
    )
    const told = await page.until(({ type }) => type === 'everything')
    assert.ok(told.length < 5)
    page.leave()
  })

  test('ends with the session, or where the person may do something else from now on', async () => {
    const { db } = app.server.deps
    const live = createLive(db, assert.fail, { lookMs: 20, tendMs: 20, beatMs: 20 })
    const { id, email } = people.rep!
    const [session] = await app.database.rows<{ id: string }>(
      'select s.id from auth_sessions s join auth_users u on u.id = s."userId" where u.email = $1',
      [email],
    )
    const join = (sessionId: string, role: Role, at = live) => {
      const { promise, resolve } = Promise.withResolvers<string>()
      const leave = at.join({
        scope: { installerId: world.installer.company.id, companyId: null, productLine: null, memberId: id },
        memberId: id,
        role,
        sessionId,
        notify: () => {},
        beat: () => resolve('goes on'),
        end: () => resolve('ended'),
      })
      return { leave, promise }
    }
    const same = join(session!.id, 'rep')
    assert.equal(await same.promise, 'goes on')
    same.leave!()
    assert.equal(await join(session!.id, 'owner').promise, 'ended')
    assert.equal(await join('another session', 'rep').promise, 'ended')
    // One that comes while the others' sessions are looked up is not taken for one without.
    let late: Promise<string> | undefined
    const query: Db['query'] = async (statement, values) => {
      const rows = await db.query(statement, values)
      if (statement.text.includes('auth_sessions')) late ??= join(session!.id, 'rep', crowded).promise
      return rows as never
    }
    const crowded = createLive({ query }, assert.fail, { lookMs: 20, tendMs: 20, beatMs: 20 })
    assert.equal(await join('another session', 'rep', crowded).promise, 'ended')
    assert.equal(await late, 'goes on')
    crowded.close()
    // So many windows nobody has open: it is a program that does not let go.
    const windows = Array.from({ length: 21 }, () => join(session!.id, 'rep'))
    assert.equal(
      windows.findIndex(({ leave }) => leave === null),
      20,
    )
    live.close()
  })

  test('is over when they sign out, or their company requires what they have not shown', async () => {
    const { id: company } = await createCompany(world.db, new Date(), { name: 'Careful Solar' })
    const owner = await addPerson(app, company, 'owner', 'Olga Careful')
    const manager = await addPerson(app, company, 'manager', 'Mona Careful')
    const [leaving, staying, managers] = [
      await signedIn(app, owner),
      await signedIn(app, owner),
      await signedIn(app, manager),
    ]
    const pages = {
      leaving: await listen(app, leaving.cookie),
      staying: await listen(app, staying.cookie),
      manager: await listen(app, managers.cookie),
    }
    await app.send('POST', '/console/auth/sign-out', {
      body: {},
      headers: { origin: app.url, cookie: leaving.cookie },
    })
    await soon(pages.leaving.ended())
    const required = await staying.call('PUT', '/company/second-factor', { body: { required: true } })
    assert.equal(required.status, 200)
    await soon(pages.staying.ended())
    assert.equal((await managers.call('POST', '/leads', { body: leadBody })).status, 201)
    await pages.manager.until(({ type }) => type === 'lead.created')
    pages.manager.leave()
  })

  test('ends with the server', async () => {
    const own = await startApp({ database: app.database })
    const page = await listen(own, cookies.owner!)
    await Promise.all([page.ended(), own.stop()])
  })
})
