import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fastify from 'fastify'
import { consoleFace } from '../../src/api/console/plugin.ts'
import { createSessions } from '../../src/api/console/sessions.ts'
import { propose } from '../../src/domain/agents/propose.ts'
import { orderRun } from '../../src/domain/billing/runs/order-run.ts'
import { runKind } from '../../src/domain/billing/runs/run.ts'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { sellLead } from '../../src/domain/deals/sale/sell-lead.ts'
import { createLongJob } from '../../src/domain/journal/long-jobs/create-long-job.ts'
import type { LongJob } from '../../src/domain/journal/long-jobs/long-job.ts'
import { writeMail } from '../../src/domain/journal/mails/write-mail.ts'
import { bumpDirectory } from '../../src/domain/kernel/tenant/clock-queries.ts'
import { type Role, roles } from '../../src/domain/kernel/tenant/member.ts'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { saveLogo } from '../../src/domain/tenants/companies/logo-queries.ts'
import { insertStage } from '../../src/domain/tenants/ladders/queries.ts'
import { inviteByOperator } from '../../src/domain/tenants/people/invite-by-operator.ts'
import { newId } from '../../src/platform/ids.ts'
import { logoPicture } from '../../src/platform/logo-picture.ts'
import { agentOf, saleOf } from '../support/agents.ts'
import { type App, startApp } from '../support/app.ts'
import { type ConsoleRoute, consoleRoutes, type Ids, mayCall, type Seat } from '../support/console-routes.ts'
import {
  type Actors,
  adder,
  createWorld,
  equipment,
  keyFor,
  lead,
  member,
  project,
  solarSale,
  type World,
} from '../support/factories.ts'
import { importIn } from '../support/imports.ts'
import { creditIn, invoiceIn, plan, site } from '../support/invoices.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { png } from '../support/sample-files.ts'
import { stock } from '../support/stock.ts'
import { watchedIn, webhookIn } from '../support/watched.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

const onProjectsOnly: Role[] = ['surveyor', 'subcontractor']
const ofProjects: (keyof Ids)[] = [
  'leadId',
  'projectId',
  'fileId',
  'linkId',
  'installationId',
  'alertId',
  'quarantinedId',
  'proposalId',
]
const ofOnePerson: (keyof Ids)[] = ['sessionId', 'viewId', 'membershipId', 'invitationId']
const ownOnly: Role[] = ['rep', 'setter', ...onProjectsOnly]
const nothing: Omit<Ids, 'stageId' | 'panelId' | 'inverterId' | 'ladder'> = {
  leadId: 'lead_none000000',
  projectId: 'proj_none000000',
  moveId: 'move_none000000',
  fileId: 'file_none000000',
  linkId: 'link_none000000',
  sessionId: 'none',
  viewId: 'view_none000000',
  memberId: 'memb_none000000',
  keyId: 'key_none000000',
  importId: 'imp_none000000',
  webhookId: 'we_none000000',
  deliveryId: 'dlv_none000000',
  installationId: 'inst_none000000',
  alertId: 'alrt_none000000',
  quarantinedId: 'qrd_none000000',
  ladderStageId: 'stg_none000000',
  adderId: 'adder_none000000',
  equipmentId: 'equip_none000000',
  companyId: 'comp_none000000',
  dealerId: 'comp_none000000',
  mailId: 'mail_none000000',
  invitedId: 'memb_none000000',
  guardedId: 'memb_none000000',
  membershipId: 'memb_none000000',
  invitationId: 'invt_none000000',
  invoiceId: 'inv_none000000',
  creditId: 'cred_none000000',
  billedId: 'inst_none000000',
  runId: 'job_none000000',
  jobId: 'job_none000000',
  proposalId: 'agp_none000000',
}

/** What a file or a delivery is looked for in. */
const ownerOf: Partial<Record<keyof Ids, 'projectId' | 'webhookId'>> = {
  fileId: 'projectId',
  linkId: 'projectId',
  deliveryId: 'webhookId',
}

describe('who may call what in the console', () => {
  let app: App
  let world: World
  let fixed: Pick<Ids, 'stageId' | 'panelId' | 'inverterId' | 'ladder'>
  let stranger: Person
  const seats: Seat[] = []
  const clients = new Map<string, Client>()
  const stocks = new Map<Actors, { panel: { id: string }; inverter: { id: string } }>()
  let made = 0

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    for (const company of ['installer', 'dealer'] as const)
      for (const role of roles) {
        const seat = { ...(await addPerson(app, world[company].company.id, role)), company, role }
        seats.push(seat)
        clients.set(seat.id, await signedIn(app, seat))
      }
    stranger = await addPerson(app, world.other.company.id, 'owner')
    clients.set(stranger.id, await signedIn(app, stranger))
    const { panel, inverter } = await stock(world.installer)
    stocks.set(world.installer, { panel, inverter }).set(world.other, await stock(world.other))
    const picture = await logoPicture(png)
    for (const { company } of [world.installer, world.dealer])
      await saveLogo(world.db, {
        installerId: company.installerId,
        companyId: company.id,
        png: picture,
        sha256: 'f'.repeat(64),
        now: new Date(),
      })
    const { ladders } = (await clients.get(seats[0]!.id)!.get('/session')).body
    const survey = ladders.solar.find(({ name }: { name: string }) => name === 'Site Survey')
    const ladder = ladders.solar.map(({ id }: { id: string }) => id)
    fixed = { stageId: survey.id, panelId: panel.id, inverterId: inverter.id, ladder }
  })

  /** A lead, and its project where it is sold, with people on it where it is somebody's, and what was built. */
  async function record(of: Actors, route: ConsoleRoute, seat?: Seat): Promise<Partial<Ids>> {
    const { id, unsold, justSold } = route
    if (!id || !ofProjects.includes(id)) return {}
    const on = (role: Role) =>
      seat ? seats.find((one) => one.company === seat.company && one.role === role)!.id : null
    const people = { firstName: 'Ada', salesRepId: on('rep'), setterId: on('setter') }
    const seesUnsold = !(seat && onProjectsOnly.includes(seat.role))
    if (unsold && seesUnsold) {
      const leadId = await lead(of, people)
      return id === 'proposalId' ? { leadId, proposalId: await saleProposed(of, leadId) } : { leadId }
    }
    if (justSold && seesUnsold) {
      const leadId = await lead(of, people)
      const { projectId, undoable } = await sellLead(of.as(), leadId, solarSale, { undoable: true })
      return { leadId, projectId, moveId: undoable!.id }
    }
    const sold = await project(of, people, {
      siteSurveyorId: on('surveyor'),
      subcontractorId: on('subcontractor'),
    })
    const { undoable } = await moveStage(installerOf(of).as(), sold.projectId, 'Site Survey', {
      undoable: true,
    })
    const made = { ...sold, moveId: undoable!.id }
    if (id === 'installationId' || id === 'alertId' || id === 'quarantinedId')
      return { ...made, ...(await watchedIn(app.database, of, sold.projectId)) }
    if (id === 'linkId') return { ...made, linkId: await shareFolder(of, sold.projectId, seat) }
    return id === 'fileId' ? { ...made, fileId: await addFile(of, sold.projectId) } : made
  }

  async function saleProposed(of: Actors, leadId: string): Promise<string> {
    const agent = await agentOf(world, of)
    const { panel, inverter } = stocks.get(installerOf(of))!
    return (await propose(agent.as(), saleOf(leadId, panel.id, inverter.id))).id
  }

  const installerOf = (of: Actors) =>
    of.company.installerId === world.other.company.id ? world.other : world.installer

  const dealerOf = (of: Actors) => {
    if (of === world.installer) return world.sister.company.id
    return of === world.other ? world.otherDealer.company.id : of.company.id
  }

  async function failedMail({ company: { installerId, id: companyId } }: Actors): Promise<string> {
    const mail = { installerId, companyId, to: 'ada@example.com', subject: 'Hello', body: 'Hello Ada' }
    const id = await writeMail(world.db, new Date(), mail)
    await app.database.rows(`update mails set state = 'failed' where id = $1`, [id])
    return id
  }

  async function invitedMember(of: Actors): Promise<string> {
    const { id } = await member(world, of, `Newcomer ${++made}`)
    const who = installerOf(of) === world.other ? stranger.id : seats[0]!.id
    assert.equal((await clients.get(who)!.call('POST', `/people/${id}/invitation`)).status, 200)
    return id
  }

  async function guardedMember({ company }: Actors): Promise<string> {
    const email = `guarded${++made}@example.com`
    const { id } = await addPerson(app, company.id, 'rep', 'Guarded', email)
    await app.database.rows('update auth_users set "twoFactorEnabled" = true where email = $1', [email])
    return id
  }

  async function membershipOf({ name, email }: Person): Promise<string> {
    const { id } = await createCompany(world.db, new Date(), { name: `Company ${++made}` })
    return (await addPerson(app, id, 'rep', name, email)).id
  }

  /** From a company that they do not work for yet. */
  async function invitationTo({ email }: Person): Promise<string> {
    await app.database.rows('update auth_users set "emailVerified" = true where email = $1', [email])
    const { id: company } = await createCompany(world.db, new Date(), { name: `Company ${++made}` })
    await inviteByOperator(
      world.db,
      new Date(),
      { baseUrl: app.url, box: app.server.deps.box },
      {
        ...{ company, email, name: 'Somebody', role: 'rep' },
      },
    )
    const [row] = await app.database.rows<{ id: string }>(
      'select id from invitations where company_id = $1',
      [company],
    )
    return row!.id
  }

  async function addFile(of: Actors, projectId: string): Promise<string> {
    const { cookie } = clients.get(installerOf(of) === world.other ? stranger.id : seats[0]!.id)!
    const path = `/console/api/projects/${projectId}/files?folder=permit&name=permit.png`
    const headers = { cookie, 'x-sunstead-console': '1' }
    return (await app.send('PUT', path, { raw: png, headers })).body.id
  }

  async function shareFolder(of: Actors, projectId: string, seat?: Seat): Promise<string> {
    const maker = seat ?? (installerOf(of) === world.other ? stranger : seats[0]!)
    const body = { kind: 'folder', folder: 'siteSurvey' }
    return (await clients.get(maker.id)!.call('POST', `/projects/${projectId}/links`, { body })).body.id
  }

  /** What else belongs to a company or to one of its people. */
  async function belonging(of: Actors, person: Person, route: ConsoleRoute): Promise<Partial<Ids>> {
    const { id, state, invoice = 'draft' } = route
    if (id === 'memberId') return { memberId: (await member(world, of, `Colleague ${++made}`)).id }
    if (id === 'keyId') return { keyId: (await keyFor(world, of)).key.id }
    if (id === 'companyId') return { companyId: of.company.id }
    if (id === 'dealerId') return { dealerId: dealerOf(of) }
    if (id === 'invitedId') return { invitedId: await invitedMember(of) }
    if (id === 'guardedId') return { guardedId: await guardedMember(of) }
    if (id === 'membershipId') return { membershipId: await membershipOf(person) }
    if (id === 'invitationId') return { invitationId: await invitationTo(person) }
    if (id === 'mailId') return { mailId: await failedMail(of) }
    if (id === 'invoiceId') return { invoiceId: await invoiceIn(app, of.key, invoice) }
    if (id === 'creditId') return { creditId: await creditIn(app, of.key) }
    if (id === 'billedId') return { billedId: await planned(of) }
    if (id === 'runId') return { runId: (await orderedRun(of)).id }
    if (id === 'jobId') return { jobId: (await heldRun(of)).id }
    if (id === 'webhookId' || id === 'deliveryId') return webhookIn(app.database, of)
    if (id === 'importId') return { importId: await importIn(app.database, of, state ?? 'mapping') }
    if (id === 'ladderStageId') return { ladderStageId: await stage(installerOf(of)) }
    if (id === 'adderId') return { adderId: (await adder(installerOf(of), ++made)).id }
    if (id === 'equipmentId') return { equipmentId: (await battery(installerOf(of))).id }
    if (id === 'sessionId') {
      const { sessions } = (await (await signedIn(app, person)).get('/account')).body
      return { sessionId: sessions.find(({ current }: { current: boolean }) => current).id }
    }
    if (id !== 'viewId') return {}
    const body = { page: 'leads', name: `View ${++made}`, query: '' }
    return { viewId: (await clients.get(person.id)!.call('POST', '/views', { body })).body.id }
  }

  async function planned(of: Actors): Promise<string> {
    const id = await site(app.database, of)
    await plan(of, id)
    await app.database.rows(
      `insert into billing_months (installer_id, installation_id, month, state, reason, at)
       values ($1, $2, '2026-01-01', 'held', 'Nothing came in.', now())`,
      [of.company.installerId, id],
    )
    return id
  }

  const orderedRun = (of: Actors) => {
    const ctx = of.as()
    return orderRun({ ...ctx, actor: { ...ctx.actor, id: 'memb_none000000' } }, '2026-01')
  }

  /** One that the server does not work on. */
  async function heldRun(of: Actors): Promise<LongJob> {
    const { actor, now } = of.as()
    const { companyId } = actor
    const month = {
      kind: runKind,
      subjectId: newId('comp'),
      companyId,
      input: { month: '2026-01-01' },
      total: 9,
    }
    return (await createLongJob(world.db, actor, now, { ...month, heldUntil: new Date('2099-01-01') }))!
  }

  async function stage(of: Actors): Promise<string> {
    const id = newId('stg')
    const plain = {
      milestone: null,
      daysAllowed: null,
      checklist: [],
      alerts: [],
      messages: [],
      retired: false,
    }
    const place = { productLine: 'hi' as const, position: ++made, name: `Stage ${made}` }
    await world.db.transaction(async (tx) => {
      await bumpDirectory(tx, of.company.id)
      await insertStage(tx, of.company.id, { id, ...place, ...plain })
    })
    return id
  }

  const battery = (of: Actors) =>
    equipment(of, ++made, {
      kind: 'battery',
      manufacturer: 'Voltessa',
      model: `Cellar ${made}`,
      default: false,
      capacityKwh: null,
      continuousOutputWatts: null,
      warrantyYears: null,
    })

  const kept = new Map<string, Promise<Partial<Ids>>>()

  /** What no call changes is made once for all routes that ask for the same. */
  function keptOnce(of: Actors, route: ConsoleRoute, whose: string, make: () => Promise<Partial<Ids>>) {
    const { id, unsold, justSold, state, invoice } = route
    const kind = JSON.stringify([of.company.id, whose, id, unsold, justSold, state, invoice])
    const made = kept.get(kind) ?? make()
    kept.set(kind, made)
    return made
  }

  async function own(seat: Seat, route: ConsoleRoute, isChanged: boolean): Promise<Ids> {
    const of = world[seat.company]
    const make = async () => ({ ...(await record(of, route, seat)), ...(await belonging(of, seat, route)) })
    const whose = ofOnePerson.includes(route.id!) ? seat.id : `${onProjectsOnly.includes(seat.role)}`
    return { ...nothing, ...fixed, ...(await (isChanged ? make() : keptOnce(of, route, whose, make))) }
  }

  /** What is there, but for others: another tenant, another company, somebody else. */
  async function others(route: ConsoleRoute): Promise<(seat: Seat) => Ids[]> {
    const ids = async (of: Actors) => {
      const make = async () => ({ ...(await record(of, route)), ...(await belonging(of, stranger, route)) })
      return { ...nothing, ...fixed, ...(await keptOnce(of, route, 'others', make)) }
    }
    const [foreign, installers, dealers, sisters] = [
      [await ids(world.other), await ids(world.otherDealer)],
      await ids(world.installer),
      await ids(world.dealer),
      await ids(world.sister),
    ]
    return ({ company, role }) => {
      const hidden = [...foreign]
      if (company === 'dealer') hidden.push(installers, sisters)
      if (ownOnly.includes(role)) hidden.push(company === 'dealer' ? dealers : installers)
      return hidden
    }
  }

  function call(cookie: string | null, name: string, ids: Ids, seat: Seat) {
    const { id, body, raw, query = '' } = consoleRoutes[name]!
    const [method, url] = name.split(' ') as [string, string]
    const path = url
      .replace(':id', ids[id ? (ownerOf[id] ?? id) : 'leadId'])
      .replace(':fileId', ids.fileId)
      .replace(':linkId', ids.linkId)
      .replace(':folder', 'siteSurvey')
      .replace(':deliveryId', ids.deliveryId)
      .replace(':stageId', ids.stageId)
    const sent = typeof body === 'function' ? body(ids, seat) : body
    return app.send(method, `/console/api${path}${query}`, {
      ...(raw ? { raw } : sent === undefined ? {} : { body: sent }),
      headers: { ...(cookie ? { cookie } : {}), 'x-sunstead-console': '1' },
    })
  }

  test('every route is in the table', async () => {
    const found: string[] = []
    const face = fastify()
    face.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat())
        if (url.startsWith('/console/api/') && one !== 'HEAD') found.push(`${one} ${url.slice(12)}`)
    })
    const { deps } = app.server
    await face.register(async (scope) => consoleFace(scope, deps, createSessions(deps)))
    await face.ready()
    await face.close()
    const expected = Object.keys(consoleRoutes)
    assert.deepEqual(
      found.filter((name) => !expected.includes(name)),
      [],
      'say in test/support/console-routes.ts who may call these',
    )
    assert.deepEqual(
      expected.filter((name) => !found.includes(name)),
      [],
      'these are no more',
    )
  })

  for (const [name, route] of Object.entries(consoleRoutes)) {
    test(`${name}, by role`, async () => {
      const missing = { ...nothing, ...fixed }
      const signedOut = await call(null, name, missing, seats[0]!)
      if (route.open) return assert.notEqual(signedOut.status, 401)
      assert.equal(signedOut.status, 401, 'nobody is signed in')
      const hiddenFrom = route.id ? await others(route) : () => []
      for (const seat of seats) {
        const { cookie } = clients.get(seat.id)!
        const where = `${seat.company}'s ${seat.role}`
        if (route.streamed) {
          assert.equal(await statusOfStream(`${app.url}/console/api/live`, cookie), 200, where)
          continue
        }
        const may = mayCall(route, seat)
        const ids = await own(seat, route, may && !name.startsWith('GET '))
        const { status, text } = await call(cookie, name, ids, seat)
        const asExpected = may ? status < 300 : status === 403
        assert.ok(asExpected, `${where}: ${status} ${text.slice(0, 200)}`)
        if (!route.id) continue
        // They change nothing, and need not wait for each other.
        const [unknown, ...hidden] = await Promise.all(
          [missing, ...hiddenFrom(seat)].map((ids) => call(cookie, name, ids, seat)),
        )
        assert.ok(unknown!.status === 404 || (unknown!.status === 403 && !may), where)
        for (const { status, text } of hidden)
          assert.deepEqual([status, text], [unknown!.status, unknown!.text], where)
      }
    })
  }
})

async function statusOfStream(url: string, cookie: string): Promise<number> {
  const gone = new AbortController()
  const { status } = await fetch(url, { headers: { cookie }, signal: gone.signal })
  gone.abort()
  return status
}
