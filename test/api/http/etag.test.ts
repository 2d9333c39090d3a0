import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer, Call } from '../../support/app.ts'
import { startAppWithFiles } from '../../support/app-with-files.ts'
import { createWorld, keyFor, lead, project } from '../../support/factories.ts'
import { invoicesPath, plansPath } from '../../support/invoices.ts'
import { pdf } from '../../support/sample-files.ts'

const { app, asked, at } = await startAppWithFiles()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer

const etagOf = ({ headers }: Answer) => headers.etag!
const read = async (path: string, by = key) => {
  const answer = await app.get(path, by)
  assert.equal(answer.status, 200, answer.text)
  assert.match(etagOf(answer), /^"[\x21\x23-\x7e]+"$/)
  return answer
}
const known = (path: string, tag: string) => app.send('GET', path, { key, headers: { 'if-none-match': tag } })
const change = (method: string, path: string, tag: string, call: Call = {}) =>
  app.call(method, path, { key, ...call, headers: { ...call.headers, 'if-match': tag } })

/** A record is read, changed by others, and then not changed by whoever has the old tag. */
async function outdates(
  path: string,
  others: () => Promise<Answer>,
  mine: (tag: string) => Promise<Answer>,
): Promise<void> {
  const old = await read(path)
  assert.equal(etagOf(await read(path)), etagOf(old), 'what stays has the same tag')
  for (const tag of [etagOf(old), `W/${etagOf(old)}`, `"x", ${etagOf(old)}`, '*']) {
    const same = await known(path, tag)
    assert.deepEqual([same.status, same.text, etagOf(same)], [304, '', etagOf(old)], tag)
  }
  assert.equal((await known(path, '"x"')).status, 200)
  const changed = await others()
  assert.ok(changed.status < 300, changed.text)
  const now = await read(path)
  assert.notEqual(etagOf(now), etagOf(old))
  assert.equal((await known(path, etagOf(old))).status, 200)
  for (const tag of [etagOf(old), `W/${etagOf(now)}`, '"x", "y"']) {
    const refused = await mine(tag)
    assert.deepEqual([refused.status, refused.body.error?.code], [412, 'invalid'], `${tag} ${refused.text}`)
    assert.equal((await read(path)).text, now.text, 'nothing was written')
  }
  const malformed = await mine('abc')
  assert.deepEqual(
    [malformed.status, malformed.body.error?.fields?.[0].path],
    [400, 'if-match'],
    malformed.text,
  )
  assert.equal((await read(path)).text, now.text)
  const done = await mine(`"x", ${etagOf(now)}`)
  assert.ok(done.status < 300, done.text)
}

test('a lead', async () => {
  const path = `/v1/leads/${await lead(installer)}`
  await outdates(
    path,
    () => app.call('PATCH', path, { key, body: { notes: 'theirs' } }),
    (tag) => change('PATCH', path, tag, { body: { notes: 'mine' } }),
  )
  const changed = await change('PATCH', path, '*', { body: { notes: 'any' } })
  assert.equal(etagOf(changed), etagOf(await read(path)), 'the answer to a change has the tag of the record')
  const { patch } = (await app.send('GET', '/v1/openapi.json')).body.paths['/v1/leads/{id}']
  assert.equal(patch.responses[200].headers.ETag.schema.type, 'string')
  const foreign = await change('PATCH', path, '*', { key: other.key, body: { notes: 'x' } })
  assert.equal(foreign.status, 404)
  const { secret } = await keyFor(world, installer, { access: 'read' })
  assert.equal((await change('PATCH', path, '"x"', { key: secret, body: { notes: 'x' } })).status, 403)
})

describe('a project', () => {
  test('by its fields', async () => {
    const path = `/v1/projects/${(await project(installer)).projectId}`
    await outdates(
      path,
      () => app.call('PATCH', path, { key, body: { ntpGranted: true } }),
      (tag) => change('PATCH', path, tag, { body: { installDate: '2027-01-04' } }),
    )
    const outdated = await change('PATCH', path, '"x"', { body: { installDate: '2027-01-04' } })
    assert.equal(outdated.status, 412, 'also where nothing would change')
  })

  test('by its stage', async () => {
    const path = `/v1/projects/${(await project(installer)).projectId}`
    await outdates(
      path,
      () => app.call('POST', `${path}/stage`, { key, body: { stage: 'Design' } }),
      (tag) => change('POST', `${path}/stage`, tag, { body: { stage: 'Permitting' } }),
    )
  })

  test('by its files, of which none is copied for an outdated tag', async () => {
    const path = `/v1/projects/${(await project(installer)).projectId}`
    const add = (name: string) => ({ body: { folder: 'permit', files: [{ url: at(name) }] } })
    await outdates(
      path,
      () => app.call('POST', `${path}/files`, { key, ...add('/theirs.pdf') }),
      (tag) => change('POST', `${path}/files`, tag, add('/mine.pdf')),
    )
    assert.equal(asked.filter((one) => one === '/mine.pdf').length, 1)
    const form = new FormData()
    form.append('folder', 'permit')
    form.append('files', new File([pdf], 'sent.pdf'))
    const sent = new Response(form)
    const headers = { 'content-type': sent.headers.get('content-type')! }
    const upload = { raw: Buffer.from(await sent.arrayBuffer()), headers }
    assert.equal((await change('POST', `${path}/files`, '"x"', upload)).status, 412)
    const { data } = (await app.get(`${path}/files`, key)).body
    const file = `${path}/files/${data[0].id}`
    assert.equal((await change('DELETE', file, '"x"')).status, 412)
    assert.equal((await change('DELETE', file, etagOf(await read(path)))).status, 204)
  })

  test('its dealer reads it by the same tags', async () => {
    const { projectId } = await project(dealer)
    assert.ok(etagOf(await read(`/v1/projects/${projectId}`, dealer.key)))
  })
})

test('of 20 at once with the same tag one is made, and the others are told', async () => {
  const path = `/v1/leads/${await lead(installer)}`
  const tag = etagOf(await read(path))
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) => change('PATCH', path, tag, { body: { notes: `by ${i}` } })),
  )
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array(19).fill(412)])
  const site = await app.call('POST', '/catalog/v1/installations', {
    key,
    body: { name: 'Roof', address: '1 Market St', region: 'US-CO' },
  })
  const sitePath = `/catalog/v1/installations/${site.body.id}`
  const siteTag = etagOf(await read(sitePath))
  const sites = await Promise.all(
    Array.from({ length: 20 }, (_, i) => change('PATCH', sitePath, siteTag, { body: { name: `Roof ${i}` } })),
  )
  assert.deepEqual(sites.map(({ status }) => status).sort(), [200, ...Array(19).fill(412)])
})

test('records of the catalogue', async () => {
  const made = async (path: string, body: object) => {
    const answer = await app.call('POST', path, { key, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.id as string
  }
  const siteId = await made('/catalog/v1/installations', {
    name: 'Roof',
    address: '1 Market St',
    region: 'US-CO',
  })
  const site = `/catalog/v1/installations/${siteId}`
  await outdates(
    site,
    () => app.call('PATCH', site, { key, body: { name: 'Theirs' } }),
    (tag) => change('PATCH', site, tag, { body: { name: 'Mine' } }),
  )
  const panel = `/catalog/v1/panels/${await made('/catalog/v1/panels', { name: 'P', capacity_kw: 0.4, installation_id: siteId })}`
  await outdates(
    panel,
    () => app.call('PATCH', panel, { key, body: { name: 'Theirs' } }),
    (tag) => change('PATCH', panel, tag, { body: { name: 'Mine' } }),
  )
  assert.equal((await change('DELETE', panel, '"x"')).status, 412)
  assert.equal((await change('DELETE', panel, etagOf(await read(panel)))).status, 204)
  assert.equal((await change('DELETE', panel, '*')).status, 404)

  const lines = [{ description: 'x', quantity: 1, unit_price: 1 }]
  const invoice = `${invoicesPath}/${await made(invoicesPath, { customer: { name: 'Ada' }, line_items: lines })}`
  await outdates(
    invoice,
    () => app.call('PATCH', invoice, { key, body: { customer: { name: 'Theirs' } } }),
    (tag) => change('PATCH', invoice, tag, { body: { customer: { name: 'Mine' } } }),
  )
  assert.equal((await change('DELETE', invoice, '"x"')).status, 412)
  assert.equal((await change('DELETE', invoice, '*')).status, 204)

  const plan = `${plansPath}/${siteId}`
  const terms = (rate: number) => ({
    body: { kind: 'ppa', rate, start_date: '2026-01-01', customer: { name: 'Ada' } },
  })
  assert.equal((await change('PUT', plan, '*', terms(0.1))).status, 412, 'there is none to match')
  assert.equal((await app.call('PUT', plan, { key, ...terms(0.1) })).status, 201)
  await outdates(
    plan,
    () => app.call('PUT', plan, { key, ...terms(0.2) }),
    (tag) => change('PUT', plan, tag, terms(0.3)),
  )
  assert.equal((await change('DELETE', plan, '"x"')).status, 412)
  assert.equal((await change('DELETE', site, '"x"')).status, 412)
  assert.equal((await change('DELETE', site, etagOf(await read(site)))).status, 204)
})
