import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLeads } from '../../../src/domain/data/imports/write-leads.ts'
import { writeNote } from '../../../src/domain/deals/activities/write-note.ts'
import { commitChange, runLockedChange } from '../../../src/domain/deals/changes/commit-change.ts'
import { findLeadDeal } from '../../../src/domain/deals/changes/deal.ts'
import { deleteFile } from '../../../src/domain/deals/files/delete-file.ts'
import { prepareLead } from '../../../src/domain/deals/leads/prepare-lead.ts'
import { updateLeads } from '../../../src/domain/deals/leads/update-leads.ts'
import { renewLinks } from '../../../src/domain/deals/links/renew-links.ts'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { turnOffWebhook } from '../../../src/domain/delivery/webhooks/turn-off-webhook.ts'
import { scopeOf } from '../../../src/domain/kernel/context.ts'
import { eraseCustomer } from '../../../src/domain/operations/privacy/erase-customer.ts'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { reassignDeal } from '../../../src/domain/tenants/reassignments/reassign-deal.ts'
import { type Actors, address, lead, leadBody, member, project } from '../../support/factories.ts'
import { importIn } from '../../support/imports.ts'
import { type Hook, startWebhookApp } from '../../support/webhook-app.ts'

const { app, world, receiver, register, post, eventually } = await startWebhookApp()
const { installer, dealer } = world

const messagesAt = (hook: Hook) => receiver.at(hook.path).map((one) => one.message)
const turnOff = (hook: Hook, of: Actors = installer) => turnOffWebhook(of.as(), hook.id)
async function turnOn(hook: Hook, of: Actors = installer): Promise<void> {
  const { status, text } = await post(`/${hook.id}/enable`, undefined, of.key)
  assert.equal(status, 200, text)
}
const call = (method: string, path: string, body?: unknown, key = installer.key) =>
  app.call(method, path, { key, ...(body === undefined ? {} : { body }) })

test('eight quick moves are told as eight, each as it was, in the order of their versions', async () => {
  const hook = await register(installer, ['project.stage_changed'])
  // The first answer takes its time, so that the others wait.
  let calls = 0
  receiver.behave(hook.path, (response) => {
    setTimeout(() => response.writeHead(204).end(), calls++ === 0 ? 300 : 0)
  })
  const { projectId } = await project(installer)
  const stages = ['Design', 'Permitting', 'NTP', 'Site Survey', 'Inspection', 'PTO', 'Complete', 'Sold']
  for (const stage of stages) {
    const moved = await call('POST', `/v1/projects/${projectId}/stage`, { stage })
    assert.equal(moved.body.changed, true)
  }
  await receiver.arrived(hook.path, 8)
  const told = messagesAt(hook)
  assert.deepEqual(
    told.map(({ data }) => data.stage.name),
    stages,
  )
  assert.deepEqual(
    told.map(({ data }) => data.previous.stage.name),
    ['Sold', ...stages.slice(0, -1)],
  )
  const versions = told.map(({ data }) => data.version)
  assert.deepEqual(
    versions,
    [...new Set(versions)].toSorted((a, b) => a - b),
  )
  // A milestone was stamped by the way; what did not change is not said to have.
  const [first] = told
  assert.deepEqual(Object.keys(first.data.previous), ['stage', 'milestones'])
  assert.equal(first.data.updatedAt, new Date(first.data.version).toISOString())
  const read = (await app.get(`/v1/projects/${projectId}`, installer.key)).body
  const { version, previous, ...last } = told.at(-1)!.data
  assert.deepEqual(last, read)
})

test('what happens while it is disabled waits, and comes in order and one by one, each as it was then', async () => {
  const hook = await register(installer)
  const site = await call('POST', '/catalog/v1/installations', {
    name: 'Barn',
    address: '1 Way',
    region: 'US-CO',
  })
  await receiver.arrived(hook.path, 1)
  const writtenDown = async () => {
    const rows = await app.database.rows('select from webhook_deliveries where webhook_id = $1', [hook.id])
    return rows.length
  }
  // A moment after it was answered.
  await eventually('it is written down', async () => (await writtenDown()) === 1)
  await turnOff(hook)
  const leadId = await lead(installer, { firstName: 'Wanda' })
  await call('PATCH', `/v1/leads/${leadId}`, { firstName: 'Wilma' })
  await call('PATCH', `/v1/leads/${leadId}`, { email: 'wilma@example.com', firstName: 'Willa' })
  const panel = (
    await call('POST', '/catalog/v1/panels', {
      name: 'South',
      capacity_kw: 0.4,
      installation_id: site.body.id,
    })
  ).body
  await call('PATCH', `/catalog/v1/panels/${panel.id}`, { name: 'North' })
  await call('DELETE', `/catalog/v1/panels/${panel.id}`)
  assert.equal(await writtenDown(), 1)
  let underWay = 0
  let most = 0
  receiver.behave(hook.path, (response) => {
    most = Math.max(most, ++underWay)
    setTimeout(() => {
      underWay--
      response.writeHead(204).end()
    }, 10)
  })
  await turnOn(hook)
  await receiver.arrived(hook.path, 9)
  assert.equal(most, 1, 'it is flooded')
  const [, ...told] = messagesAt(hook)
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.customer?.firstName ?? data.name, Object.keys(data.previous)]),
    [
      ['lead.created', 'Wanda', []],
      ['lead.updated', 'Wilma', ['customer']],
      ['lead.updated', 'Willa', ['customer']],
      ['panel.created', 'South', []],
      ['installation.updated', 'Barn', ['panel_count', 'capacity_kw']],
      ['panel.updated', 'North', ['name']],
      ['panel.deleted', 'North', []],
      ['installation.updated', 'Barn', ['panel_count', 'capacity_kw']],
    ],
  )
  assert.equal(told[2]!.data.previous.customer.firstName, 'Wilma')
  assert.deepEqual(told[5]!.data.previous, { name: 'South' })
  assert.deepEqual(
    told
      .filter(({ type }) => type === 'installation.updated')
      .map(({ data }) => [data.panel_count, data.version]),
    [
      [1, 2],
      [0, 3],
    ],
  )
  // Afterwards it is told at once again.
  const next = await lead(installer)
  await receiver.arrived(hook.path, 10)
  assert.equal(messagesAt(hook).at(-1)!.data.id, next)
})

test('what waits is sent for 30 days and not longer, and enabling goes on from there', async () => {
  const of = world.other
  const hook = await register(of, ['lead.created'])
  await turnOff(hook, of)
  await lead(of)
  await app.database.rows('update webhook_messages set event_at = $2 where installer_id = $1', [
    of.company.id,
    new Date(Date.now() - 31 * 86_400_000),
  ])
  await lead(of, { firstName: 'Late' })
  await turnOn(hook, of)
  const [told] = await receiver.arrived(hook.path, 1)
  assert.equal(told!.message.data.customer.firstName, 'Late')
})

test('a customer erased between event and delivery is in nothing that is sent', async () => {
  const hook = await register(installer)
  await turnOff(hook)
  const person = { firstName: 'Zebulon', lastName: 'Quillfeather', email: 'zebulon@quill.example' }
  const { leadId, projectId } = await project(installer, person)
  await writeNote(installer.as(), { lead: leadId }, { body: 'Zebulon has a dog called Pym' })
  await call('PATCH', `/v1/leads/${leadId}`, { lastName: 'Quillfeather-Jones' })
  await call('PATCH', `/v1/projects/${projectId}`, { ntpGranted: true })
  await moveStage(installer.as(), projectId, 'Installed')
  const parts = { store: app.server.deps.copying.store, note: async () => {} }
  await eraseCustomer(installer.as(), parts, leadId)
  await turnOn(hook)
  const told = () => messagesAt(hook)
  const types = ['lead.created', 'project.created', 'project.stage_changed', 'note.created', 'panel.created']
  // The order is kept within a record alone.
  await receiver.until(
    () =>
      types.every((type) => told().some((message) => message.type === type)) &&
      told().some(({ type, data }) => type === 'installation.updated' && data.erased === true),
    'all are told, and the installation as erased',
  )
  assert.doesNotMatch(JSON.stringify(told()), /zebulon|quill|pym/i)
  const created = told().find(({ type }) => type === 'lead.created')!.data
  assert.equal(created.erased, true)
  assert.deepEqual(created.customer, { firstName: null, lastName: null, email: null, phone: null })
  const moved = told().find(({ type }) => type === 'project.stage_changed')!.data
  assert.deepEqual([moved.stage.name, moved.previous.stage.name], ['Installed', 'Sold'])
  assert.deepEqual([moved.customer.lastName, moved.links.proposal], [null, null])
  const versions = told()
    .filter(({ data }) => data.id === leadId)
    .map(({ data }) => data.version)
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => a - b),
  )
})

test('what an endpoint sends back is kept, but not of a customer who was erased while it answered', async () => {
  const hook = await register(installer, ['lead.created'])
  const held: (() => void)[] = []
  receiver.behave(hook.path, (response, { body }) => {
    const echo = () => response.writeHead(200).end(body.slice(-1_000))
    if (body.includes('Stayer')) echo()
    else held.push(echo)
  })
  const [gone] = [
    await lead(installer, { lastName: 'Quillfeather' }),
    await lead(installer, { lastName: 'Stayer' }),
  ]
  await receiver.arrived(hook.path, 2)
  await eraseCustomer(installer.as(), { store: app.server.deps.copying.store, note: async () => {} }, gone)
  for (const answer of held) answer()
  const delivered = async () =>
    (await app.get(`/catalog/v1/webhooks/${hook.id}/deliveries?status=delivered`, installer.key)).body.data
  await eventually('both are written down', async () => (await delivered()).length === 2)
  const [stays, erased] = (await delivered()).map(
    ({ attempts }: { attempts: { answer: string }[] }) => attempts,
  )
  assert.match(stays[0].answer, /Stayer/)
  assert.deepEqual([erased[0].status, erased[0].answer], [200, null])
})

test('many changes in one transaction are told each by itself', async () => {
  const rep = await member(world, installer, 'Bea Bulk')
  const ids = [await lead(installer), await lead(installer), await lead(installer)]
  const hook = await register(installer, ['lead.updated'])
  await updateLeads(installer.as(), ids, { salesRepId: rep.id })
  const told = (await receiver.arrived(hook.path, 3)).map(({ message }) => message.data)
  assert.deepEqual(told.map(({ id }) => id).toSorted(), ids.toSorted())
  assert.equal(new Set(told.map(({ version }) => version)).size, 3)
  for (const { salesRep, previous } of told)
    assert.deepEqual([salesRep.name, previous], ['Bea Bulk', { salesRep: null }])
})

test('a renamed stage is told of every project that shows it, from what it was called', async () => {
  const count = 12
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { projectId } = await project(i % 2 ? installer : dealer)
    await moveStage(installer.as(), projectId, 'NTP')
    ids.push(projectId)
  }
  const ours = await register(installer, ['project.updated'])
  const theirs = await register(dealer, ['project.updated'])
  const [stage] = await app.database.rows<{ id: string }>(
    `select id from stages where installer_id = $1 and product_line = 'solar' and name = 'NTP'`,
    [installer.company.id],
  )
  await patchStage(world.db, new Date(), installer.company.id, stage!.id, { name: 'Go-ahead' })
  await receiver.arrived(ours.path, count)
  await receiver.arrived(theirs.path, count / 2)
  const told = messagesAt(ours)
  assert.deepEqual(told.map(({ data }) => data.id).toSorted(), ids.toSorted())
  for (const { data } of [...told, ...messagesAt(theirs)]) {
    assert.deepEqual([data.stage.name, data.previous.stage.name], ['Go-ahead', 'NTP'])
    assert.deepEqual(Object.keys(data.previous), ['stage'])
  }
  assert.equal(new Set(told.map(({ data }) => data.version)).size, count)
})

test('a dealer never sees what is internal, neither as it is nor as it was', async () => {
  const { projectId, leadId } = await project(dealer)
  const ours = await register(installer)
  const theirs = await register(dealer)
  const add = async (folder: string, name: string) => {
    receiver.behave(`/file/${name}`, (response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(name),
    )
    const files = [{ url: `${receiver.url}/file/${name}` }]
    assert.equal((await call('POST', `/v1/projects/${projectId}/files`, { folder, files })).status, 201)
  }
  await add('internal', 'margin.txt')
  await add('internal', 'blacklist.txt')
  await add('permit', 'permit.txt')
  await writeNote(installer.as(), { project: projectId }, { body: 'our margin is 40 %', internal: true })
  await writeNote(dealer.as(), { lead: leadId }, { body: 'our commission is 9 %', internal: true })
  await writeNote(installer.as(), { lead: leadId }, { body: 'roof is fine' })
  // The order is kept within a record alone: a note may come before a file that was added earlier.
  const updatesAt = (hook: Hook) => messagesAt(hook).filter(({ type }) => type === 'project.updated')
  const notesAt = (hook: Hook) => messagesAt(hook).filter(({ type }) => type === 'note.created')
  await receiver.until(
    () => [ours, theirs].every((hook) => updatesAt(hook).length === 3 && notesAt(hook).length === 2),
    'each hears of three files, of its own note and of the one for both',
  )
  const dealers = JSON.stringify(messagesAt(theirs))
  assert.doesNotMatch(dealers, /margin|blacklist/)
  assert.match(dealers, /commission/)
  assert.doesNotMatch(JSON.stringify(messagesAt(ours)), /commission/)
  assert.deepEqual(
    updatesAt(theirs).map(({ data }) => Object.keys(data.previous)),
    [[], [], ['files']],
  )
  const internal = updatesAt(ours).map(({ data }) => data.previous.files?.internal.length)
  assert.deepEqual(internal, [0, 1, 2])
  const [note] = messagesAt(theirs).filter(({ data }) => data.body === 'roof is fine')
  const feed = (await app.get(`/v1/leads/${leadId}/activities`, dealer.key)).body.data
  const { version, previous, leadId: onLead, projectId: onProject, ...read } = note!.data
  assert.deepEqual(
    read,
    feed.find(({ id }: { id: string }) => id === read.id),
  )
  assert.deepEqual([onLead, onProject, previous, typeof version], [leadId, projectId, {}, 'number'])
})

test('each interface tells the same, in the same words', async () => {
  const hook = await register(installer)
  const byCompany = (await call('POST', '/v1/leads', { ...leadBody, notes: 'By the key' })).body.leadId
  const byLegacy = await call('POST', '/legacy/create-lead', {
    firstName: 'Lena',
    lastName: 'Legacy',
    email: 'lena@example.com',
    phoneNumber: '6195550100',
    salesRepEmail: 'nobody@example.com',
    address: '1 Market St, San Diego, CA 92101',
  })
  assert.equal(byLegacy.status, 200, byLegacy.text)
  const told = (wanted: string) => messagesAt(hook).filter(({ type }) => type === wanted)
  await receiver.until(
    () => told('lead.created').length === 2 && told('note.created').length === 1,
    'both leads and the note are told',
  )
  for (const { data } of told('lead.created')) {
    assert.match(data.links.record, new RegExp(`^${app.url}/leads/`))
    const { version, previous, ...read } = data
    assert.deepEqual(read, (await app.get(`/v1/leads/${data.id}`, installer.key)).body)
  }
  const note = told('note.created')[0]!.data
  assert.deepEqual([note.body, note.leadId], ['By the key', byCompany])
})

test('an import tells of each lead that it makes, a reassignment of each that it moves', async () => {
  const [from, to] = [await member(world, installer, 'Ida From'), await member(world, installer, 'Ulf To')]
  const hook = await register(installer, ['lead.created', 'lead.updated', 'note.created'])
  const importId = await importIn(app.database, installer, 'running')
  const ctx = installer.as()
  await runLockedChange(ctx, (attempt) =>
    writeLeads(
      ctx,
      attempt,
      importId,
      ['One', 'Two'].map((firstName) =>
        prepareLead(ctx, attempt.directory, {
          firstName,
          lastName: 'Imported',
          address,
          notes: `about ${firstName}`,
          salesRepId: from.id,
        }),
      ),
    ),
  )
  await receiver.arrived(hook.path, 4)
  const made = messagesAt(hook).filter(({ type }) => type === 'lead.created')
  for (const { data } of made) {
    const { version, previous, ...read } = data
    assert.deepEqual(read, (await app.get(`/v1/leads/${data.id}`, installer.key)).body)
    assert.deepEqual([version, previous], [Date.parse(read.updatedAt), {}])
  }
  const notes = messagesAt(hook).filter(({ type }) => type === 'note.created')
  assert.deepEqual(notes.map(({ data }) => data.body).toSorted(), ['about One', 'about Two'])

  await runLockedChange(ctx, async (attempt) => {
    for (const { data } of made) {
      const before = (await findLeadDeal(attempt.db, scopeOf(ctx), data.id))!
      const changed = reassignDeal(before, from.id, to.id, attempt.directory)!
      await commitChange(ctx, attempt, before, changed.after, changed.effects)
    }
  })
  await receiver.arrived(hook.path, 6)
  const moved = messagesAt(hook).filter(({ type }) => type === 'lead.updated')
  for (const { data } of moved)
    assert.deepEqual([data.salesRep.name, data.previous.salesRep.name], ['Ulf To', 'Ida From'])
})

test('addresses that were renewed, and a file that was removed, between event and delivery', async () => {
  const { projectId } = await project(installer)
  const hook = await register(installer, ['file.added', 'project.updated'])
  await turnOff(hook)
  receiver.behave('/file/old.txt', (response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('contents'),
  )
  const files = [{ url: `${receiver.url}/file/old.txt` }]
  await call('POST', `/v1/projects/${projectId}/files`, { folder: 'permit', files })
  await renewLinks(installer.as(), projectId)
  const { files: now } = (await app.get(`/v1/projects/${projectId}`, installer.key)).body
  const [file] = await app.database.rows<{ id: string }>('select id from files where project_id = $1', [
    projectId,
  ])
  await deleteFile(installer.as(), app.server.deps.copying.store, projectId, file!.id)
  await turnOn(hook)
  await receiver.arrived(hook.path, 4)
  const [added, , renewed, removed] = messagesAt(hook).map(({ data }) => data)
  assert.equal((await app.send('GET', new URL(added.url).pathname)).status, 404)
  assert.deepEqual([renewed.files.permit, renewed.previous.files.permit], [now.permit, [added.url]])
  assert.deepEqual([removed.files.permit, removed.previous.files.permit], [[], now.permit])
})

test('settings are told to nobody, and what was before an endpoint not to it', async () => {
  const early = await lead(installer)
  const hook = await register(installer)
  const other = await register(installer, ['lead.created'])
  await turnOff(other)
  await turnOn(other)
  const late = await lead(installer)
  await receiver.arrived(hook.path, 1)
  await receiver.arrived(other.path, 1)
  for (const one of [hook, other])
    assert.deepEqual(
      messagesAt(one).map(({ data }) => data.id),
      [late],
    )
  assert.notEqual(early, late)
})

test('sent again, it is what it was', async () => {
  const hook = await register(installer, ['lead.created'])
  const leadId = await lead(installer, { firstName: 'Once' })
  await receiver.arrived(hook.path, 1)
  await call('PATCH', `/v1/leads/${leadId}`, { firstName: 'Twice' })
  await eventually('it is written down', async () => {
    const again = await post(`/${hook.id}/redeliver`, { since: new Date(Date.now() - 60_000).toISOString() })
    return again.body.redelivered === 1
  })
  const [first, second] = await receiver.arrived(hook.path, 2)
  assert.deepEqual([second!.id, second!.body], [first!.id, first!.body])
})
