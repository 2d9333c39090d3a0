import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sweepFiles } from '../../../src/domain/deals/files/sweep-files.ts'
import { startApp } from '../../support/app.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { oneServerOnly } from '../../support/citus.ts'
import { adder, createWorld, equipment, keyFor } from '../../support/factories.ts'
import { newProject, written } from '../../support/new-project.ts'

const { app, at, asked } = await startAppWithFiles()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, sister, other } = world
const { key } = installer

const post = (body: object, once?: string, as = key) =>
  app.call('POST', '/legacy/create_project', {
    key: as,
    body,
    ...(once === undefined ? {} : { headers: { 'idempotency-key': once } }),
  })
const body = (more: object = {}) => newProject(installer, more)
/** What is written and what is stored. */
const state = async () => {
  const { idempotency_keys: _kept, ...rows } = await written(app.database)
  return { rows, files: (await app.storedFiles()).sort() }
}
const battery = await equipment(installer, 1, {
  kind: 'battery',
  manufacturer: 'Tesla',
  model: 'Powerwall 3',
  default: false,
  capacityKwh: '13.5',
  continuousOutputWatts: null,
  warrantyYears: null,
})
const foreignPanel = await equipment(other, 1, {
  kind: 'panel',
  manufacturer: 'REC',
  model: null,
  default: false,
  watts: '400',
  efficiencyPercent: null,
  warrantyYears: null,
})

test('what the catalogue and the ladder do not have is named in one 400, and nothing is copied or written', async () => {
  const old = await adder(installer, 1, { name: 'Old adder' }, false)
  await adder(installer, 2, { name: 'Gutters', productLine: 'hi' })
  await adder(installer, 3, { name: 'Critter guard' })
  const before = await state()
  const answer = await post(
    body({
      panel_profile_id: battery.id,
      inverter_profile_id: 'eqp_unknown0000',
      adders: ['Critter guard', 'Gutters', { id: old.id }, { name: 'Moon "dust"' }],
      project_stage: 'Measure',
      site_survey_photos: [at('/a.png')],
    }),
    'refused',
  )
  assert.equal(answer.status, 400)
  const { message } = answer.body
  for (const part of [battery.id, 'eqp_unknown0000', 'Gutters', old.id, 'Moon "dust"', 'Measure'])
    assert.ok(message.includes(`"${part}"`), `${part} in ${message}`)
  for (const field of ['panel_profile_id', 'inverter_profile_id', 'adders', 'project_stage'])
    assert.ok(message.includes(`${field}:`), message)
  assert.ok(message.includes('"Sold", "Site Survey", "Design"'), message)
  assert.ok(!message.includes('Critter'))
  const foreign = await post(body({ panel_profile_id: foreignPanel.id }))
  assert.deepEqual([foreign.status, foreign.body.message.includes('panel_profile_id')], [400, true])
  assert.deepEqual([await state(), asked], [before, []])
  // What was refused stays so under its key: what is put right is another call.
  assert.equal((await post(body(), 'refused')).status, 400)
  assert.equal((await post(body(), 'put-right')).status, 200)
})

test('a photo that cannot be copied is 400 naming it; nothing is written and no copy is left', async () => {
  const before = await state()
  for (const bad of ['/missing.png', '/tool.bin', '/nothing']) {
    const photos = [at('/1.png'), at('/2.pdf'), at(bad), at('/3.png')]
    const answer = await post(body({ site_survey_photos: photos }), `bad ${bad}`.replace(' ', '-'))
    assert.equal(answer.status, 400)
    assert.ok(!answer.body.message.includes(at(bad)), answer.text)
    assert.ok(answer.body.message.includes('site_survey_photos'), answer.text)
  }
  asked.length = 0
  const forms = [
    'http://files.example.com/a.png',
    'https://127.0.0.1/a.png',
    'a.png',
    'https://u:p@x.example/a',
  ]
  for (const bad of forms) {
    const answer = await post(body({ site_survey_photos: [at('/1.png'), bad] }))
    assert.deepEqual([answer.status, answer.body.message.includes('site_survey_photos[1]')], [400, true], bad)
  }
  const eleven = Array.from({ length: 11 }, (_, i) => at(`/${i}.png`))
  assert.equal((await post(body({ site_survey_photos: eleven }))).status, 400)
  assert.deepEqual([await state(), asked], [before, []])
})

test('repeated with its key it answers the same, makes nothing and copies nothing', async () => {
  const { secret } = await keyFor(world, installer)
  const sent = body({ site_survey_photos: [at('/roof.png')], sales_rep: 'Nemo' })
  const first = await post(sent, 'once-1')
  assert.equal(first.status, 200, first.text)
  const [before, calls] = [await state(), asked.length]
  for (let i = 0; i < 3; i++) {
    const again = await post(sent, 'once-1')
    assert.deepEqual([again.status, again.body], [200, first.body])
  }
  assert.deepEqual((await post(sent, 'once-1', secret)).body, first.body)
  assert.deepEqual([await state(), asked.length], [before, calls])
})

test('it is remembered by the database, not by the process', async () => {
  const first = await post(body(), 'restart')
  const restarted = await startApp({ database: app.database })
  const call = { key, body: body(), headers: { 'idempotency-key': 'restart' } }
  assert.deepEqual((await restarted.call('POST', '/legacy/create_project', call)).body, first.body)
  await restarted.stop()
})

test('with another body the key is 400 and nothing is made; another key, or none, makes another', async () => {
  const { data } = (await post(body(), 'once-2')).body
  const before = await state()
  for (const other of [body({ first_name: 'Eve' }), body({ site_survey_photos: [at('/x.png')] })]) {
    const answer = await post(other, 'once-2')
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, /Idempotency-Key was sent before/)
  }
  assert.deepEqual(await state(), before)
  const ids = new Set([data.project_id])
  for (const once of ['ONCE-2', undefined, undefined])
    ids.add((await post(body(), once)).body.data.project_id)
  assert.equal(ids.size, 4)
})

test('the key of one company is not that of another', async () => {
  const ids = new Set<string>()
  for (const who of [installer, dealer, sister, other]) {
    const answer = await post(newProject(who), 'shared', who.key)
    assert.equal(answer.status, 200, answer.text)
    ids.add(answer.body.data.project_id)
    assert.deepEqual((await post(newProject(who), 'shared', who.key)).body, answer.body)
  }
  assert.equal(ids.size, 4)
})

test('a key that is no visible ASCII of 1 to 255 characters is 400', async () => {
  const before = await state()
  for (const once of ['', 'a b', 'x'.repeat(256), 'caf\u00e9']) {
    const answer = await post(body(), once)
    assert.deepEqual([answer.status, /idempotency-key/i.test(answer.body.message)], [400, true], answer.text)
  }
  assert.deepEqual(await state(), before)
  assert.equal((await post(body(), `!~${'x'.repeat(253)}`)).status, 200)
})

test('20 at once with one key make one lead and one project, and keep one copy of the photo', async () => {
  const before = { rows: await written(app.database), files: await app.storedFiles() }
  const sent = body({ site_survey_photos: [at('/twenty.png')] })
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(sent, 'twenty')))
  for (const { status, body, text } of answers) {
    assert.equal(status, 200, text)
    assert.deepEqual(body, answers[0]!.body)
  }
  const now = { rows: await written(app.database), files: await app.storedFiles() }
  const made = (table: string) => now.rows[table]! - before.rows[table]!
  const counts = ['leads', 'projects', 'files', 'idempotency_keys', 'events', 'activities'].map(made)
  assert.deepEqual(counts, [1, 1, 1, 1, 3, 3])
  assert.equal(now.files.length - before.files.length, 1)
  const { project_id } = answers[0]!.body.data
  const { files } = (await app.get(`/v1/projects/${project_id}`, key)).body
  assert.equal((await app.send('GET', files.siteSurvey[0].slice(app.url.length))).status, 200)
})

test('20 at once with one key and different bodies: one is made, the others are told', async () => {
  const before = await written(app.database)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => post(body({ first_name: `Ada ${i}` }), 'mixed')),
  )
  assert.deepEqual(answers.map((a) => a.status).sort(), [200, ...Array(19).fill(400)])
  const now = await written(app.database)
  assert.deepEqual([now.leads! - before.leads!, now.projects! - before.projects!], [1, 1])
})

test('where writing fails half-way nothing stays, and the same call passes later', {
  skip: oneServerOnly(),
}, async () => {
  const before = await state()
  const sent = body({ site_survey_photos: [at('/half.png')] })
  await db.execute(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger fail before insert on files for each row execute function fail()`)
  const call = { key, body: sent, headers: { 'idempotency-key': 'half' } }
  const failed = await app.send('POST', '/legacy/create_project', call)
  assert.deepEqual([failed.status, failed.body.code, failed.body.success], [500, 'internal', false])
  assert.deepEqual(await state(), before)
  await db.execute('drop trigger fail on files; drop function fail()')
  assert.equal((await post(sent, 'half')).status, 200)
})

test('a connection lost while writing is 503 and leaves nothing in the database; repeated, it is made once', {
  skip: oneServerOnly(),
}, async () => {
  const before = await state()
  const sent = body({ site_survey_photos: [at('/lost.png')] })
  const blocker = new pg.Client({ connectionString: app.database.url })
  await blocker.connect()
  try {
    await blocker.query('begin; lock table activities in exclusive mode')
    let answered = false
    const call = post(sent, 'lost').finally(() => {
      answered = true
    })
    const blocked = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    while (!answered) await blocker.query(blocked)
    const { status, body } = await call
    assert.deepEqual([status, body.code], [503, 'unavailable'])
  } finally {
    await blocker.end()
  }
  assert.deepEqual((await state()).rows, before.rows)
  const { data } = (await post(sent, 'lost')).body
  assert.deepEqual((await post(sent, 'lost')).body.data, data)
  const [count] = await rows<{ n: number }>("select count(*) as n from files where name = 'lost.png'")
  assert.equal(count!.n, 1)
  // Whether it was written was not known, so its copy stayed until it is swept up.
  const later = new Date(Date.now() + 2 * 3_600_000)
  await sweepFiles(db, app.server.deps.copying.store, later)
  assert.equal((await app.storedFiles()).length, before.files.length + 1)
})
