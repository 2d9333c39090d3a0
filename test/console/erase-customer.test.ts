import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { withBaseUrl } from '../../src/domain/deals/renderings/rendering.ts'
import { checkRenderings } from '../../src/domain/deals/renderings/rerender.ts'
import { type App, startApp } from '../support/app.ts'
import { createWorld, type World } from '../support/factories.ts'
import { type HttpsServer, startHttpsServer } from '../support/https-server.ts'
import {
  markCustomer,
  markedDigits,
  markedLead,
  markedPdf,
  marker,
  markImport,
} from '../support/marked-customer.ts'
import { newProject } from '../support/new-project.ts'
import { addPerson, type Person } from '../support/people.ts'
import { tracesInDatabase, tracesInFiles } from '../support/traces.ts'

describe('erasing a customer', () => {
  let app: App
  let world: World
  let owner: Person
  let dataDir: string
  let marked: Awaited<ReturnType<typeof markCustomer>>
  const told: string[] = []
  let legacyLead: string
  let importedLead: string
  let waitingImport: string
  let outside: HttpsServer

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sunstead-erasing-'))
    // One host gives files out; told of events, it says what it heard and that it cannot take it.
    outside = await startHttpsServer(async (request, response) => {
      if (request.method === 'GET') return response.end(markedPdf)
      let body = ''
      for await (const part of request.setEncoding('utf8')) body += part
      told.push(body)
      response.writeHead(500).end(body)
    })
    app = await startApp({
      env: {
        DATA_DIR: dataDir,
        OUTBOUND_TRUSTED_HOSTS: `localhost:${outside.port}`,
        WEBHOOK_RETRY_SECONDS: '0.1,600',
      },
      outside: { ca: outside.ca },
    })
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner')
    const { key } = world.installer
    const hook = { url: `${outside.url}/hook`, events: ['*'] }
    assert.equal((await app.call('POST', '/catalog/v1/webhooks', { key, body: hook })).status, 201)
    marked = await markCustomer({ app, world, owner, fileUrl: `${outside.url}/${marker}.pdf` })
    importedLead = await importOne()
    waitingImport = await markImport(app, marked.console, 'waiting', false)
    legacyLead = await legacyOne()
    while (!told.some((body) => body.includes('file.added'))) await new Promise((r) => setTimeout(r, 20))
    await app.server.deps.requests!.flush()
  })

  /** Until what happened was told as often as it is for now: nothing of it is under way. */
  async function allTold(): Promise<void> {
    const untold = `select from webhook_messages m where not exists (
      select from webhook_deliveries d where d.installer_id = m.installer_id and d.event_at = m.event_at
        and d.event_ordinal = m.event_ordinal and d.tries > 1)`
    while ((await app.database.rows(untold)).length > 0) await new Promise((r) => setTimeout(r, 20))
  }

  after(async () => {
    await app.stop()
    await outside.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function importOne(): Promise<string> {
    await markImport(app, marked.console, `${marker}-import`, true)
    const [row] = await app.database.rows<{ id: string }>('select id from leads where external_id = $1', [
      `${marker}-import`,
    ])
    return row!.id
  }

  async function legacyOne(): Promise<string> {
    const { installer } = world
    const body = newProject(installer, {
      first_name: `${marker}first`,
      last_name: `${marker}legacy`,
      email: `legacy-${marker}@example.com`,
      phone_number: markedDigits,
      address: `5 ${marker} Rd, San Diego, CA 92101`,
    })
    const answer = await app.call('POST', '/legacy/create_project', {
      key: installer.key,
      body,
      headers: { 'idempotency-key': `${marker}-once` },
    })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.lead_id
  }

  const erase = (id: string, name: string) =>
    marked.console.call('POST', `/leads/${id}/erase`, { body: { name } })
  const traces = async (word: string) => [
    ...(await tracesInDatabase(app.database, word)),
    ...(await tracesInFiles(dataDir, word)),
  ]

  test('is asked for by name, and not while a plan bills them', async () => {
    const wrong = await erase(marked.leadId, 'Somebody Else')
    assert.equal(wrong.status, 400, wrong.text)
    const billed = await erase(marked.leadId, `${marker}first ${marker}last`)
    assert.equal(billed.status, 400, billed.text)
    assert.match(billed.body.error.message, /billing plan/)
    const places = await traces(marker)
    assert.ok(places.length > 40, `the marker stands in few places: ${places.join(', ')}`)
    assert.ok(places.some((place) => place.includes('security_events')))
    await marked.endPlan()
    await allTold()
  })

  test('leaves no trace in any column of any table, nor in any file', async () => {
    for (const [id, name] of [
      [marked.leadId, `${marker}first ${marker}last`],
      [legacyLead, `${marker}first ${marker}legacy`],
      [importedLead, `${marker}first ${marker}last`],
    ] as const) {
      const answer = await erase(id, name)
      assert.equal(answer.status, 200, answer.text)
    }
    await app.server.deps.requests!.flush()
    assert.deepEqual(await traces(marker), [])
    assert.deepEqual(await traces(markedDigits), [])
    const [kept] = await app.database.rows<{ bytes: number }>(
      'select sum(bytes)::int as bytes from storage_usage',
    )
    assert.equal(kept!.bytes, 0, 'what was erased takes room')
    assert.deepEqual(await traces(markedDigits.slice(-7)), [])
  })

  test('leaves the record, readable by all interfaces', async () => {
    const { key } = world.installer
    const lead = (await app.get(`/v1/leads/${marked.leadId}`, key)).body
    assert.equal(lead.archived, true)
    assert.equal(lead.customer.firstName, null)
    assert.equal(lead.status, 'sold')
    const project = (await app.get(`/v1/projects/${marked.projectId}`, key)).body
    assert.equal(project.stage.name, 'Installed')
    assert.equal(project.system.panels.count, 21)
    assert.equal(project.links.proposal, null)
    assert.deepEqual(project.files.contract, [])
    assert.equal((await app.send('GET', marked.sharedPath)).status, 404)
    const legacy = await app.call('GET', `/legacy/fetch_lead?id=${legacyLead}`, { key })
    assert.equal(legacy.status, 200, legacy.text)
    const site = (await app.get(`/catalog/v1/installations/${marked.siteId}`, key)).body
    assert.equal(site.name, 'Erased customer')
    const feed = (await app.get(`/v1/leads/${marked.leadId}/activities`, key)).body.data
    assert.ok(feed.some(({ body }: { body: string }) => body === 'Erased what was known about the customer'))
    assert.ok(feed.some(({ body }: { body: string }) => /^Moved from/.test(body)))
    const shown = (await marked.console.get(`/leads/${marked.leadId}/activities`)).body.activities
    for (const { type, body } of [...feed, ...shown]) assert.notEqual(body, '', `an empty entry: ${type}`)
    const { installerId } = world.installer.company
    assert.deepEqual((await checkRenderings(app.database.db, new Date(), installerId, false)).stale, [])
  })

  test('keeps what the law keeps of invoices, without the name', async () => {
    const { key } = world.installer
    for (const id of [marked.invoices.openId, marked.invoices.paidId]) {
      const invoice = (await app.get(`/catalog/v1/billing/invoices/${id}`, key)).body
      assert.equal(invoice.amount_due, 90)
      assert.match(invoice.number, /^\d+-\d+$/)
      assert.deepEqual(invoice.customer, { name: 'Erased customer', email: null, address: null })
    }
    const credit = (await app.get(`/catalog/v1/billing/credits/${marked.creditId}`, key)).body
    assert.deepEqual([credit.amount_remaining, credit.customer.name], [9, 'Erased customer'])
    const draft = await app.get(`/catalog/v1/billing/invoices/${marked.invoices.draftId}`, key)
    assert.equal(draft.status, 404)
  })

  test('ends an import that would bring them back', async () => {
    const found = (await marked.console.get(`/imports/${waitingImport}`)).body
    assert.equal(found.state, 'failed')
    assert.match(found.failure, /erased/)
  })

  test('tells whoever syncs, and only what is left', async () => {
    const { rows } = app.database
    const events = await rows<{ type: string; changes: object }>(
      `select type, changes from events where lead_id = $1 and changes ? 'erased' order by ordinal`,
      [marked.leadId],
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      ['lead.updated', 'project.updated'],
    )
    const isPublished = () =>
      told
        .map((body) => JSON.parse(body))
        .some(({ data }) => data.id === marked.leadId && data.erased === true)
    for (const limit = Date.now() + 60_000; !isPublished() && Date.now() < limit; )
      await new Promise((resolve) => setTimeout(resolve, 50))
    assert.ok(isPublished(), 'no endpoint is told')
    // What was finalised reads otherwise now: a copy of it elsewhere has to follow.
    for (const id of [marked.invoices.openId, marked.invoices.paidId]) {
      const [last] = await rows<{ type: string; body: string }>(
        'select type, body from webhook_messages where subject_id = $1 order by number desc limit 1',
        [id],
      )
      const { data } = JSON.parse(last!.body)
      assert.deepEqual(
        [last!.type, data.erased, data.customer.name, data.previous],
        ['invoice.updated', true, 'Erased customer', {}],
      )
      const read = (await app.get(`/catalog/v1/billing/invoices/${id}`, world.installer.key)).body
      const { version, previous: _previous, erased: _erased, ...told } = data
      assert.deepEqual(told, read)
      assert.ok(version > 1)
    }
    const messages = await rows<{ body: string }>('select body from webhook_messages')
    for (const { body } of messages) assert.ok(JSON.parse(withBaseUrl(body, app.url)).data, body)
  })

  test('lets nothing come back', async () => {
    const { key } = world.installer
    const again = await app.call('POST', '/v1/leads', { key, body: markedLead })
    assert.equal(again.status, 200, again.text)
    assert.equal(again.body.leadId, marked.leadId)
    const patch = await app.call('PATCH', `/v1/leads/${marked.leadId}`, { key, body: { phone: '1' } })
    assert.equal(patch.status, 400, patch.text)
    assert.match(patch.body.error.message, /erased/)
    const note = await marked.console.call('POST', `/leads/${marked.leadId}/notes`, { body: { body: 'hm' } })
    assert.equal(note.status, 400, note.text)
    const moved = await app.call('POST', `/v1/projects/${marked.projectId}/stage`, {
      key,
      body: { stage: 'Complete' },
    })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(await traces(marker), [])
  })

  test('done twice changes nothing more', async () => {
    const { key } = world.installer
    const before = (await app.get(`/v1/leads/${marked.leadId}`, key)).body
    assert.equal((await erase(marked.leadId, '')).status, 200)
    assert.deepEqual((await app.get(`/v1/leads/${marked.leadId}`, key)).body, before)
    const feed = (await app.get(`/v1/leads/${marked.leadId}/activities`, key)).body.data
    assert.ok(feed.some(({ body }: { body: string }) => body === 'Erased what was known about the customer'))
  })
})
