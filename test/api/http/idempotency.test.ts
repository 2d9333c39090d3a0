import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sweepCalls } from '../../../src/domain/journal/idempotency/call.ts'
import type { Erasure } from '../../../src/domain/operations/privacy/erasure.ts'
import { eraseKeptAnswers } from '../../../src/domain/operations/privacy/feed-queries.ts'
import { type Answer, type Call, startApp } from '../../support/app.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, keyFor, leadBody, project } from '../../support/factories.ts'
import { invoicesPath } from '../../support/invoices.ts'
import { newProject } from '../../support/new-project.ts'
import { root } from '../../support/process.ts'

const { app, asked, at } = await startAppWithFiles()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, other } = world
const { key } = installer

const post = (path: string, once: string, call: Call = {}) =>
  app.call('POST', path, { key, ...call, headers: { ...call.headers, 'idempotency-key': once } })
const isReplay = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'
const count = async (table: string) =>
  (await rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n

/** Sends a call twice: the second must be the first again, to the letter. */
async function twice(path: string, once: string, call: Call): Promise<Answer> {
  const first = await post(path, once, call)
  assert.equal(isReplay(first), false, `${path}: ${first.text}`)
  const again = await post(path, once, call)
  assert.deepEqual([again.status, again.text, isReplay(again)], [first.status, first.text, true], path)
  return first
}

interface Described {
  servers: { url: string }[]
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; responses: object }>>
}

describe('every POST of the three interfaces', () => {
  const names = ['company-key-api', 'legacy-workflow-api', 'catalogue-api']
  for (const name of names) {
    const { servers, paths }: Described = JSON.parse(readFileSync(join(root, `openapi/${name}.json`), 'utf8'))
    const prefix = new URL(servers[0]!.url).pathname.replace(/\/$/, '')
    for (const [path, { post: operation }] of Object.entries(paths)) {
      if (!operation) continue
      test(`${prefix}${path} honours the key`, async () => {
        const described = operation.parameters?.filter(({ name }) => name.toLowerCase() === 'idempotency-key')
        assert.equal(described?.length, 1, 'the header is described')
        const to = `${prefix}${path.replace(/\{\w+\}/g, 'unknown')}`
        const once = `walk-${to}`
        // Nobody's record, or nothing of what is needed: refused, and that is kept like any answer.
        const call =
          path === '/monitoring/readings' ? { body: { readings: [{ panel_id: 'unknown' }] } } : { body: {} }
        await twice(to, once, call)
        const otherwise = await post(/update_stage/.test(path) ? `${to}?id=x` : to, once, {
          body: { readings: [] },
        })
        assert.match(otherwise.text, /Idempotency-Key was sent before with another call/)
        assert.equal(otherwise.status, 400)
        const foreign = await post(to, once, { ...call, key: other.key })
        assert.equal(isReplay(foreign), false, 'another company’s key is another key')
        for (const bad of ['', 'a b', 'x'.repeat(256), 'caf\u00e9']) {
          const malformed = await post(to, bad, call)
          assert.equal(malformed.status, 400, malformed.text)
        }
      })
    }
  }
})

test('what is not kept may pass later: 401, and a key that is not there', async () => {
  const refused = await post('/v1/leads', 'unauthorized', { key: 'psk_0', body: leadBody })
  assert.equal(refused.status, 401)
  const made = await post('/v1/leads', 'unauthorized', { body: leadBody })
  assert.deepEqual([made.status, isReplay(made)], [201, false])
})

test('429 is not kept', async () => {
  const limited = await startApp({ database: app.database, env: { RATE_LIMIT_PER_MINUTE: '2' } })
  const { secret } = await keyFor(world, installer)
  const call = { key: secret, body: leadBody, headers: { 'idempotency-key': 'limited' } }
  for (const i of [1, 2]) assert.equal((await limited.get(`/v1/me`, secret)).status, 200, `${i}`)
  assert.equal((await limited.call('POST', '/v1/leads', call)).status, 429)
  const made = await app.call('POST', '/v1/leads', call)
  assert.deepEqual([made.status, isReplay(made)], [201, false])
  await limited.stop()
})

test('5xx is not kept, and nothing of the call stays', async () => {
  await db.execute('alter table installations add constraint fails check (false) not valid')
  const body = { name: 'Roof', address: '1 Market St', region: 'US-CO' }
  const call = { key, body, headers: { 'idempotency-key': 'failed' } }
  assert.equal((await app.send('POST', '/catalog/v1/installations', call)).status, 500)
  await db.execute('alter table installations drop constraint fails')
  const made = await post('/catalog/v1/installations', 'failed', { body })
  assert.deepEqual([made.status, isReplay(made)], [201, false], made.text)
})

test('what a refusal found wrong is answered again', async () => {
  const wrong = await twice('/v1/leads', 'wrong', { body: { ...leadBody, firstName: 7 } })
  assert.equal(wrong.status, 400)
  assert.equal((await post('/v1/leads', 'wrong', { body: leadBody })).status, 400)
})

describe('a lead', () => {
  test('50 at once with one key are one lead, and all are answered the same', async () => {
    const before = await count('leads')
    const all = await Promise.all(
      Array.from({ length: 50 }, () => post('/v1/leads', 'fifty', { body: leadBody })),
    )
    assert.deepEqual(new Set(all.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.deepEqual([all[0]!.status, all.filter(isReplay).length], [201, 49])
    assert.equal((await count('leads')) - before, 1)
  })

  test('without an externalId is the first answer again; with one, the answer of the specification', async () => {
    await twice('/v1/leads', 'plain', { body: leadBody })
    const body = { ...leadBody, externalId: 'crm-1' }
    const first = await post('/v1/leads', 'named', { body })
    const again = await post('/v1/leads', 'named', { body })
    assert.deepEqual([first.status, again.status, again.body], [201, 200, { ...first.body, created: false }])
    const third = await post('/v1/leads', 'another', { body })
    assert.deepEqual([third.status, third.body.created, isReplay(third)], [200, false, false])
    assert.deepEqual((await post('/v1/leads', 'another', { body })).text, third.text)
    assert.equal((await post('/v1/leads', 'another', { body: leadBody })).status, 400)
  })

  test('fields in another order are the same call; another query or address is another', async () => {
    const first = await post('/v1/leads', 'order', { body: leadBody })
    const reversed = Object.fromEntries(Object.entries(leadBody).reverse())
    assert.equal((await post('/v1/leads', 'order', { body: reversed })).text, first.text)
    assert.equal((await post('/legacy/create-lead', 'order', { body: leadBody })).status, 400)
  })

  test('of the legacy interface', async () => {
    const body = { firstName: 'Ada', lastName: 'Moreno', email: 'a@b.example', phoneNumber: '6195550100' }
    const before = await count('leads')
    const first = await twice('/legacy/create-lead', 'old', {
      body: { ...body, address: '1 Market St, San Diego, CA 92101', salesRepEmail: 'rep@b.example' },
    })
    assert.deepEqual([first.status, (await count('leads')) - before], [200, 1], first.text)
  })
})

test('after 24 hours a key is a new one, whether it was swept or not', async () => {
  const age = (hours: number) =>
    rows(`update idempotency_keys set created_at = now() - make_interval(hours => $2) where key = $1`, [
      'aged',
      hours,
    ])
  const call = { body: leadBody }
  const first = await post('/v1/leads', 'aged', call)
  await age(23)
  await sweepCalls(db, new Date())
  assert.equal((await post('/v1/leads', 'aged', call)).text, first.text)
  await age(25)
  const second = await post('/v1/leads', 'aged', call)
  assert.deepEqual([second.status, isReplay(second), second.text === first.text], [201, false, false])
  assert.equal((await post('/v1/leads', 'aged', call)).text, second.text)
  await age(25)
  await sweepCalls(db, new Date())
  assert.deepEqual(await rows(`select key from idempotency_keys where key = 'aged'`), [])
  assert.equal((await post('/v1/leads', 'aged', { body: { ...leadBody, lastName: 'New' } })).status, 201)
  await age(25)
  const invoice = {
    body: { customer: { name: 'Ada' }, line_items: [{ description: 'x', quantity: 1, unit_price: 9 }] },
  }
  assert.equal((await post(invoicesPath, 'aged', invoice)).status, 201)
})

test('a stage that was moved is `changed: false`, and the project stays where others moved it since', async () => {
  const { projectId } = await project(installer)
  const to = (stage: string, once: string, by = key) =>
    post(`/v1/projects/${projectId}/stage`, once, { key: by, body: { stage } })
  const first = await to('Design', 'move-1')
  assert.deepEqual([first.status, first.body], [200, { changed: true, stage: 'Design' }])
  assert.equal((await to('Permitting', 'move-2')).body.changed, true)
  const again = await to('Design', 'move-1')
  assert.deepEqual(
    [again.status, again.body, isReplay(again)],
    [200, { changed: false, stage: 'Design' }, true],
  )
  assert.equal((await app.get(`/v1/projects/${projectId}`, key)).body.stage.name, 'Permitting')
  const legacy = { headers: {} }
  const path = `/legacy/update_stage?id=${projectId}&project_stage_name=Design`
  const moved = await twice(path, 'move-3', legacy)
  assert.match(moved.body.message, /is now in Design/)
  assert.equal((await post(path.replace('Design', 'NTP'), 'move-3', legacy)).status, 400)
})

test('files are copied once, also where many ask at once', async () => {
  const { projectId } = await project(installer)
  asked.length = 0
  const body = { folder: 'permit', files: [{ url: at('/once.pdf') }] }
  const path = `/v1/projects/${projectId}/files`
  const all = await Promise.all(Array.from({ length: 8 }, () => post(path, 'files', { body })))
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  assert.deepEqual([asked.length, new Set(all.map(({ body }) => body.files[0].id)).size], [1, 1])
  const again = await post(path, 'files', { body })
  assert.deepEqual([again.status, again.body.files[0].added, isReplay(again)], [200, false, true])
  const refused = { folder: 'permit', files: [{ url: at('/missing.pdf') }] }
  assert.equal((await twice(path, 'missing', { body: refused })).status, 400)
  const upload = { body: { fileurl: [at('/old.pdf')], project_id: projectId, folder_id: 'permits' } }
  assert.match((await twice('/legacy/project_upload_file', 'upload', upload)).body.message, /1 file added/)
})

test('what a broken-off call of another process has begun is done again once nobody says that it goes on', async () => {
  const { projectId } = await project(installer)
  const body = { folder: 'permit', files: [{ url: at('/broken.pdf') }] }
  const path = `/v1/projects/${projectId}/files`
  await post(path, 'broken', { body })
  await rows(`update idempotency_keys set status = null, answer = '{}', claim = 'gone', claimed_until = now() + interval '1 s'
    where key = 'broken'`)
  const again = await post(path, 'broken', { body })
  assert.deepEqual([again.status, again.body.files[0].added, isReplay(again)], [200, false, false])
  assert.equal(isReplay(await post(path, 'broken', { body })), true)
})

test('a project with its photos is made once, and its answer is remembered by the database', async () => {
  const body = newProject(installer, { site_survey_photos: [at('/roof.png')], sales_rep: 'Nemo' })
  const before = await count('projects')
  const all = await Promise.all(
    Array.from({ length: 5 }, () => post('/legacy/create_project', 'project', { body })),
  )
  assert.equal(new Set(all.map(({ text }) => text)).size, 1, all[0]!.text)
  assert.deepEqual(
    [all[0]!.status, all.filter(isReplay).length, (await count('projects')) - before],
    [200, 4, 1],
  )
  const restarted = await startApp({ database: app.database })
  const call = { key, body, headers: { 'idempotency-key': 'project' } }
  const after = await restarted.call('POST', '/legacy/create_project', call)
  assert.deepEqual([after.text, isReplay(after)], [all[0]!.text, true])
  // As the version before kept it.
  await rows(`update idempotency_keys set status = null, answer = answer - 'body' where key = 'project'`)
  assert.equal((await restarted.call('POST', '/legacy/create_project', call)).text, all[0]!.text)
  await restarted.stop()
})

test('money, webhooks and meters', async () => {
  const lines = [{ description: 'Power', quantity: 1, unit_price: 100 }]
  const drafted = await twice(invoicesPath, 'draft', {
    body: { customer: { name: 'Ada' }, line_items: lines },
  })
  assert.equal(drafted.status, 201, drafted.text)
  const invoice = `${invoicesPath}/${drafted.body.id}`
  await twice(`${invoice}/finalize`, 'finalize', {})
  await twice(`${invoice}/pay`, 'pay', { body: { amount: 40 } })
  assert.equal((await app.get(invoice, key)).body.amount_paid, 40)
  // A payment bears its key for good.
  await rows(`delete from idempotency_keys where key = 'pay'`)
  assert.equal(isReplay(await post(`${invoice}/pay`, 'pay', { body: { amount: 40 } })), true)
  assert.equal((await app.get(invoice, key)).body.amount_paid, 40)
  await twice(`${invoice}/void`, 'void', {})

  const hook = await twice('/catalog/v1/webhooks', 'hook', {
    body: { url: 'https://hooks.example.com/in', events: ['*'] },
  })
  assert.equal(hook.status, 201, hook.text)
  const secret = await twice(`/catalog/v1/webhooks/${hook.body.id}/secret`, 'rotate', { body: {} })
  const kept = await rows<{ answer: string }>(
    `select answer::text as answer from idempotency_keys where key in ('hook', 'rotate')`,
  )
  assert.equal(kept.length, 2)
  for (const { answer } of kept) {
    assert.match(answer, /sealed:/)
    for (const shown of [hook.body.secret, secret.body.secret]) assert.ok(!answer.includes(shown))
  }

  const site = await twice('/catalog/v1/installations', 'site', {
    body: { name: 'Roof', address: '1 Market St', region: 'US-CO' },
  })
  const panel = await twice('/catalog/v1/panels', 'panel', {
    body: { name: 'P1', capacity_kw: 0.4, installation_id: site.body.id },
  })
  assert.equal(panel.status, 201, panel.text)
  const reading = { panel_id: panel.body.id, timestamp: '2026-06-15T18:00:00Z', kwh: 0.2 }
  const path = '/catalog/v1/monitoring/readings'
  assert.equal((await twice(path, 'readings', { body: { readings: [reading] } })).body.accepted, 1)
  const line = (kwh: number) => ({
    raw: `${JSON.stringify({ ...reading, timestamp: '2026-06-15T19:00:00Z', kwh })}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  assert.equal((await twice(path, 'lines', line(0.2))).body.accepted, 1)
  assert.equal((await post(path, 'lines', line(0.3))).status, 400)
})

test('an installer’s key and its dealer’s are of two companies', async () => {
  const made = await Promise.all(
    [installer, dealer].map(({ key }) => post('/v1/leads', 'both', { key, body: leadBody })),
  )
  assert.deepEqual([made.map(({ status }) => status), made.filter(isReplay).length], [[201, 201], 0])
})

test('a key that may only read is answered nothing that another was, and its refusals are nobody else’s', async () => {
  const { secret: readOnly } = await keyFor(world, installer, { access: 'read' })
  const body = { url: 'https://example.com/hook', events: ['*'] }
  const made = await post('/catalog/v1/webhooks', 'secret', { body })
  assert.equal(made.status, 201, made.text)
  const peeked = await post('/catalog/v1/webhooks', 'secret', { key: readOnly, body })
  assert.deepEqual([peeked.status, isReplay(peeked), /whsec_/.test(peeked.text)], [403, false, false])
  assert.equal((await post('/v1/leads', 'first', { key: readOnly, body: leadBody })).status, 403)
  assert.equal((await post('/v1/leads', 'first', { body: leadBody })).status, 201)
})

test('after 412 the same call passes with the new tag', async () => {
  const { projectId } = await project(installer)
  const path = `/v1/projects/${projectId}`
  const move = (tag: string) =>
    post(`${path}/stage`, 'tagged', { headers: { 'if-match': tag }, body: { stage: 'Site Survey' } })
  assert.equal((await move('"old"')).status, 412)
  const { headers } = await app.call('GET', path, { key })
  const moved = await move(headers['etag'] as string)
  assert.deepEqual([moved.status, moved.body.changed], [200, true])
})

test('what a note was answered goes with its customer', async () => {
  const made = await app.call('POST', '/v1/leads', { key, body: { ...leadBody, lastName: 'Quillfeather' } })
  const { leadId } = made.body
  const note = () => post(`/v1/leads/${leadId}/activity`, 'note', { body: { body: 'Call Quill back' } })
  assert.equal((await note()).status, 201)
  const kept = () => rows(`select key from idempotency_keys where key = 'note'`)
  assert.equal((await kept()).length, 1)
  await eraseKeptAnswers(db, {
    installerId: installer.company.id,
    companyId: installer.company.id,
    ids: [leadId],
    person: { names: [], emails: [], phones: [] },
  } as unknown as Erasure)
  assert.equal((await kept()).length, 0)
})
