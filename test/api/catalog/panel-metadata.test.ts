import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { installation, panel, panelBody } from '../../support/panels.ts'

const app = await startApp()
const { installer } = await createWorld(app.database.db)
const { key } = installer
const site = await installation(app, installer)

const create = (body: object) => app.call('POST', '/catalog/v1/panels', { key, body })
const read = async (id: string) => (await app.get(`/catalog/v1/panels/${id}`, key)).body
const patch = (id: string, body: object) => app.call('PATCH', `/catalog/v1/panels/${id}`, { key, body })

test('names sent are set, a null removes one, whole values take the place of old ones', async () => {
  const id = await panel(app, installer, site, {
    metadata: { keep: 'k', set: { a: 1, b: 2 }, gone: true, none: null },
  })
  assert.deepEqual((await read(id)).metadata, { keep: 'k', set: { a: 1, b: 2 }, gone: true })
  const answer = await patch(id, {
    metadata: { set: { c: [null, { d: null }] }, gone: null, '': 'empty', new: false },
  })
  const expected = { keep: 'k', set: { c: [null, { d: null }] }, '': 'empty', new: false }
  assert.deepEqual(answer.body.metadata, expected)
  assert.deepEqual((await read(id)).metadata, expected)
  assert.deepEqual((await patch(id, { name: 'Other' })).body.metadata, expected)
  const all = Object.fromEntries(Object.keys(expected).map((name) => [name, null]))
  assert.deepEqual((await patch(id, { metadata: all })).body.metadata, {})
  assert.deepEqual((await read(await panel(app, installer, site))).metadata, {})
})

test('at most 16 KiB as JSON in UTF-8, together with what is kept', async () => {
  // {"a":"…"} has 8 bytes beside its text.
  const exact = { a: 'x'.repeat(16_384 - 8) }
  const wide = { a: 'é'.repeat((16_384 - 8) / 2) }
  const id = await panel(app, installer, site, { metadata: exact })
  assert.deepEqual((await read(id)).metadata, exact)
  assert.equal((await create(panelBody(site, { metadata: wide }))).status, 201)
  for (const metadata of [{ a: `${exact.a}x` }, { a: `${wide.a}x` }, { ...exact, b: null }]) {
    const answer = await create(panelBody(site, { metadata }))
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.message, /^metadata\b.*16 KiB/)
  }
  const full = await patch(id, { metadata: { b: 1 } })
  assert.equal(full.status, 400)
  assert.match(full.body.error.message, /^metadata\b.*16 KiB/)
  assert.deepEqual((await read(id)).metadata, exact)
  assert.equal((await patch(id, { metadata: { a: null, b: 1 } })).status, 200)
})

test('hostile names, numbers and depths are kept or refused, and harm nothing', async () => {
  const headers = { 'content-type': 'application/json' }
  const id = await panel(app, installer, site)
  const sendRaw = (metadata: string, method = 'PATCH') =>
    method === 'PATCH'
      ? app.call('PATCH', `/catalog/v1/panels/${id}`, { key, headers, raw: `{"metadata":${metadata}}` })
      : app.call('POST', '/catalog/v1/panels', {
          key,
          headers,
          raw: JSON.stringify(panelBody(site)).replace(/}$/, `,"metadata":${metadata}}`),
        })
  const nested = (levels: number) => `{"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`
  for (const method of ['PATCH', 'POST']) {
    for (const metadata of [
      '{"__proto__":{"polluted":true}}',
      '{"a":{"__proto__":1}}',
      '{"a":[{"__proto__":null}]}',
      '{"a":1e400}',
      '{"a":[[-1e999]]}',
      '{"a\\u0000b":1}',
      '{"a":{"\\ud800":1}}',
      '{"a":"\\u0000"}',
      '{"a":"\\udfff"}',
      nested(16),
      nested(400),
      nested(100_000),
    ]) {
      const answer = await sendRaw(metadata, method)
      assert.equal(answer.status, 400, `${metadata.slice(0, 60)} ${answer.text}`)
    }
    for (const metadata of [
      '{"constructor":1,"prototype":{"toString":2},"hasOwnProperty":"x"}',
      `{"quote\\" \\\\ ' \\u2028":"'; drop table panels;--","$1":"$2","%s":"%"}`,
      '{"big":1e308,"small":5e-324,"negative":-1.5e-7,"long":12345678901234567890}',
      nested(13),
      '{"🌞":"🌞","\\u0001":"\\u0001x"}',
    ]) {
      const answer = await sendRaw(metadata, method)
      assert.ok(answer.status < 300, `${metadata} ${answer.text}`)
      const there = await app.get(`/catalog/v1/panels/${answer.body.id}`, key)
      assert.equal(there.text, answer.text)
      assert.ok(there.text.length < 2_000)
      const sent = JSON.parse(metadata)
      for (const name of Object.keys(sent)) assert.deepEqual(there.body.metadata[name], sent[name])
    }
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  assert.deepEqual(Object.keys((await read(await panel(app, installer, site))).metadata), [])
})
