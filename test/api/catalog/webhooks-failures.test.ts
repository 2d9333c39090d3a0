import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { lead, member } from '../../support/factories.ts'
import { startWebhookApp } from '../../support/webhook-app.ts'
import { verify } from '../../support/webhook-receiver.ts'

const { app, world, receiver, register, post, deliveries, record, eventually } = await startWebhookApp()
const { installer, dealer } = world

test('what fails is tried again by the schedule: the same bytes and id, signed again', async () => {
  const hook = await register(installer, ['lead.created'])
  let answers = 0
  receiver.behave(hook.path, (response) => {
    response.writeHead(++answers < 3 ? 500 : 200).end(answers < 3 ? 'not today' : 'thanks')
  })
  await lead(installer)
  const attempts = await receiver.arrived(hook.path, 3)
  for (const one of attempts) verify(one, hook.secret)
  assert.equal(new Set(attempts.map((one) => one.id)).size, 1)
  assert.equal(new Set(attempts.map((one) => one.body)).size, 1)
  assert.ok(attempts[1]!.at - attempts[0]!.at >= 95 && attempts[2]!.at - attempts[1]!.at >= 195)
  await eventually('it is delivered', async () => (await deliveries(hook))[0].status === 'delivered')
  const [delivery] = await deliveries(hook)
  assert.deepEqual(
    delivery.attempts.map((a: { status: number; answer: string }) => [a.status, a.answer]),
    [
      [500, 'not today'],
      [500, 'not today'],
      [200, 'thanks'],
    ],
  )
  assert.match(delivery.attempts[0].error, /answered 500/)
  assert.equal(delivery.attempts[2].error, null)
  assert.doesNotMatch(JSON.stringify(delivery), /whsec_/)
})

test('after the last attempt it has failed, and can be sent again one by one', async () => {
  const hook = await register(installer, ['lead.created'])
  receiver.behave(hook.path, (response) =>
    response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end(),
  )
  await lead(installer)
  await receiver.arrived(hook.path, 4)
  await eventually('it has failed', async () => (await deliveries(hook))[0].status === 'failed')
  const [failed] = await deliveries(hook, '&status=failed')
  assert.equal(failed.attempts.length, 4)
  assert.equal(failed.next_attempt_at, null)
  assert.match(failed.attempts[3].error, /redirects are not followed/)
  assert.deepEqual(receiver.at('/elsewhere'), [])
  assert.equal((await record(hook)).last_delivery.delivered, false)

  receiver.behave(hook.path, (response) => response.writeHead(200).end())
  const again = await post(`/${hook.id}/redeliver`, { delivery_id: failed.id })
  assert.deepEqual([again.status, again.body], [202, { redelivered: 1 }])
  const all = await receiver.arrived(hook.path, 5)
  assert.equal(new Set(all.map((one) => one.id + one.body)).size, 1)
  verify(all[4]!, hook.secret)
  await eventually('it is delivered', async () => (await deliveries(hook))[0].attempts.length === 5)
  assert.equal((await deliveries(hook))[0].status, 'delivered')
})

test('a range of events is sent again', async () => {
  const hook = await register(installer, ['lead.created'])
  for (let i = 0; i < 5; i++) await lead(installer)
  await receiver.arrived(hook.path, 5)
  await eventually(
    'all are delivered',
    async () => (await deliveries(hook, '&status=delivered')).length === 5,
  )
  const times = (await deliveries(hook)).map((d) => d.event_at).reverse()
  const some = await post(`/${hook.id}/redeliver`, { since: times[1], until: times[3] })
  assert.deepEqual(some.body, { redelivered: 2 })
  const again = (await receiver.arrived(hook.path, 7)).slice(5).map((one) => one.message.timestamp)
  assert.deepEqual(again.sort(), [times[1], times[2]])
  assert.deepEqual((await post(`/${hook.id}/redeliver`, { since: times[3] })).body, { redelivered: 2 })
  await receiver.arrived(hook.path, 9)
  assert.deepEqual(
    (await post(`/${hook.id}/redeliver`, { since: '2019-01-01T00:00:00Z', until: times[0] })).body,
    {
      redelivered: 0,
    },
  )
})

test('410 disables at once, and its company is told; enabled again it gets what failed, what waited and what is new', async () => {
  const owner = await member(world, dealer, 'Olga Owner', 'owner')
  await member(world, dealer, 'Rep Only', 'rep')
  const hook = await register(dealer, ['lead.created'])
  receiver.behave(hook.path, (response) => response.writeHead(410).end())
  await lead(dealer)
  await receiver.arrived(hook.path, 1)
  await eventually('it is disabled', async () => (await record(hook)).status === 'disabled')
  const mails = await app.database.rows(
    'select to_address, company_id, subject, body from mails where body like $1',
    [`%${hook.id}%`],
  )
  assert.equal(mails.length, 1)
  assert.deepEqual([mails[0]!.to_address, mails[0]!.company_id], [owner.email, dealer.company.id])
  assert.match(String(mails[0]!.body), /410 Gone\.\n.* Once the endpoint works again, turn it back on/)

  const meanwhile = await lead(dealer)
  const refused = await post(`/${hook.id}/redeliver`, { since: '2026-01-01T00:00:00Z' })
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /Turn it on first/)
  receiver.behave(hook.path, (response) => response.writeHead(204).end())
  const enabled = await post(`/${hook.id}/enable`, undefined, dealer.key)
  assert.deepEqual([enabled.status, enabled.body.status], [200, 'enabled'])
  const later = await lead(dealer)
  const all = await receiver.arrived(hook.path, 4)
  assert.equal(all[0]!.id, all[1]!.id)
  assert.deepEqual(
    all
      .slice(2)
      .map(({ message }) => message.data.id)
      .toSorted(),
    [meanwhile, later].toSorted(),
  )
  assert.equal((await post(`/${hook.id}/enable`)).body.status, 'enabled')
})

test('after 5 days in which everything failed an endpoint is disabled; one success and it is not', async () => {
  await member(world, installer, 'Ada Admin', 'admin')
  const hook = await register(installer, ['lead.created'])
  receiver.behave(hook.path, (response) => response.writeHead(503).end())
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const pretend = (failing: number, last: number) =>
    app.database.rows('update webhooks set failing_since = $2, last_attempt_at = $3 where id = $1', [
      hook.id,
      ago(failing),
      ago(last),
    ])
  await pretend(4.9, 0.5)
  await lead(installer)
  await receiver.arrived(hook.path, 4)
  await eventually('it has failed', async () => (await deliveries(hook))[0].status === 'failed')
  assert.equal((await record(hook)).status, 'enabled')
  // A failure after a long silence is a first one.
  await pretend(30, 27)
  await lead(installer)
  await receiver.arrived(hook.path, 8)
  await eventually('it has failed', async () => (await deliveries(hook, '&status=failed')).length === 2)
  assert.equal((await record(hook)).status, 'enabled')

  receiver.behave(hook.path, (response) => response.writeHead(200).end())
  await pretend(6, 0.5)
  await lead(installer)
  await receiver.arrived(hook.path, 9)
  await eventually('it is delivered', async () => (await deliveries(hook, '&status=delivered')).length === 1)
  assert.equal((await record(hook)).status, 'enabled')

  receiver.behave(hook.path, (response) => response.writeHead(503).end())
  await pretend(5.01, 0.5)
  await lead(installer)
  await receiver.arrived(hook.path, 10)
  await eventually('it is disabled', async () => (await record(hook)).status === 'disabled')
  const mails = await app.database.rows('select to_address, body from mails where body like $1', [
    `%${hook.id}%`,
  ])
  assert.equal(mails.length, 1)
  assert.match(String(mails[0]!.body), /5 days/)
})

test('an endpoint that hangs, and one that is not there, delay no other and nobody who writes', async () => {
  const hanging = await register(installer, ['lead.created'])
  const alive = await register(installer, ['lead.created'])
  const held: ServerResponse[] = []
  receiver.behave(hanging.path, (response) => void held.push(response))
  const gone = await post('', { url: 'https://localhost:1/gone', events: ['*'] })
  assert.equal(gone.status, 400, 'its port is not trusted')
  for (let i = 0; i < 30; i++) await lead(installer)
  const arrived = await receiver.arrived(alive.path, 30)
  // Had they waited for it, as many would have been given up by now.
  const underWay = held.filter(({ closed }) => !closed)
  assert.ok(held.length - underWay.length < 10, `${held.length - underWay.length} were given up`)
  assert.equal(arrived.length, 30)
  // No more than a few are under way to the one that hangs.
  assert.ok(held.length >= 1 && underWay.length <= 8, `${underWay.length} under way`)
  const { body } = await app.get('/catalog/v1/webhooks?per_page=100', installer.key)
  assert.ok(body.data.length > 5)
  // Deleted, what is under way to it is broken off.
  const open = held.filter(({ closed }) => !closed)
  const broken = Promise.all(open.map((response) => new Promise((resolve) => response.on('close', resolve))))
  const deleted = await app.call('DELETE', `/catalog/v1/webhooks/${hanging.id}`, { key: installer.key })
  assert.equal(deleted.status, 204)
  await broken
  const before = receiver.at(hanging.path).length
  await lead(installer)
  await receiver.arrived(alive.path, 31)
  assert.equal(receiver.at(hanging.path).length, before)
})

test('a receiver that breaks off, or answers at length, is written down in few words', async () => {
  const hook = await register(installer, ['lead.created'])
  let calls = 0
  receiver.behave(hook.path, (response) => {
    if (++calls === 1) response.destroy()
    else response.writeHead(200).end('x'.repeat(1_000_000))
  })
  await lead(installer)
  await receiver.arrived(hook.path, 2)
  await eventually('it is delivered', async () => (await deliveries(hook))[0].status === 'delivered')
  const [{ attempts }] = await deliveries(hook)
  assert.equal(attempts[0].status, null)
  assert.match(attempts[0].error, /broke off the connection/)
  assert.equal(attempts[1].answer, 'x'.repeat(1024))
})

test('a test event is sent at once, signed, and answers how it went', async () => {
  const hook = await register(installer, ['invoice.paid'])
  const good = await post(`/${hook.id}/test`)
  assert.equal(good.status, 200)
  assert.equal(good.body.delivered, true)
  const [told] = receiver.at(hook.path)
  assert.equal(told!.id, good.body.delivery_id)
  assert.equal(told!.message.type, 'webhook.test')
  assert.equal(told!.message.data.webhook_id, hook.id)
  verify(told!, hook.secret)
  receiver.behave(hook.path, (response) => response.writeHead(500).end('broken'))
  const bad = await post(`/${hook.id}/test`)
  assert.deepEqual(
    [bad.body.delivered, bad.body.attempt.status, bad.body.attempt.answer],
    [false, 500, 'broken'],
  )
  const kept = await deliveries(hook)
  assert.deepEqual(
    kept.map((d) => [d.event, d.status, d.attempts.length]),
    [
      ['webhook.test', 'failed', 1],
      ['webhook.test', 'delivered', 1],
    ],
  )
  for (const [query, total] of Object.entries({ '': 2, '?status=failed': 1, '?status=due': 0 })) {
    const list = await app.get(`/catalog/v1/webhooks/${hook.id}/deliveries${query}`, installer.key)
    assert.equal(list.body.meta.total, total, query)
  }
})
