import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { eventNames } from '../../../src/domain/journal/events/event-names.ts'
import { type Actors, keyFor, lead } from '../../support/factories.ts'
import { type Hook, startWebhookApp } from '../../support/webhook-app.ts'

const { app, world, receiver, register, post } = await startWebhookApp()
const { installer, dealer, sister, other, otherDealer } = world
const webhooks = '/catalog/v1/webhooks'
let readKey = ''
let legacyKey = ''
before(async () => {
  readKey = (await keyFor(world, installer, { access: 'read' })).secret
  legacyKey = (await keyFor(world, installer, { interfaces: ['legacy'] })).secret
})

const body = () => ({ url: `${receiver.url}/any`, events: ['lead.created'] })

test('POST /webhooks answers 201 with the record and, only here, its secret', async () => {
  const { status, body: made } = await post('', { ...body(), events: ['lead.created', '*', 'lead.created'] })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(made), [
    'id',
    'url',
    'events',
    'status',
    'created_at',
    'last_delivery',
    'secret',
  ])
  assert.match(made.id, /^we_/)
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(made.events, ['lead.created', '*'])
  assert.deepEqual([made.status, made.last_delivery, made.url], ['enabled', null, `${receiver.url}/any`])
  const list = await app.get(webhooks, installer.key)
  assert.deepEqual(list.body.meta, { page: 1, per_page: 20, total: 1 })
  const { secret, ...record } = made
  assert.deepEqual(list.body.data, [record])
  assert.ok(secret)
})

test('POST /webhooks answers 400 naming what is wrong', async () => {
  const wrong: [object, RegExp][] = [
    [{}, /url is required; events is required/],
    [{ ...body(), url: 'http://hooks.example.com/x' }, /url: the address must begin with https/],
    [{ ...body(), url: 'https://127.0.0.1/x' }, /url: .*must not hold an IP address/],
    [{ ...body(), url: 'https://10.0.0.8/x' }, /IP address/],
    [{ ...body(), url: 'https://localhost/x' }, /public host name/],
    [{ ...body(), url: 'https://user:pw@hooks.example.com/' }, /user name or password/],
    [{ ...body(), url: 'hooks' }, /complete address/],
    [{ ...body(), url: `https://hooks.example.com/${'x'.repeat(2048)}` }, /url must have at most 2048/],
    [{ ...body(), events: [] }, /events must have at least 1/],
    [{ ...body(), events: 'lead.created' }, /events must be a list/],
    [{ ...body(), events: ['lead.created', 'lead.deleted'] }, /events\[1\] must be one of lead\.created/],
    [{ ...body(), secret: 'short' }, /secret must have 16 to 256/],
    [{ ...body(), secret: 'x'.repeat(257) }, /secret must have at most 256/],
    [{ ...body(), secret: 12 }, /secret must be a text/],
    [{ ...body(), event: [] }, /event is not a field here: did you mean events/],
  ]
  for (const [sent, message] of wrong) {
    const { status, body: answer } = await post('', sent)
    assert.equal(status, 400, JSON.stringify(sent))
    assert.match(answer.error.message, message)
  }
  const unknown = await post('', { ...body(), events: ['nothing'] })
  for (const name of [...eventNames, '*']) assert.ok(unknown.body.error.message.includes(name), name)
  assert.equal((await app.get(`${webhooks}?page=0`, installer.key)).status, 400)
  assert.equal((await app.get(`${webhooks}?per_page=101`, installer.key)).status, 400)
  assert.equal((await app.get(`${webhooks}?status=enabled`, installer.key)).status, 400)
})

const operations: [method: string, path: string, body?: object][] = [
  ['GET', ''],
  ['POST', '', { url: 'https://hooks.example.com/x', events: ['*'] }],
  ['DELETE', '/:id'],
  ['POST', '/:id/enable'],
  ['POST', '/:id/test'],
  ['POST', '/:id/secret', {}],
  ['GET', '/:id/deliveries'],
  ['POST', '/:id/redeliver', { since: '2026-01-01T00:00:00Z' }],
]

async function call(of: Hook, key: string | undefined, [method, path, sent]: (typeof operations)[number]) {
  return app.call(method, webhooks + path.replace(':id', of.id), {
    ...(key === undefined ? {} : { key }),
    ...(sent ? { body: sent } : {}),
  })
}

for (const operation of operations) {
  const [method, path] = operation
  test(`${method} /webhooks${path}: 401 without a key, 403 for other interfaces, 404 for whoever it is not`, async () => {
    const hook = await register(dealer)
    assert.equal((await call(hook, undefined, operation)).status, 401)
    assert.equal((await call(hook, 'psk_0000000000000000000000000000000000000000', operation)).status, 401)
    assert.equal((await call(hook, legacyKey, operation)).status, 403)
    const reads = method === 'GET'
    assert.equal((await call(hook, readKey, operation)).status, reads ? 200 : 403)
    if (path === '') return
    for (const stranger of [sister, other, otherDealer]) {
      const { status, body: answer } = await call(hook, stranger.key, operation)
      assert.deepEqual([status, answer.error.code], [404, 'not_found'])
    }
    for (const id of ['we_0000000000000000', 'nonsense', 'lead_01jcq5d8m0b6x7v2k9fz3h4t1w', '%00']) {
      assert.equal((await call({ ...hook, id }, dealer.key, operation)).status, 404, id)
    }
    // The installer sees and changes its dealers'.
    assert.ok((await call(hook, installer.key, operation)).status < 300)
    const gone = await app.call('DELETE', `${webhooks}/${hook.id}`, { key: dealer.key })
    assert.equal(gone.status, path === '/:id' && method === 'DELETE' ? 404 : 204)
    assert.equal((await call(hook, dealer.key, operation)).status, 404)
  })
}

test('whose: a dealer lists its own, an installer the tenant’s, page by page', async () => {
  const listed = async (of: Actors, query = '') =>
    (await app.get(`${webhooks}${query}`, of.key)).body as { data: { id: string }[]; meta: { total: number } }
  for (const webhook of (await listed(installer, '?per_page=100')).data) {
    await app.call('DELETE', `${webhooks}/${webhook.id}`, { key: installer.key })
  }
  const hooks = [await register(installer), await register(dealer), await register(sister)]
  const foreign = await register(other)
  const ids = (list: { data: { id: string }[] }) => list.data.map((webhook) => webhook.id)
  assert.deepEqual(
    ids(await listed(installer)),
    hooks.map((hook) => hook.id),
  )
  assert.deepEqual(ids(await listed(dealer)), [hooks[1]!.id])
  assert.ok(ids(await listed(other)).includes(foreign.id))
  const page = await listed(installer, '?page=2&per_page=2')
  assert.deepEqual([ids(page), page.meta], [[hooks[2]!.id], { page: 2, per_page: 2, total: 3 }])
  assert.deepEqual((await listed(installer, '?page=9')).data, [])
})

test('a company has at most 50 endpoints', async () => {
  const there = (await app.get(`${webhooks}?per_page=1`, otherDealer.key)).body.meta.total
  for (let i = there; i < 50; i++) assert.equal((await post('', body(), otherDealer.key)).status, 201)
  const refused = await post('', body(), otherDealer.key)
  assert.equal(refused.status, 400)
  assert.match(refused.body.error.message, /at most 50/)
  const [first] = (await app.get(webhooks, otherDealer.key)).body.data
  await app.call('DELETE', `${webhooks}/${first.id}`, { key: otherDealer.key })
  assert.equal((await post('', body(), otherDealer.key)).status, 201)
})

test('POST /webhooks/{id}/redeliver answers 400 for what is neither one nor a range', async () => {
  const hook = await register()
  const delivery = 'dlv_01jcq5d8m0b6x7v2k9fz3h4t1w'
  const wrong: [unknown, RegExp][] = [
    [{}, /must not be empty/],
    [{ delivery_id: delivery, since: '2026-01-01T00:00:00Z' }, /either delivery_id, or since and until/],
    [{ until: '2026-01-01T00:00:00Z' }, /since is required/],
    [{ since: 'yesterday' }, /since must be an ISO 8601 timestamp/],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, /until must be later/],
    [{ delivery_id: delivery }, /delivery_id: this endpoint has no such delivery/],
    [{ delivery_id: 'x' }, /no such delivery/],
    [{ delivery: 'x' }, /did you mean delivery_id/],
  ]
  for (const [sent, message] of wrong) {
    const { status, body: answer } = await post(`/${hook.id}/redeliver`, sent)
    assert.equal(status, 400, JSON.stringify(sent))
    assert.match(answer.error.message, message)
  }
  for (const since of ['2026-01-01T00:00:00,5+0200', '2026-01-01t00:00:00z', '2026-01-01T00:00-05']) {
    const { status, body: answer } = await post(`/${hook.id}/redeliver`, { since })
    assert.deepEqual([status, answer], [202, { redelivered: 0 }], since)
  }
  for (const grace_hours of [-1, 25, 1.5, '1']) {
    assert.equal((await post(`/${hook.id}/secret`, { grace_hours })).status, 400)
  }
  assert.equal((await app.get(`${webhooks}/${hook.id}/deliveries?status=lost`, installer.key)).status, 400)
})

test('the description has every event in its webhooks section', async () => {
  const { body: document } = await app.send('GET', '/catalog/v1/openapi.json')
  assert.deepEqual(Object.keys(document.webhooks), [...eventNames])
  const { post: told } = document.webhooks['alert.triggered']
  const { $ref } = told.requestBody.content['application/json'].schema
  assert.equal($ref, '#/components/schemas/AlertTriggeredEvent')
  const schema = document.components.schemas.AlertTriggeredEvent
  assert.deepEqual(schema.required, ['type', 'timestamp', 'data'])
  assert.deepEqual(schema.properties.type.enum, ['alert.triggered'])
  assert.deepEqual(
    schema.properties.data.allOf.map((part: { $ref: string }) => part.$ref),
    ['#/components/schemas/Alert', '#/components/schemas/Snapshot'],
  )
})

test('a tenant that nobody listens to writes no job', async () => {
  const { body: list } = await app.get(`${webhooks}?per_page=100`, other.key)
  for (const { id } of list.data) await app.call('DELETE', `${webhooks}/${id}`, { key: other.key })
  // Jobs are gone once they are done; their numbers are not.
  const numbers = () =>
    app.database.rows(
      `select max(last_value) as n from pg_sequences where schemaname = 'graphile_worker' and sequencename like '%jobs_id%'`,
    )
  const before = await numbers()
  await lead(other)
  assert.deepEqual(await numbers(), before)
  const told = await app.database.rows(
    'select count(*) as n from webhook_deliveries where installer_id = $1',
    [other.company.id],
  )
  assert.deepEqual(told, [{ n: 0 }])
})
