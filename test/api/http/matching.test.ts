import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Call, startApp } from '../../support/app.ts'
import { send } from '../../support/energy.ts'
import { createWorld, keyFor, project } from '../../support/factories.ts'
import { creditIn, invoiceIn, invoicesPath } from '../../support/invoices.ts'
import { watchedIn } from '../../support/watched.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
const reader = (await keyFor(world, installer, { access: 'read' })).secret

async function read(path: string): Promise<{ text: string; tag: string }> {
  const { status, text, headers } = await app.get(path, key)
  assert.equal(status, 200, text)
  return { text, tag: headers.etag! }
}
const change = (method: string, path: string, tag: string, call: Call = {}) =>
  app.call(method, path, { key, ...call, headers: { ...call.headers, 'if-match': tag } })

const alertIn = async () => {
  const { projectId } = await project(installer)
  const { alertId } = await watchedIn(app.database, installer, projectId)
  return `/catalog/v1/monitoring/alerts/${alertId}`
}
const invoice = async (state: 'draft' | 'open') => `${invoicesPath}/${await invoiceIn(app, key, state)}`
const credit = async () => `/catalog/v1/billing/credits/${await creditIn(app, key)}`

const actions: [name: string, record: () => Promise<string>, body?: object][] = [
  ['acknowledge', alertIn],
  ['resolve', alertIn],
  ['finalize', () => invoice('draft')],
  ['pay', () => invoice('open'), { amount: 1 }],
  ['void', () => invoice('open')],
  ['refund', credit, { amount: 1 }],
]

for (const [name, record, body] of actions) {
  const call: Call = body ? { body } : {}

  test(`${name} is done to what was read, and else nothing is written`, async () => {
    const path = await record()
    const action = `${path}/${name}`
    const before = await read(path)
    const outdated = await change('POST', action, '"x"', call)
    assert.deepEqual([outdated.status, outdated.body.error?.code], [412, 'invalid'], outdated.text)
    assert.equal((await change('POST', action, 'x', call)).status, 400)
    assert.equal((await change('POST', action, before.tag, { ...call, key: reader })).status, 403)
    for (const { key } of [dealer, other])
      assert.equal((await change('POST', action, '*', { ...call, key })).status, 404)
    assert.equal((await read(path)).text, before.text)
    const done = await change('POST', action, before.tag, call)
    assert.equal(done.status, 200, done.text)
    assert.notEqual((await read(path)).tag, before.tag)
  })

  test(`${name} with a tag and an Idempotency-Key is done once`, async () => {
    const path = await record()
    const attempt = (tag: string, idempotencyKey: string) =>
      change('POST', `${path}/${name}`, tag, { ...call, headers: { 'idempotency-key': idempotencyKey } })
    const before = await read(path)
    const refused = await Promise.all([1, 2].map(() => attempt('"x"', `${name}-refused`)))
    assert.deepEqual(
      refused.map(({ status }) => status),
      [412, 412],
    )
    assert.equal((await read(path)).text, before.text)
    const all = await Promise.all(Array.from({ length: 4 }, () => attempt(before.tag, `${name}-done`)))
    assert.deepEqual(
      all.map(({ status }) => status),
      Array(4).fill(200),
    )
    assert.equal(new Set(all.map(({ text }) => text)).size, 1)
    assert.equal(all.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 3)
    const other = await attempt(before.tag, `${name}-other`)
    assert.ok([400, 412].includes(other.status), other.text)
  })
}

test('of payments at once with the same tag one is noted, with keys and without', async () => {
  const path = await invoice('open')
  const { tag } = await read(path)
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      change('POST', `${path}/pay`, tag, {
        body: { amount: 1 },
        headers: i % 2 ? { 'idempotency-key': `at-once-${i}` } : {},
      }),
    ),
  )
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)])
  assert.equal(JSON.parse((await read(path)).text).amount_paid, 1)
})

test('a payment that its key brought long ago is told again, though its tag is outdated by it', async () => {
  const path = await invoice('open')
  const { tag } = await read(path)
  const pay = () =>
    change('POST', `${path}/pay`, tag, { body: { amount: 1 }, headers: { 'idempotency-key': 'long-ago' } })
  assert.equal((await pay()).status, 200)
  await app.database.rows(`delete from idempotency_keys where key = 'long-ago'`)
  const again = await pay()
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true'], again.text)
  assert.equal(JSON.parse((await read(path)).text).amount_paid, 1)
})

test('a reading outdates no change of its panel, and is new to who reads it', async () => {
  const made = async (path: string, body: object) => {
    const answer = await app.call('POST', `/catalog/v1/${path}`, { key, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id as string
  }
  const installation_id = await made('installations', {
    name: 'Roof',
    address: '1 Market St',
    region: 'US-CO',
  })
  const metadata = { daily_output_kwh: '7,"' }
  const id = await made('panels', {
    name: '"daily_output_kwh":1,',
    capacity_kw: 0.4,
    installation_id,
    metadata,
  })
  const path = `/catalog/v1/panels/${id}`
  const first = await read(path)
  await send(app, key, [{ panel_id: id, timestamp: '2026-06-01T18:00:00Z', kwh: 0.2 }])
  const second = await read(path)
  assert.equal(JSON.parse(second.text).daily_output_kwh, 0.2)
  const known = await app.send('GET', path, { key, headers: { 'if-none-match': first.tag } })
  assert.equal(known.status, 200)
  assert.equal((await app.send('GET', path, { key, headers: { 'if-none-match': second.tag } })).status, 304)
  const changed = await change('PATCH', path, first.tag, { body: { name: 'Panel 7' } })
  assert.equal(changed.status, 200, changed.text)
  for (const { tag } of [first, second])
    assert.equal((await change('PATCH', path, tag, { body: { name: 'Panel 8' } })).status, 412)
  const other = await change('PATCH', path, (await read(path)).tag, { body: { metadata: { a: '1' } } })
  assert.equal(other.status, 200, other.text)
  assert.equal((await change('DELETE', path, second.tag)).status, 412)
})
