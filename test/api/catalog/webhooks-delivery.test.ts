import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { atOnce } from '../../../src/domain/delivery/webhooks/delivery-worker.ts'
import { patchStage } from '../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { lead, leadBody, member, project } from '../../support/factories.ts'
import { startWebhookApp } from '../../support/webhook-app.ts'
import { verify } from '../../support/webhook-receiver.ts'

const { app, world, receiver, register, post, deliveries, record, eventually } = await startWebhookApp()
const { installer, dealer } = world

test('a change is told at once: the record as the API reads it with its version, signed', async () => {
  const hook = await register(installer, ['lead.created', 'lead.updated'])
  const { body } = await app.call('POST', '/v1/leads', { key: installer.key, body: leadBody })
  const [created] = await receiver.arrived(hook.path, 1)
  verify(created!, hook.secret)
  const { type, timestamp, data } = created!.message
  const read = (await app.get(`/v1/leads/${body.leadId}`, installer.key)).body
  assert.deepEqual(
    [type, data],
    ['lead.created', { ...read, version: Date.parse(read.updatedAt), previous: {} }],
  )
  assert.equal(timestamp, read.updatedAt)
  assert.equal(created!.headers['content-type'], 'application/json')
  assert.match(created!.headers['user-agent']!, /^Sunstead-Webhooks\/\d/)
  assert.match(created!.headers['webhook-signature']!, /^v1,[A-Za-z0-9+/]{43}=$/)

  await app.call('PATCH', `/v1/leads/${body.leadId}`, {
    key: installer.key,
    body: { notes: 'Call "again" ☀' },
  })
  const [, updated] = await receiver.arrived(hook.path, 2)
  verify(updated!, hook.secret)
  assert.equal(updated!.message.type, 'lead.updated')
  assert.equal(updated!.message.data.notes, 'Call "again" ☀')
  assert.deepEqual(updated!.message.data.previous, { notes: null })
  assert.ok(updated!.message.data.version > data.version)
  assert.notEqual(updated!.id, created!.id)

  await eventually(
    'it is written down',
    async () => (await deliveries(hook, '&status=delivered')).length === 2,
  )
  const [last, first] = await deliveries(hook)
  assert.deepEqual([first.id, first.event, first.status], [created!.id, 'lead.created', 'delivered'])
  assert.deepEqual([first.attempts.length, first.attempts[0].status, first.attempts[0].error], [1, 204, null])
  const { last_delivery, status } = await record(hook)
  assert.equal(status, 'enabled')
  assert.deepEqual(last_delivery, {
    id: last.id,
    event: 'lead.updated',
    at: last.attempts[0].at,
    delivered: true,
    status: 204,
  })
})

test('only what an endpoint asked for; nothing of before it was there', async () => {
  await lead(installer)
  const hook = await register(installer, ['project.stage_changed'])
  const { projectId } = await project(installer)
  await moveStage(installer.as(), projectId, 'Permitting')
  const [only] = await receiver.arrived(hook.path, 1)
  assert.equal(only!.message.type, 'project.stage_changed')
  assert.equal(only!.message.data.stage.name, 'Permitting')
  await eventually('it is written down', async () => (await deliveries(hook)).length === 1)
})

test('an installer hears of the whole tenant, a dealer of its own, nobody of another tenant', async () => {
  const ours = await register(installer, ['lead.created'])
  const theirs = await register(dealer, ['lead.created'])
  const sisters = await register(world.sister, ['lead.created'])
  const others = await register(world.other, ['lead.created'])
  const byInstaller = await lead(installer)
  const byDealer = await lead(dealer)
  const byOther = await lead(world.other)
  const ids = (path: string) => receiver.at(path).map((one) => one.message.data.id)
  await receiver.arrived(ours.path, 2)
  await receiver.arrived(theirs.path, 1)
  await receiver.arrived(others.path, 1)
  assert.deepEqual(ids(ours.path).toSorted(), [byInstaller, byDealer].toSorted())
  assert.deepEqual(ids(theirs.path), [byDealer])
  assert.deepEqual(ids(sisters.path), [])
  assert.deepEqual(ids(others.path), [byOther])
})

test('a dealer is told of its projects without internal files, and of no internal file', async () => {
  const { projectId } = await project(dealer)
  const ours = await register(installer, ['file.added', 'project.updated'])
  const theirs = await register(dealer, ['file.added', 'project.updated'])
  const add = (folder: string, name: string) =>
    app.call('POST', `/v1/projects/${projectId}/files`, {
      key: installer.key,
      body: { folder, files: [{ url: `${receiver.url}/file/${name}` }] },
    })
  receiver.behave('/file/secret.txt', (response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('internal'),
  )
  receiver.behave('/file/plan.txt', (response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('plan'),
  )
  assert.equal((await add('internal', 'secret.txt')).status, 201)
  assert.equal((await add('planset', 'plan.txt')).status, 201)
  const told = (await receiver.arrived(ours.path, 4)).map((one) => one.message)
  const dealerTold = (await receiver.arrived(theirs.path, 3)).map((one) => one.message)
  const files = (messages: typeof told) => messages.filter((m) => m.type === 'file.added').map((m) => m.data)
  assert.deepEqual(
    files(told)
      .map((f) => f.name)
      .toSorted(),
    ['plan.txt', 'secret.txt'],
  )
  const [plan] = files(dealerTold)
  assert.deepEqual(Object.keys(plan), ['version', 'previous', 'id', 'name', 'folder', 'url', 'project_id'])
  assert.deepEqual([plan.name, plan.folder, plan.project_id], ['plan.txt', 'planset', projectId])
  assert.equal((await app.send('GET', new URL(plan.url).pathname)).text, 'plan')
  const last = (messages: typeof told) => messages.filter((m) => m.type === 'project.updated').at(-1)!.data
  assert.equal(last(told).files.internal.length, 1)
  assert.deepEqual(last(dealerTold).files.internal, [])
  const read = (await app.get(`/v1/projects/${projectId}`, dealer.key)).body
  const { previous, ...asRead } = last(dealerTold)
  assert.deepEqual(asRead, { ...read, version: Date.parse(read.updatedAt) })
  assert.deepEqual(Object.keys(previous), ['files'])
  assert.doesNotMatch(JSON.stringify(dealerTold), /secret\.txt/)
})

test('first attempts are made in the order in which things happened', async () => {
  const hook = await register(installer, ['lead.created'])
  const ids: string[] = []
  for (let i = 0; i < 40; i++) ids.push(await lead(installer))
  await receiver.arrived(hook.path, 40)
  await eventually(
    'all are delivered',
    async () => (await deliveries(hook, '&status=delivered')).length === 40,
  )
  const made = (await deliveries(hook)).reverse()
  assert.deepEqual(
    made.map((d) => receiver.at(hook.path).find((one) => one.id === d.id)!.message.data.id),
    ids,
  )
  // Several are on their way at once, and which of those begins first is left open.
  const begun: string[] = made.map((d) => d.attempts[0].at)
  for (const [i, at] of begun.slice(atOnce).entries()) assert.ok(begun[i]! <= at, `${i}: ${begun}`)
})

test('a renamed stage and a renamed member are told as changes of what shows them', async () => {
  const rep = await member(world, installer, 'Rita Renamed')
  const { projectId, leadId } = await project(installer, { salesRepEmail: rep.email })
  await moveStage(installer.as(), projectId, 'Inspection')
  const hook = await register(installer, ['project.updated', 'lead.updated'])
  const [stage] = await app.database.rows<{ id: string }>(
    `select id from stages where installer_id = $1 and product_line = 'solar' and name = 'Inspection'`,
    [installer.company.id],
  )
  await patchStage(world.db, new Date(), installer.company.id, stage!.id, { name: 'City Inspection' })
  const [told] = await receiver.arrived(hook.path, 1)
  assert.equal(told!.message.data.id, projectId)
  assert.equal(told!.message.data.stage.name, 'City Inspection')
  await updateMember(world.db, new Date(), installer.company.id, rep.id, { name: 'Rita Newname' })
  const [, ...renamed] = (await receiver.arrived(hook.path, 3)).map((one) => one.message.data)
  assert.deepEqual(renamed.map((data) => data.id).sort(), [leadId, projectId].sort())
  for (const { salesRep } of renamed) assert.equal(salesRep.name, 'Rita Newname')
})

test('a caller’s own secret: its bytes are the key; one that looks like a made one checks both ways', async () => {
  const own = 'correct horse battery staple'
  const plain = await register(installer, ['lead.created'], { secret: own })
  assert.equal(plain.secret, own)
  const prefixed = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const looksMade = await register(installer, ['lead.created'], { secret: prefixed })
  await lead(installer)
  const [first] = await receiver.arrived(plain.path, 1)
  verify(first!, own, 'raw')
  assert.doesNotMatch(first!.headers['webhook-signature']!, / /)
  const [second] = await receiver.arrived(looksMade.path, 1)
  verify(second!, prefixed)
  verify(second!, prefixed, 'raw')
  const { id, headers, body } = second!
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', prefixed).update(signed).digest('base64')
  assert.ok(headers['webhook-signature']!.split(' ').includes(`v1,${expected}`))
})

test('while a secret is rotated both sign; without grace the old one stops at once', async () => {
  const hook = await register(installer, ['lead.created'])
  const rotated = await post(`/${hook.id}/secret`, { grace_hours: 1 })
  assert.equal(rotated.status, 200)
  const { secret, previous_expires_at } = rotated.body
  assert.ok(Math.abs(Date.parse(previous_expires_at) - Date.now() - 3_600_000) < 60_000)
  await lead(installer)
  const [both] = await receiver.arrived(hook.path, 1)
  verify(both!, hook.secret)
  verify(both!, secret)
  assert.equal(both!.headers['webhook-signature']!.split(' ').length, 2)

  const now = await post(`/${hook.id}/secret`, { grace_hours: 0, secret: 'my very own signing secret' })
  assert.deepEqual(now.body, { id: hook.id, secret: 'my very own signing secret', previous_expires_at: null })
  await lead(installer)
  const [, one] = await receiver.arrived(hook.path, 2)
  verify(one!, 'my very own signing secret', 'raw')
  assert.throws(() => verify(one!, secret))
  assert.throws(() => verify(one!, hook.secret))

  // Without a body a secret is made, and the one before signs for a day.
  const bodyless = await post(`/${hook.id}/secret`)
  assert.match(bodyless.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  await app.database.rows(
    `update webhooks set secrets = jsonb_set(secrets, '{1,expiresAt}', '"2020-01-01T00:00:00.000Z"') where id = $1`,
    [hook.id],
  )
  await lead(installer)
  const [, , expired] = await receiver.arrived(hook.path, 3)
  verify(expired!, bodyless.body.secret)
  assert.doesNotMatch(expired!.headers['webhook-signature']!, / /)
})

test('bursts and pauses: each event is told without waiting for the upkeep', async () => {
  const hook = await register(installer, ['lead.created'])
  const ids: string[] = []
  // Pauses around the time after which nobody looks any more.
  for (let pauseMs = 0; pauseMs < 130; pauseMs += 5) {
    ids.push(...(await Promise.all([lead(installer), lead(installer), lead(installer)])))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  // One whose answer a busy machine had no time for comes again.
  const told = () => new Set(receiver.at(hook.path).map((one) => one.message.data.id))
  await receiver.until(() => told().size >= ids.length, `all ${ids.length}`)
  assert.deepEqual([...told()].toSorted(), ids.toSorted())
})

test('a write by a directory from before the endpoint was made is told too', async () => {
  const of = world.otherDealer
  await lead(of)
  // What the factories remember of the tenant is now out of date.
  const hook = await register(of, ['lead.created'])
  const leadId = await lead(of)
  const [told] = await receiver.arrived(hook.path, 1)
  assert.equal(told!.message.data.id, leadId)
})
