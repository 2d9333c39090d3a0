import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { DeliveryResponse, WebhookResponse } from '../../src/api/console/webhook-responses.ts'
import { lead } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { startWebhookApp } from '../support/webhook-app.ts'
import { verify } from '../support/webhook-receiver.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

const hooks = await startWebhookApp('60')
let owner: Client
let dealer: Client
let paths = 0

before(async () => {
  const { app, world } = hooks
  owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'admin', 'Dora Dealer'))
})

const post = (client: Client, path: string, body?: object) =>
  client.call('POST', `/webhooks${path}`, body ? { body } : {})

async function add(client = owner, more: object = {}) {
  const path = `/console/${++paths}`
  const body = { url: hooks.receiver.url + path, events: ['lead.created'], description: 'CRM', ...more }
  const answer = await post(client, '', body)
  assert.equal(answer.status, 201, answer.text)
  return { path, ...(answer.body as { id: string; secret: string }) }
}

const read = async (id: string) => (await owner.get(`/webhooks/${id}`)).body as WebhookResponse
const deliveries = async (id: string, query = '') =>
  (await owner.get(`/webhooks/${id}/deliveries${query}`)).body as {
    deliveries: DeliveryResponse[]
    next: string | null
  }

describe('an endpoint', () => {
  test('is told what happens, and its secret is in one answer only', async () => {
    const { id, secret, path } = await add()
    assert.match(secret, /^whsec_/)
    await lead(hooks.world.installer)
    const [received] = await hooks.receiver.arrived(path, 1)
    verify(received!, secret)
    const shown = await owner.get(`/webhooks/${id}`)
    assert.deepEqual(
      [shown.body.description, shown.body.events, shown.body.status],
      ['CRM', ['lead.created'], 'enabled'],
    )
    const list = await owner.get('/webhooks')
    for (const { text } of [shown, list]) assert.ok(!text.includes(secret.slice(8)))
  })

  test('is changed, and told of what happens from then on', async () => {
    const witness = await add()
    const { id, path } = await add(owner, { events: ['invoice.paid'] })
    await lead(hooks.world.installer)
    await hooks.receiver.arrived(witness.path, 1)
    const change = { events: ['lead.created', 'lead.created'], description: 'Leads' }
    assert.equal((await owner.call('PATCH', `/webhooks/${id}`, { body: change })).status, 200)
    await lead(hooks.world.installer, { firstName: 'Later' })
    const [received] = await hooks.receiver.arrived(path, 1)
    assert.equal(received!.message.data.customer.firstName, 'Later')
    const { events, description } = await read(id)
    assert.deepEqual([events, description], [['lead.created'], 'Leads'])
    const changed = await hooks.app.database.rows<{ changes: object; actor_name: string }>(
      `select changes, actor_name from events where type = 'webhook.changed' and subject_id = '${id}'`,
    )
    assert.deepEqual(changed, [
      {
        actor_name: 'Olga Owner',
        changes: { events: [['invoice.paid'], ['lead.created']], description: ['CRM', 'Leads'] },
      },
    ])
  })

  test('is turned off and on, says who did it and what waits, and gets it', async () => {
    const { id, path } = await add()
    assert.equal((await post(owner, `/${id}/disable`)).status, 200)
    assert.equal((await post(owner, `/${id}/disable`)).status, 200)
    const off = await read(id)
    assert.deepEqual([off.status, off.disabledReason], ['disabled', 'Olga Owner turned it off'])
    await lead(hooks.world.installer, { firstName: 'Meanwhile' })
    const behind = await read(id)
    assert.equal(behind.waiting, 1)
    assert.ok(Date.now() - Date.parse(behind.oldestWaitingAt!) < 60_000)
    assert.equal((await post(owner, `/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' })).status, 400)
    assert.equal((await post(owner, `/${id}/enable`)).status, 200)
    await lead(hooks.world.installer, { firstName: 'Again' })
    const received = await hooks.receiver.arrived(path, 2)
    assert.deepEqual(received.map(({ message }) => message.data.customer.firstName).toSorted(), [
      'Again',
      'Meanwhile',
    ])
    assert.equal((await read(id)).disabledReason, null)
    await hooks.eventually('nothing waits any more', async () => (await read(id)).waiting === 0)
  })

  test('gets a new secret, and for a while both sign', async () => {
    const { id, path, secret } = await add()
    const { body, status } = await post(owner, `/${id}/secret`, { graceHours: 4 })
    assert.equal(status, 200)
    await post(owner, `/${id}/test`)
    const [received] = await hooks.receiver.arrived(path, 1)
    verify(received!, secret)
    verify(received!, body.secret)
    assert.equal((await read(id)).previousSecretUntil, body.previousExpiresAt)
    const noted = await hooks.app.database.rows('select e::text as event from events e')
    assert.ok(!JSON.stringify(noted).includes(body.secret))
  })

  test('is deleted', async () => {
    const { id } = await add()
    assert.equal((await owner.call('DELETE', `/webhooks/${id}`)).status, 200)
    assert.equal((await owner.get(`/webhooks/${id}`)).status, 404)
    const { text } = await owner.get('/webhooks')
    assert.ok(!text.includes(id))
  })
})

describe('a delivery', () => {
  test('that fails is read with request and answer, and sent again', async () => {
    const { id, path } = await add()
    hooks.receiver.behave(path, (response) => response.writeHead(503).end('Closed for lunch'))
    const tested = await post(owner, `/${id}/test`)
    assert.deepEqual([tested.body.delivered, tested.body.attempt.status], [false, 503])
    await lead(hooks.world.installer)
    await hooks.eventually('it has failed', async () => (await read(id)).failingSince !== null)
    const failing = await read(id)
    assert.deepEqual([failing.recent, failing.recentDelivered], [2, 0])
    assert.ok(failing.oldestWaitingAt)

    const { deliveries: waiting } = await deliveries(id, '?state=due')
    assert.equal(waiting.length, 1)
    const { body } = await owner.get(`/webhooks/${id}/deliveries/${waiting[0]!.id}`)
    assert.equal(body.url, hooks.receiver.url + path)
    assert.equal(body.headers['webhook-id'], waiting[0]!.id)
    assert.equal(JSON.parse(body.body).type, 'lead.created')
    assert.equal(body.attempts[0].answer, 'Closed for lunch')

    hooks.receiver.behave(path, (response) => response.writeHead(204).end())
    const again = await post(owner, `/${id}/redeliver`, { deliveryId: waiting[0]!.id })
    assert.deepEqual(again.body, { redelivered: 1 })
    await hooks.eventually('it has arrived', async () => (await read(id)).failingSince === null)
    const { deliveries: all } = await deliveries(id)
    assert.deepEqual(
      all.map(({ event, state }) => [event, state]),
      [
        ['lead.created', 'delivered'],
        ['webhook.test', 'failed'],
      ],
    )
    const range = await post(owner, `/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' })
    assert.deepEqual(range.body, { redelivered: 2 })
    await hooks.eventually('all have arrived', async () => (await read(id)).recentDelivered === 2)
  })

  test('is listed page by page', async () => {
    const { id } = await add()
    for (let i = 0; i < 3; i++) await post(owner, `/${id}/test`)
    const first = await deliveries(id, '?limit=2')
    const second = await deliveries(id, `?limit=2&after=${first.next}`)
    const ids = [...first.deliveries, ...second.deliveries].map((delivery) => delivery.id)
    assert.deepEqual([ids.length, new Set(ids).size, second.next], [3, 3, null])
  })
})

test('a dealer has its own, and sees no other', async () => {
  const theirs = await add(dealer)
  const ours = await add()
  const { body } = await dealer.get('/webhooks')
  const ids = body.webhooks.map(({ id }: WebhookResponse) => id)
  assert.deepEqual([ids.includes(theirs.id), ids.includes(ours.id)], [true, false])
  assert.ok((await owner.get('/webhooks')).text.includes(theirs.id))
  const page = (await owner.get('/webhooks?limit=1')).body
  assert.notEqual((await owner.get(`/webhooks?limit=1&after=${page.next}`)).body.webhooks[0].id, page.next)
})

test('what makes no sense is refused in words', async () => {
  const { id } = await add()
  const url = 'https://hooks.example.com/a'
  const bodies: [string, object][] = [
    ['', { url: 'http://169.254.169.254/', events: ['*'] }],
    ['', { url: 'nothing', events: ['*'] }],
    ['', { url, events: [] }],
    ['', { url, events: ['lead.eaten'] }],
    ['', { url, events: ['*'], description: 'x'.repeat(201) }],
    ['', { url, events: ['*'], description: 'a\0b' }],
    ['', { url, events: ['*'], secret: 'chosen by somebody else' }],
    [`/${id}/secret`, { graceHours: 25 }],
    [`/${id}/secret`, {}],
    [`/${id}/redeliver`, {}],
    [`/${id}/redeliver`, { deliveryId: 'dlv_none000000' }],
    [`/${id}/redeliver`, { since: '2026-12-31T23:59:60Z' }],
    [`/${id}/redeliver`, { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    [`/${id}/redeliver`, { deliveryId: 'dlv_none000000', since: '2026-01-02T00:00:00Z' }],
  ]
  for (const [path, body] of bodies) {
    const { status, text } = await post(owner, path, body)
    assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`)
  }
  assert.equal((await post(owner, `/${id}/redeliver`, { since: '0001-01-01T00:00:00Z' })).status, 200)
  for (const query of ['?after=x', '?limit=0', '?limit=201', '?state=lost', '?after=9999999999999~99999x'])
    assert.equal((await owner.get(`/webhooks/${id}/deliveries${query}`)).status, 400, query)
  assert.equal((await owner.get(`/webhooks/${id}/deliveries?after=9999999999999~99999`)).status, 200)
  assert.equal((await owner.get(`/webhooks/${id}/deliveries/dlv_none000000`)).status, 404)
  assert.equal((await owner.call('PATCH', `/webhooks/${id}`, { body: {} })).status, 400)
  assert.equal((await owner.call('PATCH', `/webhooks/${id}`, { body: { url: 'http://[::1]/' } })).status, 400)
})
