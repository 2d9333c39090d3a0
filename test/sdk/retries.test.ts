import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, type Client, type ClientOptions, createClient, type Retry } from '../../sdk/src/index.ts'
import { startApp } from '../support/app.ts'
import { createWorld, lead, leadBody, project } from '../support/factories.ts'
import { type Fault, firstFail, startFaultyProxy } from '../support/faulty-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer } = world
const direct = createClient({ key: installer.key, baseUrl: app.url })

/** A client whose first calls fail so. */
async function failing(faults: Fault[] | (() => Fault | undefined), options: Partial<ClientOptions> = {}) {
  const proxy = await startFaultyProxy(app.url, Array.isArray(faults) ? firstFail(...faults) : faults)
  const retries: Retry[] = []
  const onRetry = (retry: Retry) => retries.push(retry)
  const client = createClient({ key: installer.key, baseUrl: proxy.url, onRetry, ...options })
  return { client, retries, passed: proxy.passed }
}

async function refused(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('it was done'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}

const faults: Record<string, Fault> = {
  '429': { answer: 429, retryAfter: 1, when: 'before' },
  '503 before the write': { answer: 503, retryAfter: 1, when: 'before' },
  '503 after the write': { answer: 503, when: 'after' },
  'a gateway that gave up after the write': { answer: 504, when: 'after' },
  'cut before the write': { cut: 'before' },
  'cut after the write': { cut: 'after' },
  'cut within the answer': { cut: 'within' },
}

const named = async (name: string) => {
  const found: string[] = []
  for await (const { id, customer } of direct.leads.list({ search: name }))
    if (customer.lastName === name) found.push(id)
  return found
}

for (const [name, fault] of Object.entries(faults)) {
  test(`${name}: a POST is sent again and done once`, async () => {
    const { client, passed } = await failing([fault])
    const lastName = `Once${name.replaceAll(/\W/g, '')}`
    const call = await client.leads.create({ ...leadBody, lastName }).withResponse()
    assert.equal(call.attempts, 2)
    assert.deepEqual(await named(lastName), [call.data.leadId])
    const wasDone = ('cut' in fault ? fault.cut : fault.when) !== 'before'
    assert.equal(call.replayed, wasDone)
    const [first, second] = passed.map(({ headers }) => headers['idempotency-key'])
    assert.ok(first && first === second, 'the key is another')
  })
}

test('a payment whose answers are lost again and again is noted once', async () => {
  const { id } = await direct.catalog.billing.createInvoice({
    customer: { name: 'Ada' },
    line_items: [{ description: 'Power', unit_price: 100 }],
  })
  await direct.catalog.billing.finalizeInvoice(id)
  const { client } = await failing([{ cut: 'after' }, { answer: 503, when: 'after' }, { cut: 'within' }])
  const paid = await client.catalog.billing.payInvoice(id, { amount: 30 })
  assert.equal(paid.amount_paid, 30)
  assert.equal((await direct.catalog.billing.getInvoice(id)).amount_paid, 30)
})

test('forty calls at once on a way that fails by chance: each is done once', async () => {
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const kinds = Object.values(faults).filter((fault) => !('retryAfter' in fault))
  const { client, retries } = await failing(
    () => (random() < 0.3 ? kinds[Math.floor(random() * kinds.length)] : undefined),
    { maxRetries: 12 },
  )
  const made = await Promise.all(
    Array.from({ length: 40 }, () => client.leads.create({ ...leadBody, lastName: 'Stormy' })),
  )
  assert.ok(retries.length > 5, `${retries.length} retries`)
  assert.deepEqual(made.map(({ leadId }) => leadId).sort(), (await named('Stormy')).sort())
})

test('Retry-After is waited for, in seconds and as a date, and what is longer than allowed is left to the caller', async () => {
  const { client, retries } = await failing([{ answer: 429, retryAfter: 2, when: 'before' }])
  const begun = performance.now()
  await client.me.get()
  assert.ok(performance.now() - begun >= 2000)
  assert.deepEqual(
    retries.map(({ operation, attempt }) => [operation, attempt]),
    [['readMe', 1]],
  )

  const date = new Date(Date.now() + 3000).toUTCString()
  const dated = await failing([{ answer: 503, retryAfter: date, when: 'before' }])
  await dated.client.me.get()
  assert.ok(dated.retries[0]!.waitMs >= 1000, String(dated.retries[0]!.waitMs))

  const long = await failing([{ answer: 429, retryAfter: 3600, when: 'before' }])
  const error = await refused(long.client.me.get())
  assert.deepEqual([error.status, error.code, error.retryAfter], [429, 'rate_limited', 3600])
  assert.equal(long.passed.length, 1)
})

test('it gives up after so many attempts, and says what it knows', async () => {
  const { client, passed } = await failing(() => ({ answer: 503, when: 'before' }), { maxRetries: 2 })
  const error = await refused(client.leads.create(leadBody))
  assert.deepEqual([error.status, error.code, error.attempts], [503, 'unavailable', 3])
  assert.equal(error.mayHaveHappened, true)
  assert.equal(error.idempotencyKey, passed[0]!.headers['idempotency-key'])
  assert.equal(passed.length, 3)
  assert.equal((await refused(client.me.get({ maxRetries: 0 }))).attempts, 1)
})

test('what is wrong is not sent again, and says which fields are', async () => {
  const { client, passed } = await failing([])
  const error = await refused(client.leads.create({ ...leadBody, firstName: '', phone: 7 as never }))
  assert.deepEqual([error.status, error.code, error.mayHaveHappened], [400, 'invalid', false])
  assert.deepEqual(error.fields.map(({ path }) => path).sort(), ['firstName', 'phone'])
  assert.match(error.requestId ?? '', /^\S+$/)
  assert.match(error.docs ?? '', /#invalid$/)
  const stranger = createClient({ key: `psk_${'0'.repeat(40)}`, baseUrl: app.url })
  assert.equal((await refused(stranger.me.get())).code, 'unauthorized')
  const legacy = await refused(client.legacy.fetchProject({ id: 'nothing' }))
  assert.deepEqual([legacy.status, legacy.code], [404, 'not_found'])
  assert.equal(passed.length, 2)
})

test('a change is sent again only where that can undo nobody’s', async () => {
  const id = await lead(installer)
  const read = await direct.leads.get(id).withResponse()
  const change = { notes: 'Changed' }

  const limited = await failing([{ answer: 429, retryAfter: 1, when: 'before' }])
  assert.equal((await limited.client.leads.update(id, { phone: '619 555 0101' })).notes, null)

  const cut = await failing([{ cut: 'after' }])
  const error = await refused(cut.client.leads.update(id, change))
  assert.deepEqual([error.code, error.mayHaveHappened, cut.passed.length], ['connection_failed', true, 1])
  assert.equal((await direct.leads.get(id)).notes, 'Changed')

  // With the tag of what was read it harms nobody: it was not done, and is now; or it was, and is refused.
  const outdated = await refused(cut.client.leads.update(id, change, { ifMatch: read.etag! }))
  assert.deepEqual([outdated.status, outdated.mayHaveHappened], [412, false])
  const now = await direct.leads.get(id).withResponse()
  const before = await failing([{ cut: 'before' }])
  const done = await before.client.leads.update(id, { notes: 'Again' }, { ifMatch: now.etag! })
  assert.equal(done.notes, 'Again')
  const { etag } = await direct.leads.get(id).withResponse()
  const after = await failing([{ cut: 'after' }])
  const unsure = await refused(after.client.leads.update(id, { notes: 'Once more' }, { ifMatch: etag! }))
  assert.deepEqual([unsure.status, unsure.mayHaveHappened, unsure.attempts], [412, true, 2])

  const said = await failing([{ cut: 'after' }])
  assert.equal((await said.client.leads.update(id, { notes: 'Twice' }, { repeatable: true })).notes, 'Twice')
})

test('a delete whose answer is lost is done; of what was never there it says so', async () => {
  const { id: installation_id } = await direct.catalog.installations.create({
    name: 'Roof',
    address: '1 Market St',
    region: 'US-CA',
  })
  const { id } = await direct.catalog.panels.create({ name: 'A', capacity_kw: 0.4, installation_id })
  const { client, passed } = await failing([{ cut: 'after' }])
  await client.catalog.panels.delete(id)
  assert.equal(passed.length, 2)
  assert.equal((await refused(direct.catalog.panels.get(id))).status, 404)
  assert.equal((await refused(client.catalog.panels.delete(id))).status, 404)
  // A plan can be set again under the same address, so that is a change.
  const plan = await failing([{ cut: 'before' }])
  assert.equal((await refused(plan.client.catalog.billing.removePlan(installation_id))).mayHaveHappened, true)
  assert.equal(plan.passed.length, 1)
})

test('a move of a project whose answer is lost is one move', async () => {
  const { projectId } = await project(installer)
  const { client } = await failing([{ cut: 'after' }])
  await client.projects.moveStage(projectId, { stage: 'Permitting' })
  const moves: string[] = []
  const { leadId } = await direct.projects.get(projectId)
  for await (const { type, body } of direct.leads.listActivities(leadId))
    if (type === 'stageChanged') moves.push(body)
  assert.equal(moves.length, 1, moves.join())
})

test('TCP: a server that is away for a while, connections that are reset, and one that hears nothing', async () => {
  const way = await startTcpProxy(() => [{ port: app.server.port }])
  const client = (more: Partial<ClientOptions> = {}): Client =>
    createClient({ key: installer.key, baseUrl: `http://127.0.0.1:${way.port}`, ...more })
  await client().me.get()

  const listen = await way.refuse()
  way.cut()
  let tries = 0
  const onRetry = () => {
    if (++tries === 2) void listen()
  }
  assert.equal((await client({ onRetry }).leads.create({ ...leadBody, lastName: 'Away' })).created, true)
  assert.ok(tries >= 2)
  assert.equal((await named('Away')).length, 1)

  const release = way.stall()
  const silent = await refused(client({ timeoutMs: 200, maxRetries: 1 }).me.get())
  assert.deepEqual([silent.code, silent.status, silent.attempts], ['timed_out', null, 2])

  const stop = new AbortController()
  const call = client().me.get({ signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  release()
})

test('a signal ends a wait, and what has not begun', async () => {
  const stop = new AbortController()
  const waiting = await failing(() => ({ answer: 429, retryAfter: 60, when: 'before' }), {
    onRetry: () => stop.abort(new Error('enough')),
  })
  await assert.rejects(waiting.client.me.get({ signal: stop.signal }), /enough/)
  await assert.rejects(waiting.client.me.get({ signal: stop.signal }), /enough/)
  assert.equal(waiting.passed.length, 1)
})

test('a key is shown to no other server', async () => {
  const other = await startFaultyProxy(app.url, () => undefined)
  const { client, passed } = await failing([{ answer: 302, location: `${other.url}/v1/me`, when: 'before' }])
  const error = await refused(client.me.get())
  assert.equal(error.status, 302)
  assert.deepEqual([passed.length, other.passed.length], [1, 0])
  assert.throws(() => createClient({ key: 'psk_1\n', baseUrl: app.url }), /company key/)
  for (const wrong of [
    'example.com',
    'nonsense',
    '',
    'https://',
    'ftp://a.example',
    'https://me:secret@a.example',
    'http://a/?b',
  ])
    assert.throws(
      () => createClient({ key: 'psk_1', baseUrl: wrong }),
      ({ message }: Error) =>
        /^baseUrl must .* https:\/\/ or http:\/\//.test(message) && !message.includes('secret'),
      wrong,
    )
  const some = { key: 'psk_1', baseUrl: app.url }
  assert.throws(() => createClient({ ...some, legacyBaseUrl: 'old' }), /^TypeError: legacyBaseUrl must/)
})

test('the real limit of a key is told with its wait', async () => {
  const limited = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
  const { key } = (await createWorld(limited.database.db)).installer
  const client = createClient({ key, baseUrl: limited.url, maxRetryWaitMs: 0 })
  for (let i = 0; i < 3; i++) await client.me.get()
  const error = await refused(client.me.get())
  assert.deepEqual([error.status, error.code, error.attempts], [429, 'rate_limited', 1])
  assert.ok(error.retryAfter! >= 1 && error.retryAfter! <= 60)
})

test('no connection: the error says to where and why, and not by which key', async () => {
  const port = await freePort()
  const client = createClient({ key: installer.key, baseUrl: `http://127.0.0.1:${port}/api`, maxRetries: 0 })
  const error = await refused(client.me.get())
  assert.equal(error.code, 'connection_failed')
  assert.match(
    error.message,
    new RegExp(`^The connection to http://127\\.0\\.0\\.1:${port} failed: .*ECONNREFUSED`),
  )
  assert.ok(!error.message.includes(installer.key))
  const link = await refused(
    client.download(`http://127.0.0.1:${port}/files/a-secret-link`, { maxRetries: 0 }),
  )
  assert.match(link.message, /ECONNREFUSED/)
  assert.doesNotMatch(link.message, /secret/)
})
