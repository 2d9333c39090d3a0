import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, lead, leadBody, member, project } from '../../support/factories.ts'
import { assertStatuses, erase, lesserKeys } from '../../support/key-holders.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const keys = await lesserKeys(world)

const batch = (items: unknown, by = key) => app.call('POST', '/v1/batch/leads', { key: by, body: { items } })
const read = async (id: string, by = key) => app.get(`/v1/leads/${id}`, by)
interface Result {
  index: number
  status: number
  leadId?: string
  error?: { code: string; message: string }
}
const statuses = (results: Result[]) => results.map(({ status }) => status)

test('creates and changes are done in order and answered one by one', async () => {
  const id = await lead(dealer)
  const rep = await member(world, dealer, 'Rita Rep')
  const { status, body } = await batch(
    [
      { ...leadBody, externalId: 'crm-1', salesRepEmail: 'nobody@example.com' },
      { ...leadBody, externalId: 'crm-1' },
      {
        id,
        status: 'contacted',
        salesRep: rep.email,
        archived: true,
        address: { ...leadBody.address, line1: '2 Main St' },
      },
      { ...leadBody, firstName: 'Luis' },
      { id, status: 'lost' },
    ],
    dealer.key,
  )
  assert.equal(status, 200)
  const { results } = body
  assert.deepEqual(statuses(results), [201, 200, 200, 201, 200])
  assert.deepEqual(results[0], {
    index: 0,
    status: 201,
    leadId: results[0].leadId,
    created: true,
    unassigned: ['nobody@example.com'],
  })
  assert.deepEqual([results[1].leadId, results[1].created], [results[0].leadId, false])
  assert.deepEqual(results[2], { index: 2, status: 200, leadId: id })
  const changed = (await read(id)).body
  assert.deepEqual(
    [changed.status, changed.salesRep.name, changed.archived, changed.address.line1],
    ['lost', 'Rita Rep', true, '2 Main St'],
  )
  assert.equal((await read(results[3].leadId)).body.customer.firstName, 'Luis')
  // Sent again it makes no lead that names itself, and changes nothing.
  const before = (await read(results[0].leadId)).body.updatedAt
  const again = (
    await batch(
      [
        { ...leadBody, externalId: 'crm-1' },
        { id, status: 'lost' },
      ],
      dealer.key,
    )
  ).body.results
  assert.deepEqual(statuses(again), [200, 200])
  assert.equal((await read(results[0].leadId)).body.updatedAt, before)
})

test('a bad item says why and hinders no other', async () => {
  const sold = await project(dealer)
  const gone = await lead(dealer)
  await erase(app, installer, gone)
  const foreign = await lead(other)
  const items: [unknown, number, RegExp | null][] = [
    [leadBody, 201, null],
    [{}, 400, /firstName is required; lastName is required/],
    [null, 400, /the item must be an object/],
    [7, 400, /the item must be an object/],
    [[], 400, /the item must be an object/],
    [{ ...leadBody, firstName: 'a\0b' }, 400, /firstName: the text must not hold NUL/],
    [{ ...leadBody, firstName: '\ud800' }, 400, /firstName: the text must not hold/],
    [{ ...leadBody, email: 'nope' }, 400, /email must be an email address/],
    [{ ...leadBody, emial: 'x' }, 400, /emial is not a field here: did you mean email/],
    [{ id: foreign, status: 'lost' }, 404, /no lead with this id/],
    [{ id: 'lead_0000000000' }, 404, /no lead with this id/],
    [{ id: '' }, 400, /id must not be empty/],
    [{ id: 9 }, 400, /id must be a text/],
    [{ id: null }, 400, /id must be a text/],
    [{ id: sold.projectId }, 404, /no lead with this id/],
    [{ id: sold.leadId, status: 'lost' }, 400, /^status: a sold lead stays sold/],
    [{ id: gone, notes: 'tea' }, 400, /was erased/],
    [{ id: sold.leadId, salesRep: 'nobody@example.com' }, 400, /^salesRep: no active member/],
    [{ id: sold.leadId, utility: { monthlyBill: 1.001 } }, 400, /^utility\.monthlyBill must have at most 2/],
    [{ id: sold.leadId, firstName: ' Ada ' }, 200, null],
  ]
  const { status, body } = await batch(items.map(([item]) => item))
  assert.equal(status, 200)
  for (const [i, [item, expected, message]] of items.entries()) {
    const result: Result = body.results[i]
    assert.equal(result.index, i)
    assert.equal(result.status, expected, `${JSON.stringify(item)} ${JSON.stringify(result)}`)
    if (message) assert.match(result.error!.message, message)
    else assert.equal(result.error, undefined)
  }
  assert.equal(body.results[1].error.fields[0].path, 'firstName')
  assert.equal((await read(sold.leadId)).body.customer.firstName, 'Ada')
})

describe('as a whole', () => {
  test('what is no batch is 400', async () => {
    const wrong: [unknown, RegExp][] = [
      [undefined, /the body must be an object/],
      [{}, /items is required/],
      [{ items: [] }, /items must have at least 1 item/],
      [{ items: {} }, /items must be a list/],
      [{ items: Array(501).fill({}) }, /items must have at most 500 items/],
      [{ items: [leadBody], dryRun: true }, /dryRun is not a field here/],
      [[leadBody], /the body must be an object/],
    ]
    for (const [body, message] of wrong) {
      const answer = await app.call('POST', '/v1/batch/leads', {
        key,
        ...(body === undefined ? {} : { body }),
      })
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.error.message, message)
    }
    const large = await batch([{ ...leadBody, notes: 'x'.repeat(1_100_000) }])
    assert.equal(large.status, 400)
    assert.match(large.body.error.message, /larger than 1 MiB/)
    const many = await batch(
      Array(500).fill(Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`f${i}`, 1]))),
    )
    assert.equal(many.status, 400)
    assert.match(many.body.error.message, /holds more than 30000 values/)
  })

  test('500 leads with all their fields are one call, and each is one lead', async () => {
    const full = (i: number) => ({
      ...leadBody,
      firstName: `Many${i}`,
      address: { ...leadBody.address, line2: 'Unit 4', country: 'US' },
      email: `many${i}@example.com`,
      phone: '+1 619 555 0100',
      salesRepEmail: 'a@example.com',
      setterEmail: 'b@example.com',
      notes: 'Call after five',
      externalId: `many-${i}`,
      productLine: 'hi',
    })
    const items = Array.from({ length: 500 }, (_, i) => full(i))
    const { secret } = await keyFor(world, installer)
    const first = await batch(items, secret)
    assert.deepEqual(new Set(statuses(first.body.results)), new Set([201]))
    assert.equal(new Set(first.body.results.map(({ leadId }: Result) => leadId)).size, 500)
    assert.equal(Number(first.headers['ratelimit-limit']) - Number(first.headers['ratelimit-remaining']), 1)
    const some: Result[] = first.body.results.slice(0, 50)
    const changes = some.map(({ leadId }) => ({ id: leadId, status: 'contacted' }))
    assert.deepEqual(new Set(statuses((await batch(changes, secret)).body.results)), new Set([200]))
    assert.deepEqual(
      new Set(statuses((await batch(items.slice(0, 50), secret)).body.results)),
      new Set([200]),
    )
  })

  test('sent again by its key it is answered the same; broken off half-way, it makes no lead twice', async () => {
    const once = { 'idempotency-key': 'batch-1' }
    const body = { items: [leadBody, { ...leadBody, firstName: 'Second' }, {}] }
    const send = () => app.call('POST', '/v1/batch/leads', { key, body, headers: once })
    const count = async () => (await rows('select 1 from leads')).length
    const before = await count()
    const first = await send()
    assert.deepEqual(statuses(first.body.results), [201, 201, 400])
    const again = await send()
    assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
    assert.equal(await count(), before + 2)
    // As a process leaves it that is killed after the first item.
    await rows(`delete from idempotency_keys where key in ('batch-1', 'batch-1 1')`)
    const resumed = await send()
    assert.deepEqual(resumed.body.results[0], first.body.results[0])
    assert.notEqual(resumed.body.results[1].leadId, first.body.results[1].leadId)
    assert.equal(await count(), before + 3)
  })

  test('another company is answered while one sends batch after batch', async () => {
    const slow = Array.from({ length: 12 }, (_, n) =>
      batch(Array.from({ length: 60 }, (_, i) => ({ ...leadBody, externalId: `slow-${n}-${i}` }))),
    )
    const quick = await batch([leadBody], other.key)
    assert.deepEqual(statuses(quick.body.results), [201])
    const done = await Promise.all(slow)
    const refused = done.filter(({ status }) => status === 503)
    for (const { status } of done) assert.ok(status === 200 || status === 503)
    assert.ok(refused.length >= 1, 'one at a time, ten wait, more are told to come later')
    assert.match(refused[0]!.headers['retry-after'] ?? '', /^\d+$/)
  })
})

test('who may', async () => {
  const items = { items: [leadBody] }
  const path = '/v1/batch/leads'
  await assertStatuses(app, [
    ['dealer', dealer.key, 'POST', path, items, 200],
    ['reader', keys.readOnly, 'POST', path, items, 403],
    ['other interface', keys.catalogOnly, 'POST', path, items, 403],
    ['nobody', keys.nobody, 'POST', path, items, 401],
    ['suspended', keys.suspended, 'POST', path, items, 401],
  ])
  const own = await lead(dealer)
  assert.deepEqual(statuses((await batch([{ id: own, status: 'lost' }], sister.key)).body.results), [404])
  assert.equal((await read(own)).body.status, 'new')
  const made = (await batch([leadBody], dealer.key)).body.results[0].leadId
  assert.equal((await read(made, dealer.key)).status, 200)
  assert.equal((await read(made, sister.key)).status, 404)
})
