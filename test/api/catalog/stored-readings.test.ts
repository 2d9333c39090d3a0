import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { type Sent, send, site } from '../../support/energy.ts'
import { createWorld, keyFor } from '../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
const path = '/catalog/v1/monitoring/readings'
const roof = await site(app.database, installer, 'America/Denver', 3)
const [first, second, third] = roof.panels as [string, string, string]
const june = { start: '2026-06-01T00:00:00Z', end: '2026-07-01T00:00:00Z' }

const sent: Sent[] = []
for (const panel_id of [first, third]) {
  for (let hour = 10; hour < 20; hour++)
    sent.push({ panel_id, timestamp: `2026-06-15T${hour}:00:00.000Z`, kwh: Number(`0.${hour}0001`) })
}
sent.push({ panel_id: second, timestamp: '2026-05-31T23:00:00.000Z', kwh: 0.5 })
sent.push({ panel_id: second, timestamp: '2026-06-01T00:00:00.000Z', kwh: 0.25 })
sent.push({ panel_id: second, timestamp: '2026-07-01T00:00:00.000Z', kwh: 0.125 })
await send(app, key, sent.toReversed())

const query = (fields: Record<string, string>) => `${path}?${new URLSearchParams(fields)}`
async function all(fields: Record<string, string>, as = key): Promise<Sent[]> {
  const found: Sent[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text } = await app.get(query({ ...fields, ...(cursor && { cursor }) }), as)
    assert.equal(status, 200, text)
    found.push(...body.data)
    cursor = body.meta.next
  }
  return found
}
const of = (panelId: string) => sent.filter((one) => one.panel_id === panelId)
const inJune = sent
  .filter(({ timestamp }) => timestamp >= '2026-06-01' && timestamp < '2026-07-01')
  .toSorted((a, b) => (a.panel_id + a.timestamp < b.panel_id + b.timestamp ? -1 : 1))

test('what was sent of a panel comes back in order of time, page by page', async () => {
  for (const per_page of ['1', '3', '10', '11', '10000'])
    assert.deepEqual(await all({ panel_id: first, ...june, per_page }), of(first), per_page)
  assert.deepEqual(await all({ panel_id: second, ...june }), [of(second)[1]])
  const { body } = await app.get(query({ panel_id: first, ...june }), key)
  assert.deepEqual(body.meta, { per_page: 1000, next: null })
})

test('a reading is kept to a millionth of a kWh', async () => {
  const { panels, installation } = await site(app.database, installer, 'UTC', 1)
  const reading = { panel_id: panels[0]!, timestamp: '2026-06-15T12:00:00.000Z' }
  await send(app, key, [{ ...reading, kwh: 0.12345678 }])
  assert.deepEqual(await all({ installation_id: installation, ...june }), [{ ...reading, kwh: 0.123457 }])
})

test('of an installation panel by panel, those that were deleted since included', async () => {
  for (const per_page of ['1', '7', '10', '21', '22'])
    assert.deepEqual(await all({ installation_id: roof.installation, ...june, per_page }), inJune, per_page)
  assert.deepEqual(await all({ installation_id: roof.installation, panel_id: first, ...june }), of(first))
  await app.call('DELETE', `/catalog/v1/panels/${third}`, { key })
  assert.equal((await app.get(query({ panel_id: third, ...june }), key)).status, 404)
  assert.deepEqual(await all({ installation_id: roof.installation, ...june }), inJune)
})

test('without an end it is until now; what is quarantined is not among it', async () => {
  const now = Date.now()
  const recent = new Date(now - 7_200_000).toISOString()
  await send(app, key, [{ panel_id: first, timestamp: recent, kwh: 0.2 }])
  const taken = await send(app, key, [
    { panel_id: first, timestamp: new Date(now - 3_600_000).toISOString(), kwh: 900 },
  ])
  assert.equal(taken.quarantined, 1)
  const start = new Date(now - 86_400_000).toISOString()
  assert.deepEqual(await all({ panel_id: first, start }), [{ panel_id: first, timestamp: recent, kwh: 0.2 }])
})

test('an installation of very many panels is looked through in bounded pages', async () => {
  const farm = await site(app.database, installer, 'UTC', 230)
  const last = farm.panels.toSorted().at(-1)!
  const reading = { panel_id: last, timestamp: '2026-06-15T12:00:00.000Z', kwh: 0.1 }
  await send(app, key, [reading])
  const { body } = await app.get(query({ installation_id: farm.installation, ...june }), key)
  assert.deepEqual(body.data, [])
  assert.equal(typeof body.meta.next, 'string')
  assert.deepEqual(await all({ installation_id: farm.installation, ...june }), [reading])
})

test('a wrong range, cursor or field is 400; what is not there is 404', async () => {
  const { next } = (await app.get(query({ panel_id: first, ...june, per_page: '2' }), key)).body.meta
  const wrong: Record<string, string>[] = [
    june,
    { panel_id: first },
    { panel_id: first, start: '2026-06-01' },
    { panel_id: first, start: june.end, end: june.start },
    { panel_id: first, start: june.start, end: june.start },
    { panel_id: first, start: '2025-06-01T00:00:00Z', end: '2026-06-03T00:00:00Z' },
    { panel_id: first, start: '0001-01-01T00:00:00Z' },
    { panel_id: first, ...june, per_page: '0' },
    { panel_id: first, ...june, per_page: '10001' },
    { panel_id: first, ...june, page: '1' },
    { panel_id: first, ...june, cursor: next },
    { panel_id: second, ...june, per_page: '2', cursor: next },
    { panel_id: first, ...june, per_page: '2', cursor: `${next}x` },
    { panel_id: first, ...june, per_page: '2', cursor: 'x' },
  ]
  for (const fields of wrong) assert.equal((await app.get(query(fields), key)).status, 400, query(fields))
  for (const [fields, as] of [
    [{ panel_id: first }, dealer.key],
    [{ panel_id: first }, other.key],
    [{ installation_id: roof.installation }, other.key],
    [{ panel_id: first, installation_id: 'inst_00000000000000000000000000' }, key],
    [{ panel_id: 'nonsense' }, key],
    [{ installation_id: '' }, key],
  ] as [Record<string, string>, string][])
    assert.equal((await app.get(query({ ...fields, ...june }), as)).status, 404, query(fields))
  const long = { start: '1980-01-01T00:00:00Z', end: '1980-06-01T00:00:00Z' }
  assert.deepEqual(await all({ installation_id: roof.installation, ...long }), [])
})

test('a key that may only read reads it; without one it is 401', async () => {
  const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
  assert.deepEqual(await all({ panel_id: first, ...june }, readOnly), of(first))
  assert.equal((await app.call('GET', query({ panel_id: first, ...june }))).status, 401)
  const elsewhere = (await keyFor(world, installer, { interfaces: ['company'] })).secret
  assert.equal((await app.get(query({ panel_id: first, ...june }), elsewhere)).status, 403)
})
