import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeNote } from '../../../src/domain/deals/activities/write-note.ts'
import { findProjectDeal } from '../../../src/domain/deals/changes/deal.ts'
import { deleteFile } from '../../../src/domain/deals/files/delete-file.ts'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { tickChecklist } from '../../../src/domain/deals/projects/tick-checklist.ts'
import { noteProposalOpened } from '../../../src/domain/deals/proposals/note-proposal-opened.ts'
import { sweepWebhooks } from '../../../src/domain/delivery/webhooks/sweep-webhooks.ts'
import { eventNames } from '../../../src/domain/journal/events/event-names.ts'
import { eraseCustomer } from '../../../src/domain/operations/privacy/erase-customer.ts'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { type Actors, createWorld, keyFor, lead, member, project } from '../../support/factories.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { store } = app.server.deps.copying

interface FeedEvent {
  id: string
  version: number
  type: string
  at: string
  actor: { kind: string; id: string | null; name: string | null }
  record: { type: string; id: string; leadId: string | null }
  previous: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: each type's is another
  data: any
}

const feed = (query: string, of: Actors | string = installer) =>
  app.get(`/v1/events${query}`, typeof of === 'string' ? of : of.key)

/** Everything after a place, page by page, and where to go on. */
async function follow(from: string | null, of: Actors = installer, more = '&limit=100') {
  const events: FeedEvent[] = []
  for (let after = from; ; ) {
    const { status, body, text } = await feed(`?${after ? `after=${after}` : ''}${more}`, of)
    assert.equal(status, 200, text)
    events.push(...body.data)
    after = body.next as string
    if (body.data.length === 0) return { events, next: after }
  }
}
const end = async (of: Actors = installer) => (await feed('?after=now', of)).body.next as string
const typesOf = (events: FeedEvent[]) => events.map(({ type }) => type)
const stageOf = async (name: string) =>
  (
    await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = $1 and product_line = 'solar' and name = $2`,
      [installer.company.id, name],
    )
  )[0]!.id

test('what is done to a deal is told in order, each with its record as it was, by whom, and what it was before', async () => {
  const from = await end()
  const made = await app.call('POST', '/v1/leads', {
    key: installer.key,
    body: {
      firstName: 'Ida',
      lastName: 'Noor',
      address: { line1: '1 A', city: 'B', state: 'CA', postalCode: '9' },
    },
  })
  const { leadId } = made.body
  await app.call('PATCH', `/v1/leads/${leadId}`, { key: installer.key, body: { firstName: 'Isa' } })
  const { events, next } = await follow(from)
  assert.deepEqual(typesOf(events), ['lead.created', 'lead.updated'])
  const [created, changed] = events as [FeedEvent, FeedEvent]
  const read = (await app.get(`/v1/leads/${leadId}`, installer.key)).body
  assert.deepEqual(Object.keys(changed), [
    'id',
    'version',
    'type',
    'at',
    'actor',
    'record',
    'previous',
    'data',
  ])
  assert.deepEqual(changed.data, read)
  assert.deepEqual(changed.record, { type: 'lead', id: leadId, leadId })
  assert.deepEqual([changed.at, changed.version], [read.updatedAt, Date.parse(read.updatedAt)])
  assert.deepEqual(changed.previous, { customer: { ...read.customer, firstName: 'Ida' } })
  assert.deepEqual([changed.actor.kind, changed.actor.name], ['key', 'Sunrise Solar CRM'])
  assert.equal(created.data.customer.firstName, 'Ida')
  assert.deepEqual(created.previous, {})
  assert.match(created.data.links.record, new RegExp(`^${app.url}`))
  assert.deepEqual((await feed(`?after=${next}`)).body, { data: [], next })
})

test('whatever stands in a lead’s activity is told, and deletions are', async () => {
  await member(world, installer, 'Mona Mender', 'manager')
  await patchStage(world.db, new Date(), installer.company.id, await stageOf('Design'), {
    checklist: ['Draw it'],
    alerts: ['manager'],
    messages: [{ subject: 'Your design', body: 'Hello {{firstName}}' }],
  })
  const { leadId, projectId } = await project(installer, { email: 'ida@example.com' })
  const from = await end()
  await moveStage(installer.as(), projectId, 'Design')
  await tickChecklist(installer.as(), projectId, {
    stageId: await stageOf('Design'),
    label: 'Draw it',
    done: true,
  })
  await writeNote(installer.as(), { lead: leadId }, { body: 'Asked for a battery' })
  const [note] = (await follow(from, installer, '&types=note.created')).events
  await writeNote(installer.as(), { lead: leadId }, { body: 'And got one', replyTo: note!.data.id })
  const files = { folder: 'planset', files: [{ url: at('/plan.pdf'), name: 'Plan.pdf' }] }
  const added = await app.call('POST', `/v1/projects/${projectId}/files`, { key: installer.key, body: files })
  await deleteFile(installer.as(), store, projectId, added.body.files[0].id)
  const scope = { installerId: installer.company.id, companyId: null, productLine: null }
  const deal = (await findProjectDeal(world.db, scope, projectId))!
  await noteProposalOpened(world.db, installer.as().directories, new Date(), deal)

  const { events } = await follow(from)
  assert.deepEqual(typesOf(events), [
    'project.stage_changed',
    'project.updated',
    'team.alerted',
    'message.queued',
    'checklist.updated',
    'note.created',
    'note.created',
    'file.added',
    'project.updated',
    'project.updated',
    'file.deleted',
    'proposal.opened',
  ])
  const ticked = events.find(({ type }) => type === 'checklist.updated')!
  assert.deepEqual(ticked.data.item, { stage: 'Design', label: 'Draw it', done: true })
  assert.deepEqual([ticked.data.leadId, ticked.data.projectId], [leadId, projectId])
  const sent = events.find(({ type }) => type === 'message.queued')!
  assert.match(sent.data.body, /Your design/)
  const reply = events.filter(({ type }) => type === 'note.created')[1]!
  assert.equal(reply.data.replyTo, note!.data.id)
  assert.deepEqual(reply.record, { type: 'activity', id: reply.data.id, leadId })
  const gone = events.find(({ type }) => type === 'file.deleted')!
  assert.deepEqual(
    [gone.data.id, gone.data.name, gone.data.project_id],
    [added.body.files[0].id, 'Plan.pdf', projectId],
  )
  // Each entry of the activity that no record shows is in the feed, under the id that it has there.
  const { body } = await app.get(`/v1/leads/${leadId}/activities`, installer.key)
  const kinds = ['note', 'message', 'alert', 'checklistDone']
  const entries = body.data.filter(({ type }: { type: string }) => kinds.includes(type))
  assert.deepEqual(
    entries.map(({ id }: { id: string }) => id).toSorted(),
    events
      .filter(({ record }) => record.type === 'activity')
      .map(({ record }) => record.id)
      .toSorted(),
  )
})

test('records of the catalogue API are told with their own version', async () => {
  const from = await end()
  const post = (path: string, body: object) =>
    app.call('POST', `/catalog/v1${path}`, { key: installer.key, body })
  const site = await post('/installations', { name: 'Barn', address: '1 Way', region: 'US-CO' })
  const panel = await post('/panels', { name: 'South', capacity_kw: 0.4, installation_id: site.body.id })
  await app.call('DELETE', `/catalog/v1/panels/${panel.body.id}`, { key: installer.key })
  const { events } = await follow(from)
  assert.deepEqual(typesOf(events), [
    'installation.created',
    'panel.created',
    'installation.updated',
    'panel.deleted',
    'installation.updated',
  ])
  const ofSite = events.filter(({ record }) => record.id === site.body.id)
  assert.deepEqual(
    ofSite.map(({ version }) => version),
    [1, 2, 3],
  )
  assert.deepEqual(events[0]!.data, site.body)
  assert.deepEqual(events[0]!.record, { type: 'installation', id: site.body.id, leadId: null })
  assert.deepEqual(Object.keys(ofSite[1]!.previous), ['panel_count', 'capacity_kw'])
})

test('a dealer is told of its own records as it sees them, its sister and other installers of nothing', async () => {
  const places = await Promise.all([dealer, sister, other].map(end))
  const { leadId, projectId } = await project(dealer)
  await writeNote(installer.as(), { lead: leadId }, { body: 'Of the installer alone', internal: true })
  await writeNote(dealer.as(), { lead: leadId }, { body: 'Of the dealer alone', internal: true })
  await writeNote(installer.as(), { lead: leadId }, { body: 'For both' })
  const files = { folder: 'internal', files: [{ url: at('/secret.pdf') }] }
  const added = await app.call('POST', `/v1/projects/${projectId}/files`, { key: installer.key, body: files })
  assert.equal(added.status, 201, added.text)
  await project(installer)
  const [mine, sisters, others] = await Promise.all(
    [dealer, sister, other].map((of, i) => follow(places[i]!, of)),
  )
  assert.deepEqual([sisters!.events, others!.events], [[], []])
  assert.deepEqual(typesOf(mine!.events), [
    'lead.created',
    'lead.updated',
    'project.created',
    'note.created',
    'note.created',
    'project.updated',
  ])
  assert.deepEqual(
    mine!.events.filter(({ type }) => type === 'note.created').map(({ data }) => data.body),
    ['Of the dealer alone', 'For both'],
  )
  const last = mine!.events.at(-1)!
  assert.deepEqual(last.data, (await app.get(`/v1/projects/${projectId}`, dealer.key)).body)
  assert.deepEqual([last.data.files.internal, last.previous], [[], {}])
  const all = (await follow(null, installer)).events
  const notes = all.filter(({ type, record }) => type === 'note.created' && record.leadId === leadId)
  assert.deepEqual(
    notes.map(({ data }) => data.body),
    ['Of the installer alone', 'For both'],
  )
  // One event has one id, whoever reads it.
  assert.ok(all.some(({ id, data }) => id === last.id && data.files.internal.length === 1))
})

test('it can be read by type, by several and by all of a kind', async () => {
  const all = (await follow(null)).events
  const some = async (types: string, of = installer) =>
    (await follow(null, of, `&limit=7&types=${types}`)).events
  for (const types of [
    'lead.created',
    'note.created,file.added',
    'project.*',
    'lead.*,installation.*,panel.deleted',
  ]) {
    const wanted = types.split(',')
    const isWanted = ({ type }: FeedEvent) =>
      wanted.some((name) => name === type || (name.endsWith('*') && type.startsWith(name.slice(0, -1))))
    assert.deepEqual(await some(types), all.filter(isWanted), types)
  }
  assert.deepEqual(await some('*'), all)
  assert.deepEqual(await some(eventNames.join()), all)
  assert.deepEqual(await some('invoice.paid'), [])
  const dealers = (await follow(null, dealer)).events
  assert.deepEqual(
    await some('lead.*,note.created', dealer),
    dealers.filter(({ type }) => type.startsWith('lead.') || type === 'note.created'),
  )
  const unknown = await feed('?types=lead.created,lead.sold')
  assert.equal(unknown.status, 400)
  for (const name of ['"lead.sold"', ...eventNames])
    assert.ok(unknown.body.error.message.includes(name), name)
  for (const types of ['', ',', 'lead', 'lead.*x', '.*']) {
    const { status, body } = await feed(`?types=${types}`)
    assert.deepEqual([status, body.error?.code], [400, 'invalid'], types)
  }
})

test('every page size and every place goes through all of it once, also by an event’s id', async () => {
  const { events: all, next: last } = await follow(null)
  assert.ok(all.length > 20)
  assert.deepEqual(
    all.map(({ id }) => id),
    [...new Set(all.map(({ id }) => id))].toSorted(),
  )
  for (const limit of [1, 3, 50, 100]) {
    const { events, next } = await follow(null, installer, `&limit=${limit}`)
    assert.deepEqual(events, all, `limit ${limit}`)
    assert.equal(next, last)
  }
  const middle = Math.floor(all.length / 2)
  const { body } = await feed(`?after=${all[middle]!.id}&limit=100`)
  assert.deepEqual(body.data, all.slice(middle + 1, middle + 101))
  for (const limit of ['0', '101', 'x', '1.5'])
    assert.equal((await feed(`?limit=${limit}`)).status, 400, limit)
})

test('a place that is altered, another’s, or of an event that is not there is 400', async () => {
  const next = await end()
  const theirs = await end(other)
  await lead(other)
  const foreign = (await follow(null, other)).events[0]!.id
  const mine = (await follow(null)).events[0]!.id
  const dealers = (await follow(null, dealer)).events[0]!.id
  const bad = [
    `${next}x`,
    next.slice(0, -1),
    `z${next.slice(1)}`,
    theirs,
    foreign,
    mine.replace(/^evt_.{12}/, (head) => `${head.slice(0, -1)}${head.at(-1) === '0' ? '1' : '0'}`),
    `${mine}0`,
    'evt_',
    'NOW',
    'null',
    '',
    encodeURIComponent('\u0000'),
    encodeURIComponent('2026-01-01T00:00:00Z'),
    'x'.repeat(201),
  ]
  for (const after of bad) {
    const { status, body } = await feed(`?after=${after}`)
    assert.deepEqual([status, body.error?.code], [400, 'invalid'], after)
    assert.match(body.error.message, /after/)
  }
  // What a dealer cannot see is not there for it.
  assert.equal((await feed(`?after=${mine}`, dealer)).status, 400)
  assert.equal((await feed(`?after=${dealers}`, installer)).status, 200)
  assert.equal((await feed(`?after=${await end(dealer)}`, installer)).status, 400)
  assert.equal((await feed('?before=x')).status, 400)
})

test('a key that only reads may read it, one of another interface may not, and without a key nobody does', async () => {
  const reading = await keyFor(world, installer, { access: 'read' })
  assert.equal((await feed('?limit=1', reading.secret)).status, 200)
  const elsewhere = await keyFor(world, installer, { interfaces: ['catalog'] })
  assert.equal((await feed('?limit=1', elsewhere.secret)).status, 403)
  assert.equal((await app.call('GET', '/v1/events')).status, 401)
  assert.equal((await feed('', `psk_${'0'.repeat(40)}`)).status, 401)
  const posted = await app.call('POST', '/v1/events', { key: installer.key, body: {} })
  assert.deepEqual([posted.status, posted.headers['allow']], [404, 'GET, HEAD'])
})

test('who was erased is in nothing that the feed still says, and the feed stays whole', async () => {
  const from = await end()
  const person = { firstName: 'Zebulon', lastName: 'Quillfeather', email: 'zebulon@quill.example' }
  const { leadId, projectId } = await project(installer, person)
  await writeNote(installer.as(), { lead: leadId }, { body: 'Zebulon has a dog 🐕 called Pym' })
  await app.call('PATCH', `/v1/leads/${leadId}`, {
    key: installer.key,
    body: { lastName: 'Quillfeather-Jones' },
  })
  await moveStage(installer.as(), projectId, 'Design')
  const scope = { installerId: installer.company.id, companyId: null, productLine: null }
  await noteProposalOpened(
    world.db,
    installer.as().directories,
    new Date(),
    (await findProjectDeal(world.db, scope, projectId))!,
  )
  const before = (await follow(from)).events
  assert.match(JSON.stringify(before), /Zebulon.*Pym/)
  await eraseCustomer(installer.as(), { store, note: async () => {} }, leadId)
  const { events } = await follow(from)
  assert.doesNotMatch(JSON.stringify(events), /zebulon|quill|pym/i)
  assert.deepEqual(
    events.slice(0, before.length).map(({ id, type, version, record }) => [id, type, version, record]),
    before.map(({ id, type, version, record }) => [id, type, version, record]),
  )
  for (const event of events) if (event.record.leadId) assert.equal(event.data.erased, true, event.type)
  assert.deepEqual(Object.keys(events[0]!), Object.keys(before[0]!))
  // Wherever it was erased from, links lead to the address that the feed is read at.
  const linked = events.filter(({ data }) => data.links?.record)
  assert.ok(linked.length > 3)
  for (const { data } of linked) assert.ok(data.links.record.startsWith(`${app.url}/`), data.links.record)
  const stored = await app.database.rows<{ body: string; head: string }>(
    'select body, head from webhook_messages where lead_id = $1',
    [leadId],
  )
  for (const { body, head } of stored) assert.ok(!`${body}${head}`.includes('http'), body)
})

test('events are kept for 90 days; then their places say so, and the feed begins behind them', async () => {
  const of = other
  const sweepAfter = (days: number) =>
    sweepWebhooks(world.db, new Date(Date.now() + days * 86_400_000), new AbortController().signal)
  await lead(of)
  const { events, next } = await follow(null, of)
  const [first] = events
  const beginning = (await feed(`?limit=1`, of)).body.next
  await sweepAfter(89)
  assert.deepEqual((await follow(null, of)).events, events)
  await sweepAfter(91)
  assert.deepEqual((await follow(null, of)).events, [])
  for (const after of [beginning, first!.id]) {
    const { status, body } = await feed(`?after=${after}`, of)
    assert.deepEqual([status, body.error.code], [400, 'invalid'])
    assert.match(body.error.message, /^after: .*(anew)/)
  }
  // Who has read everything has lost nothing.
  assert.deepEqual((await feed(`?after=${next}`, of)).body.data, [])
  const leadId = await lead(of)
  const later = await follow(next, of)
  assert.deepEqual(
    later.events.map(({ record }) => record.id),
    [leadId],
  )
  assert.deepEqual((await follow(null, of)).events, later.events)
})

test('a key without the catalogue API is told nothing of it', async () => {
  const { secret } = await keyFor(world, installer, { interfaces: ['company'] })
  const path = '/catalog/v1/installations'
  const body = { name: 'Roof', address: '1 Market St, San Diego', region: 'US-CA' }
  const after = await end()
  assert.equal((await app.call('POST', path, { key: installer.key, body })).status, 201)
  await lead(installer)
  const types = async (of: Actors | string) =>
    (await feed(`?after=${after}`, of)).body.data.map(({ type }: { type: string }) => type)
  assert.deepEqual(await types(installer), ['installation.created', 'lead.created'])
  assert.deepEqual(await types(secret), ['lead.created'])
  assert.equal((await feed('?types=invoice.*', secret)).status, 403)
})
