import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, lead, leadBody, project } from '../../support/factories.ts'

const app = await startApp()
const { installer, dealer } = await createWorld(app.database.db)
const { key } = installer

interface Row {
  id: string
  updatedAt: string
}
const since = async (updatedSince: string, path = '/v1/leads'): Promise<string[]> => {
  const answer = await app.get(`${path}?limit=100&updatedSince=${encodeURIComponent(updatedSince)}`, key)
  assert.equal(answer.status, 200, `${updatedSince}: ${answer.text}`)
  return answer.body.data.map((row: Row) => row.id)
}

test('only what changed after the time is listed, strictly, in any offset and with any fraction', async () => {
  const ids = [await lead(installer), await lead(installer), await lead(installer)]
  const rows = (await app.get('/v1/leads?limit=100', key)).body.data as Row[]
  const middle = rows.find((row) => row.id === ids[1])!
  const ms = Date.parse(middle.updatedAt)
  const at = (shift: number) => new Date(ms + shift).toISOString()
  assert.deepEqual(await since(at(0)), [ids[2]])
  assert.deepEqual((await since(at(-1))).slice(-2), [ids[2], ids[1]])
  assert.deepEqual(await since(rows[0]!.updatedAt), [])

  const local = (minutes: number) => new Date(ms + minutes * 60_000).toISOString().slice(0, -1)
  const spellings = [
    `${local(330)}+05:30`,
    `${local(-420)}-07:00`,
    `${local(330)}+0530`,
    `${local(120)}+02`,
    `${local(0)}+00:00`,
    at(0).toLowerCase(),
    at(0).replace('.', ','),
    at(0).replace('Z', '999Z'),
    at(0).replace('Z', '999999Z'),
  ]
  for (const text of spellings) assert.deepEqual(await since(text), [ids[2]], text)
  const minute = `${at(0).slice(0, 16)}Z`
  assert.ok((await since(minute)).includes(ids[1]!))
  assert.ok((await since(`${at(0).slice(0, 19)}Z`)).includes(ids[2]!))
})

test('times long ago and far ahead are times too', async () => {
  for (const text of ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '1969-12-31T23:59:59.999-00:01']) {
    assert.ok((await since(text)).length >= 3, text)
  }
  for (const text of ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-23:59', '2999-02-28T00:00:00Z']) {
    assert.deepEqual(await since(text), [], text)
  }
})

test('whatever is no ISO 8601 timestamp with offset is 400', async () => {
  const texts = [
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00 00:00',
    '1767225600',
    'now',
    'infinity',
    '0000-01-01T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-1-1T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    'Thu, 01 Jan 2026 00:00:00 GMT',
    '2026-01-01T00:00:00ZZ',
    '2026-01-01T00:00:00.Z',
    '２026-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
  ]
  for (const text of texts) {
    for (const path of ['/v1/leads', '/v1/projects']) {
      const answer = await app.get(`${path}?updatedSince=${encodeURIComponent(text)}`, key)
      assert.equal(answer.status, 400, `${text}: ${answer.text}`)
      assert.match(answer.body.error.message, /updatedSince/)
    }
  }
})

test('updatedAt is unique over leads and projects and grows with every change, also under parallel writes', async () => {
  const deals = await Promise.all(Array.from({ length: 6 }, () => project(installer)))
  const seen = new Map<string, string>()
  const note = (id: string, updatedAt: string) => {
    const before = seen.get(id)
    assert.ok(before === undefined || before <= updatedAt, `${id} went back from ${before} to ${updatedAt}`)
    seen.set(id, updatedAt)
  }
  const writers = deals.flatMap(({ leadId, projectId }, n) => [
    async () => {
      for (let i = 0; i < 8; i++) {
        const { body } = await app.call('PATCH', `/v1/leads/${leadId}`, {
          key,
          body: { phone: `619 555 ${n}${i}` },
        })
        note(leadId, body.updatedAt)
      }
    },
    async () => {
      for (let i = 0; i < 8; i++) {
        await app.call('PATCH', `/v1/projects/${projectId}`, { key, body: { ntpGranted: i % 2 === 0 } })
        note(projectId, (await app.get(`/v1/projects/${projectId}`, key)).body.updatedAt)
      }
    },
    async () => {
      for (let i = 0; i < 8; i++) await app.call('POST', '/v1/leads', { key: dealer.key, body: leadBody })
    },
  ])
  await Promise.all(writers.map((write) => write()))
  const times = await app.database.rows<{ id: string; at: Date; text: string }>(
    `select id, updated_at as at, substring(rendering from '"updatedAt":"([^"]+)"') as text from leads
     union all select id, updated_at, substring(rendering from '"updatedAt":"([^"]+)"') from projects`,
  )
  assert.equal(new Set(times.map((t) => t.text)).size, times.length)
  for (const t of times) assert.equal(t.text, t.at.toISOString())
  const events = await app.database.rows<{ at: Date; ordinal: number }>('select at, ordinal from events')
  assert.equal(new Set(events.map((e) => `${e.at.toISOString()} ${e.ordinal}`)).size, events.length)
})

test('what changes nothing moves nothing: no time, no activity, no event', async () => {
  const { leadId, projectId } = await project(installer, {
    email: 'ada@example.com',
    notes: 'Call me',
    phone: '1',
  })
  await app.call('PATCH', `/v1/projects/${projectId}`, {
    key,
    body: { installDate: '2026-12-01', ntpGranted: true },
  })
  await app.call('PATCH', `/v1/leads/${leadId}`, { key, body: { coBorrower: { firstName: 'Luis' } } })
  const state = () =>
    app.database.rows(`select (select json_agg(l order by id) from leads l) as leads,
      (select json_agg(p order by id) from projects p) as projects, (select json_agg(t order by installer_id) from tenant_clocks t) as clocks,
      (select count(*) from activities) as activities, (select count(*) from events) as events,
      (select count(*) from notifications) + (select count(*) from mails) + (select count(*) from checklist_items) as effects`)
  const before = await state()
  const lead = (await app.get(`/v1/leads/${leadId}`, key)).body
  const { customer, coBorrower, notes } = lead
  const { line2, ...address } = lead.address
  const same = [
    {},
    { ...customer },
    { firstName: `  ${customer.firstName} ` },
    { notes },
    { coBorrower: { firstName: coBorrower.firstName } },
    { coBorrower: {} },
    { coBorrower: { email: '', phone: '  ' } },
    { address: { ...address, line2 } },
    { address: { ...address, line2, country: 'us' } },
  ]
  for (const body of same) {
    const answer = await app.call('PATCH', `/v1/leads/${leadId}`, { key, body })
    assert.deepEqual(answer.body, lead)
  }
  for (const body of [
    {},
    { installDate: '2026-12-01' },
    { ntpGranted: true },
    { installDate: ' 2026-12-01 ', ntpGranted: true },
  ]) {
    const answer = await app.call('PATCH', `/v1/projects/${projectId}`, { key, body })
    assert.deepEqual(answer.body, { changed: false })
  }
  for (const stage of ['Sold', 'SOLD', ' sold ']) {
    const answer = await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
    assert.deepEqual(answer.body, { changed: false, stage: 'Sold' })
  }
  await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage: 'Nowhere' } })
  await app.call('PATCH', `/v1/leads/${leadId}`, { key, body: { email: 'nobody' } })
  assert.deepEqual(await state(), before)
})
