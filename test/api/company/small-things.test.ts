import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveStage } from '../../../src/domain/deals/projects/move-stage.ts'
import { bumpDirectory } from '../../../src/domain/kernel/tenant/clock-queries.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, lead, leadBody, project } from '../../support/factories.ts'
import { addPerson, signedIn } from '../../support/people.ts'

const { app, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { key } = installer
const read = async (path: string) => (await app.get(`/v1${path}`, key)).body
const create = (body: object) => app.call('POST', '/v1/leads', { key, body: { ...leadBody, ...body } })
const patch = (id: string, body: object) => app.call('PATCH', `/v1/leads/${id}`, { key, body })
const move = (id: string, stage: unknown, by = key) =>
  app.call('POST', `/v1/projects/${id}/stage`, { key: by, body: { stage } })

test('an externalId of nothing or of blanks is 400, and makes no lead', async () => {
  const before = (await read('/leads?limit=100')).data.length
  for (const externalId of ['', ' ', '\t\n ', '\u00a0', 'x'.repeat(129)]) {
    const { status, body } = await create({ externalId })
    assert.equal(status, 400, JSON.stringify(externalId))
    assert.match(body.error.message, /^externalId must /)
  }
  assert.equal((await read('/leads?limit=100')).data.length, before)
  // Blanks around it are none of it.
  const first = await create({ externalId: ' crm-7 ' })
  assert.deepEqual([first.status, (await create({ externalId: 'crm-7' })).status], [201, 200])
})

/** What PATCH takes, as GET answers it. */
async function patchable(id: string) {
  const { customer, address, coBorrower, notes } = await read(`/leads/${id}`)
  return { ...customer, address, coBorrower, notes }
}

test('PATCH takes what GET answers, null included, and changes nothing by it', async () => {
  const bare = await lead(installer, {
    lastName: null,
    address: { line1: 'Somewhere', line2: null, city: null, state: null, postalCode: null, country: null },
  } as never)
  const rich = (await create({ email: 'ada@example.com', phone: '+1 619 555 0100', notes: 'Call' })).body
    .leadId
  await patch(rich, { coBorrower: { firstName: 'Luis' } })
  for (const id of [bare, rich]) {
    const before = await read(`/leads/${id}`)
    const whole = await patchable(id)
    for (const [name, value] of Object.entries(whole)) {
      const answer = await patch(id, { [name]: value })
      assert.deepEqual([answer.status, answer.body], [200, before], `${name} ${JSON.stringify(value)}`)
    }
    assert.deepEqual((await patch(id, whole)).body, before)
  }
})

test('null clears what may be empty, and is 400 for what must not be', async () => {
  const id = (await create({ email: 'ada@example.com', phone: '+1 619 555 0100', notes: 'Call' })).body.leadId
  await patch(id, { coBorrower: { firstName: 'Luis', email: 'luis@example.com' } })
  const { body } = await patch(id, { email: null, phone: null, notes: null, coBorrower: { email: null } })
  assert.deepEqual(
    [body.customer.email, body.customer.phone, body.notes, body.coBorrower],
    [null, null, null, { firstName: 'Luis', lastName: null, email: null, phone: null }],
  )
  assert.equal((await patch(id, { coBorrower: null })).body.coBorrower, null)
  const { address } = await read(`/leads/${id}`)
  const cases: [object, RegExp][] = [
    [{ firstName: null }, /^firstName must not be empty\.$/],
    [{ firstName: '' }, /^firstName must not be empty/],
    [{ lastName: '  ' }, /^lastName must not be empty/],
    [{ address: null }, /^address must be an object/],
    [{ address: { ...address, city: null } }, /^address\.city must not be empty\.$/],
    [{ address: { ...address, line1: null, state: null } }, /^address\.line1 .*; address\.state must not/],
    [{ address: { line1: '2 Elm St' } }, /address\.city is required/],
    [{ customer: {} }, /^customer is not a field here/],
  ]
  for (const [sent, message] of cases) {
    const answer = await patch(id, sent)
    assert.equal(answer.status, 400, JSON.stringify(sent))
    assert.match(answer.body.error.message, message)
  }
})

test('an address keeps its unit in the same street and loses it with another', async () => {
  const given = { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' }
  const id = (await create({ address: { ...given, line2: 'Unit 4' } })).body.leadId
  const line2 = async (address: object) => (await patch(id, { address })).body.address.line2
  assert.equal(await line2({ ...given, postalCode: '92102' }), 'Unit 4')
  assert.equal(await line2({ ...given, line2: null }), null)
  assert.equal(await line2({ ...given, line2: 'Unit 5' }), 'Unit 5')
  assert.equal(await line2({ ...given, line1: '2 Elm St' }), null)
})

test('an email that is no member’s is listed once, however it is written', async () => {
  const { body } = await create({ salesRepEmail: 'Nobody@Example.com', setterEmail: 'nobody@example.com' })
  assert.deepEqual(body.unassigned, ['Nobody@Example.com'])
  const two = await create({ salesRepEmail: 'a@example.com', setterEmail: 'b@example.com' })
  assert.deepEqual(two.body.unassigned, ['a@example.com', 'b@example.com'])
})

const owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner', 'Olga'))
const stages = async () => (await owner.get('/ladders')).body.stages as { id: string; name: string }[]

test('stages are quoted wherever they are listed, and named for an empty or overlong name too', async () => {
  const { projectId } = await project(installer)
  const own = await project(dealer)
  const added = await owner.call('POST', '/stages', {
    body: { productLine: 'solar', name: 'Permit, city "A"', after: (await stages())[0]!.id },
  })
  assert.equal(added.status, 201, added.text)
  const listed = '"Sold", "Permit, city \\"A\\"", "Site Survey", '
  const long = 'x'.repeat(201)
  for (const name of ['Nowhere', '', '   ', long, 'Permit']) {
    for (const answer of [
      await move(projectId, name),
      await move(own.projectId, name, dealer.key),
      await app.call(
        'POST',
        `/legacy/update_stage?${new URLSearchParams({ id: projectId, project_stage_name: name })}`,
        {
          key,
        },
      ),
      await owner.call('POST', `/projects/${projectId}/stage`, { body: { stage: name } }),
    ]) {
      assert.equal(answer.status, 400, answer.text)
      const message = answer.body.error?.message ?? answer.body.message
      assert.ok(message.includes(listed), message)
      assert.ok(message.length < 1_000)
    }
    const unknown = await move('proj_unknown', name)
    assert.equal(unknown.status, ['Nowhere', 'Permit'].includes(name) ? 404 : 400)
  }
  assert.deepEqual((await move(projectId, 'permit, CITY "a"')).body, {
    changed: true,
    stage: 'Permit, city "A"',
  })
})

test('a stage is entered after the one before it, in whatever order moves are carried out', async () => {
  const { projectId } = await project(installer)
  const soon = new Date(Date.now() + 60_000)
  await moveStage(installer.as(soon), projectId, 'Design')
  await moveStage(installer.as(new Date(soon.getTime() - 5_000)), projectId, 'Permitting')
  const { enteredAt } = (await read(`/projects/${projectId}`)).stage
  assert.ok(Date.parse(enteredAt) > soon.getTime(), enteredAt)

  const raced = await project(installer)
  const names = ['Site Survey', 'Design', 'Permitting', 'NTP', 'Installed', 'PTO']
  await Promise.all(Array.from({ length: 24 }, (_, i) => move(raced.projectId, names[i % 6])))
  const entered = await app.database.rows<{ at: Date; changes: { stage: [string, string] } }>(
    `select at, changes from events where subject_id = $1 and type = 'project.stage_changed' order by at, ordinal`,
    [raced.projectId],
  )
  // Each begins where the one before it ended.
  for (const [i, { changes }] of entered.slice(1).entries())
    assert.equal(changes.stage[0], entered[i]!.changes.stage[1])
})

test('a stage that is being retired is still where its projects stand', async () => {
  const { projectId } = await project(installer)
  await move(projectId, 'Inspection')
  const { id } = (await stages()).find(({ name }) => name === 'Inspection')!
  // Taken out of the ladder, without the job that then moves the projects on.
  await app.database.rows('update stages set retired_at = now() where installer_id = $1 and id = $2', [
    installer.company.id,
    id,
  ])
  await bumpDirectory(app.database.db, installer.company.id)
  assert.deepEqual((await move(projectId, 'inspection')).body, { changed: false, stage: 'Inspection' })
  const other = await project(installer)
  const refused = await move(other.projectId, 'Inspection')
  assert.equal(refused.status, 400)
  assert.ok(!refused.body.error.message.split('The stages are')[1].includes('Inspection'))
})

test('what goes wrong with a copy names the field, and repeats nothing of the address', async () => {
  const { projectId } = await project(installer)
  const secret = 'hunter2-Sig'
  const add = (urls: string[]) =>
    app.call('POST', `/v1/projects/${projectId}/files`, {
      key,
      body: { folder: 'permit', files: urls.map((url) => ({ url })) },
    })
  const good = at('/a.pdf')
  for (const bad of [
    `https://user:${secret}@files.example.com/a.pdf`,
    `https://${secret}@files.example.com/a.pdf`,
    `ftp://user:${secret}@files.example.com/a.pdf`,
    `user:${secret}@files.example.com/a.pdf`,
    `https://127.0.0.1/a.pdf?sig=${secret}`,
    at(`/missing.pdf?X-Amz-Signature=${secret}`),
    at(`/${secret}/missing.pdf#${secret}`),
    at(`/program.bin?token=${secret}`),
    `https://${secret}.example.invalid/a.pdf?${secret}`,
  ]) {
    const answer = await add([good, bad])
    assert.ok([400, 503].includes(answer.status), `${bad} ${answer.text}`)
    assert.match(answer.body.error.message, /^files\[1\]\.url: /)
    assert.ok(!answer.text.toLowerCase().includes(secret.toLowerCase()), answer.text)
  }
  const legacy = await app.call('POST', '/legacy/project_upload_file', {
    key,
    body: {
      project_id: projectId,
      folder_id: 'permits',
      fileurl: [`https://u:${secret}@x.example.com/a.pdf`],
    },
  })
  assert.equal(legacy.status, 400, legacy.text)
  assert.ok(legacy.body.message.startsWith('fileurl[0]: ') && !legacy.text.includes(secret), legacy.text)
  const webhook = await app.call('POST', '/catalog/v1/webhooks', {
    key,
    body: { url: `https://user:${secret}@hooks.example.com/`, events: ['*'] },
  })
  assert.equal(webhook.status, 400)
  assert.ok(!webhook.text.includes(secret), webhook.text)
})

test('any ISO 8601 timestamp with offset is taken, and a plus that was lost is hinted at', async () => {
  const marked = (await create({})).body.leadId
  const { updatedAt } = await read(`/leads/${marked}`)
  const minute = `${updatedAt.slice(0, 16)}Z`
  for (const text of [
    minute,
    minute.replace(/[-:]/g, ''),
    `${updatedAt.slice(0, 13)}Z`,
    updatedAt.replace('Z', '+00:00'),
    updatedAt.replace('Z', '−00:00'),
    '2026-W01-1T00:00Z',
    '2026-001T00Z',
    '20260101T000000,5+0100',
    '2025-12-31T24:00:00Z',
  ]) {
    const answer = await app.get(`/v1/leads?limit=100&updatedSince=${encodeURIComponent(text)}`, key)
    assert.equal(answer.status, 200, `${text} ${answer.text}`)
  }
  for (const path of ['/v1/leads', '/v1/projects']) {
    const { status, body } = await app.get(`${path}?updatedSince=2026-01-31T08:00:00+02:00`, key)
    assert.equal(status, 400)
    assert.match(body.error.message, /^updatedSince must be an ISO 8601 .*%2B\.$/)
    assert.doesNotMatch((await app.get(`${path}?updatedSince=yesterday`, key)).body.error.message, /%2B/)
  }
})

test('a wrong method is 404 with the right ones in Allow, on every interface', async () => {
  const { projectId, leadId } = await project(installer)
  const cases: [method: string, path: string, allow: string][] = [
    ['POST', '/v1/me', 'GET, HEAD'],
    ['DELETE', '/v1/leads', 'GET, HEAD, POST'],
    ['PUT', `/v1/leads/${leadId}`, 'GET, HEAD, PATCH'],
    ['PUT', '/v1/leads/anything?x=1', 'GET, HEAD, PATCH'],
    ['GET', `/v1/projects/${projectId}/stage`, 'POST'],
    ['OPTIONS', '/v1/adders', 'GET, HEAD'],
    ['GET', '/legacy/create_project', 'POST'],
    ['POST', '/legacy/fetch_project', 'GET, HEAD'],
    ['PUT', '/catalog/v1/panels', 'GET, HEAD, POST'],
    ['POST', '/catalog/v1/panels/pnl_x', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/catalog/v1/monitoring/readings', 'GET, HEAD, POST'],
    ['POST', '/catalog/v1/billing/invoices/inv_x.pdf', 'GET, HEAD'],
    ['POST', '/v1/openapi.json', 'GET, HEAD'],
  ]
  for (const [method, path, allow] of cases) {
    const { status, headers, text } = await app.call(method, path, { key })
    assert.equal(status, 404, `${method} ${path} ${text}`)
    const allowed = headers['allow']!.split(', ')
    for (const one of allow.split(', ')) assert.ok(allowed.includes(one), `${path}: ${headers['allow']}`)
    assert.ok(!allowed.includes(method))
    if (method !== 'HEAD')
      assert.ok(text.includes(`does not take ${method}`) && text.includes(allow.split(', ')[0]!))
    assert.equal((await app.call(method, path)).headers['allow'], undefined, 'nobody is told without a key')
  }
  for (const path of ['/v1/nothing', '/legacy/nothing', '/catalog/v1/nothing', '/v1/leads/a/b/c'])
    assert.equal((await app.call('POST', path, { key })).headers['allow'], undefined)
  const outside = await app.send('DELETE', '/healthz')
  assert.deepEqual([outside.status, outside.headers['allow']], [404, 'GET, HEAD'])
})
