import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld } from '../../support/factories.ts'
import { installation, panel, panelBody, wholeList } from '../../support/panels.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const { key } = installer
const { rows } = app.database
const site = await installation(app, installer)

const create = (body: object, as = key) => app.call('POST', '/catalog/v1/panels', { key: as, body })
const read = async (id: string, as = key) => (await app.get(`/catalog/v1/panels/${id}`, as)).body
const patch = (id: string, body: object, as = key) =>
  app.call('PATCH', `/catalog/v1/panels/${id}`, { key: as, body })
const versionOf = async (id: string) =>
  (await rows<{ version: number }>('select version from panels where id = $1', [id]))[0]!.version
const eventsOf = (id: string) =>
  rows<{ type: string; at: Date; company_id: string; data: Record<string, unknown>; changes: object }>(
    'select type, at, company_id, data, changes from events where subject_id = $1 order by at, ordinal',
    [id],
  )

test('create answers the full record, and the single read the same, byte for byte', async () => {
  const body = panelBody(site, {
    name: ' Süd "1" \\ 🌞\u2028 ',
    metadata: { serial: 'A-1', n: [1, { x: null }] },
  })
  const answer = await create(body)
  assert.equal(answer.status, 201)
  const { id, created_at, updated_at, ...rest } = answer.body
  assert.equal(updated_at, created_at)
  assert.match(id, /^pnl_[0-9a-z]{24}$/)
  assert.ok(Math.abs(Date.now() - Date.parse(created_at)) < 60_000)
  assert.deepEqual(rest, {
    name: 'Süd "1" \\ 🌞',
    capacity_kw: 0.42,
    status: 'active',
    daily_output_kwh: 0,
    installation_id: site,
    metadata: { serial: 'A-1', n: [1, { x: null }] },
  })
  assert.equal((await app.get(`/catalog/v1/panels/${id}`, key)).text, answer.text)
  const [first] = (await app.get('/catalog/v1/panels', key)).body.data
  const { metadata: _, created_at: __, ...listed } = answer.body
  assert.deepEqual(first, listed)
  assert.deepEqual(Object.keys(first), [
    ...['id', 'name', 'capacity_kw', 'status', 'daily_output_kwh'],
    ...['installation_id', 'updated_at'],
  ])
  const unchanged = await patch(id, {})
  assert.equal(unchanged.text, answer.text)
})

test('of a capacity four decimals are kept', async () => {
  for (const [sent, kept] of [
    [0.0001, 0.0001],
    [0.12344999, 0.1234],
    [0.12345, 0.1235],
    [1_000_000, 1_000_000],
    [400, 400],
    [0.1 + 0.2, 0.3],
  ] as const) {
    const { status, body } = await create(panelBody(site, { capacity_kw: sent }))
    assert.deepEqual([status, body.capacity_kw], [201, kept])
    assert.equal((await read(body.id)).capacity_kw, kept)
  }
})

test('each status can follow each other, and the list goes by it', async () => {
  const id = await panel(app, installer, site)
  const statuses = ['active', 'inactive', 'maintenance', 'active', 'maintenance', 'inactive', 'active']
  for (const status of statuses) {
    const answer = await patch(id, { status })
    assert.deepEqual([answer.status, answer.body.status], [200, status])
    assert.equal((await read(id)).status, status)
    for (const one of ['active', 'inactive', 'maintenance']) {
      const listed = await wholeList(app, key, `/catalog/v1/panels?status=${one}`)
      assert.equal(
        listed.some((p) => p.id === id),
        one === status,
      )
      assert.ok(listed.every((p) => p.status === one))
    }
  }
})

test('a change is an event with what changed and a version that grows; none is where nothing changes', async () => {
  const id = await panel(app, installer, site, { metadata: { a: { x: 1, y: [2] }, zero: 0 } })
  const changes = [
    { name: 'Second' },
    { status: 'maintenance' },
    { metadata: { b: 2 } },
    { name: 'Third', status: 'active', metadata: { a: null } },
  ]
  for (const change of changes) assert.equal((await patch(id, change)).status, 200)
  const told = await eventsOf(id)
  assert.deepEqual(
    told.map(({ type, data }) => [type, data['version']]),
    [
      ['panel.created', 1],
      ['panel.updated', 2],
      ['panel.updated', 3],
      ['panel.updated', 4],
      ['panel.updated', 5],
    ],
  )
  assert.ok(told.every((event, i) => i === 0 || event.at > told[i - 1]!.at))
  assert.deepEqual(told[1]!.changes, { name: ['Roof south 1', 'Second'] })
  assert.deepEqual(told[2]!.changes, { status: ['active', 'maintenance'] })
  assert.deepEqual(Object.keys(told[4]!.changes).sort(), ['metadata', 'name', 'status'])
  assert.deepEqual(told[4]!.data, { ...(await read(id)), version: 5 })

  const before = { text: (await app.get(`/catalog/v1/panels/${id}`, key)).text, clock: await clock() }
  const nothing = [
    {},
    { name: 'Third' },
    { name: '  Third ' },
    { status: 'active' },
    { metadata: {} },
    { metadata: { b: 2 } },
    { metadata: { zero: -0 } },
    { metadata: { gone: null, a: null } },
    { name: 'Third', status: 'active', metadata: { b: 2, zero: 0 } },
  ]
  for (const change of nothing) {
    const raw = JSON.stringify(change).replace('"zero":0}}', '"zero":-0}}')
    const headers = { 'content-type': 'application/json' }
    const answer = await app.call('PATCH', `/catalog/v1/panels/${id}`, { key, raw, headers })
    assert.deepEqual([answer.status, answer.text], [200, before.text], raw)
  }
  assert.equal((await eventsOf(id)).length, 5)
  assert.equal(await versionOf(id), 5)
  assert.equal(await clock(), before.clock)
})

async function clock(): Promise<string> {
  const [row] = await rows<{ now: string }>('select now::text from tenant_clocks where installer_id = $1', [
    installer.company.id,
  ])
  return row!.now
}

test('what a panel made on its latest local day is in the list, the read and the events', async () => {
  const id = await panel(app, installer, site)
  const made = (day: string, microkwh: number) =>
    rows(
      `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours) values ($1, $2, $3, $4, 1, '{}')`,
      [installer.company.id, id, day, microkwh],
    )
  for (const [day, microkwh, kwh] of [
    ['2026-06-01', 1_874_000, 1.874],
    ['2026-06-03', 1, 0.000001],
    ['2026-06-02', 9_000_000, 0.000001],
    ['2026-06-04', 12_000_000, 12],
    ['2026-06-05', 0, 0],
    ['2026-06-06', 123_456_789, 123.456789],
  ] as const) {
    await made(day, microkwh)
    assert.equal((await read(id)).daily_output_kwh, kwh)
    const listed = (await app.get('/catalog/v1/panels?per_page=100', key)).body.data as {
      id: string
      daily_output_kwh: number
    }[]
    assert.equal(listed.find((p) => p.id === id)!.daily_output_kwh, kwh)
  }
  const answer = await patch(id, { name: 'Busy' })
  assert.equal(answer.body.daily_output_kwh, 123.456789)
  assert.equal(answer.text, (await app.get(`/catalog/v1/panels/${id}`, key)).text)
  assert.equal((await eventsOf(id)).at(-1)!.data['daily_output_kwh'], 123.456789)
})

test('a deleted panel is gone from everything; what it made stays', async () => {
  const place = await installation(app, installer)
  const [kept, id] = [
    await panel(app, installer, place),
    await panel(app, installer, place, { capacity_kw: 1.5 }),
  ]
  await rows(
    `insert into panel_days (installer_id, panel_id, day, microkwh, readings, hours) values ($1, $2, '2026-06-01', 5000000, 1, '{}')`,
    [installer.company.id, id],
  )
  const record = await read(id)
  const before = (await app.get('/catalog/v1/panels', key)).body.meta.total
  const answer = await app.call('DELETE', `/catalog/v1/panels/${id}`, { key })
  assert.deepEqual([answer.status, answer.text], [204, ''])
  assert.equal((await app.get(`/catalog/v1/panels/${id}`, key)).status, 404)
  assert.equal((await patch(id, { name: 'Back' })).status, 404)
  assert.equal((await app.call('DELETE', `/catalog/v1/panels/${id}`, { key })).status, 404)
  const all = await wholeList(app, key, '/catalog/v1/panels')
  assert.equal(all.length, before - 1)
  assert.ok(all.some((p) => p.id === kept) && !all.some((p) => p.id === id))
  const { panel_count, capacity_kw } = (await app.get(`/catalog/v1/installations/${place}`, key)).body
  assert.deepEqual([panel_count, capacity_kw], [1, 0.42])
  const told = (await eventsOf(id)).at(-1)!
  assert.equal(told.type, 'panel.deleted')
  assert.deepEqual(told.data, { ...record, updated_at: told.at.toISOString(), version: 2 })
  assert.equal((await rows('select from panel_days where panel_id = $1', [id])).length, 1)
})

test('a panel belongs to its installation’s company, whoever registers it', async () => {
  const theirs = await installation(app, dealer)
  const id = await panel(app, installer, theirs)
  assert.equal((await read(id, dealer.key)).id, id)
  assert.equal((await app.get(`/catalog/v1/panels/${id}`, sister.key)).status, 404)
  assert.equal((await eventsOf(id))[0]!.company_id, dealer.company.id)
  assert.equal((await patch(id, { status: 'inactive' }, dealer.key)).status, 200)
  const own = await wholeList(app, dealer.key, '/catalog/v1/panels')
  assert.deepEqual(
    own.map((p) => p.id),
    [id],
  )
  assert.equal((await wholeList(app, dealer.key, '/catalog/v1/panels?status=active')).length, 0)
  assert.equal((await wholeList(app, other.key, '/catalog/v1/panels')).length, 0)
})

test('pages hold every panel once, newest first, and a page past the end is empty', async () => {
  const place = await installation(app, sister)
  const ids: string[] = []
  for (let i = 0; i < 45; i++) ids.unshift(await panel(app, sister, place, { name: `Panel ${i}` }))
  for (const perPage of [1, 7, 20, 44, 45, 100]) {
    const found = await wholeList(app, sister.key, '/catalog/v1/panels', perPage)
    assert.deepEqual(
      found.map((p) => p.id),
      ids,
    )
  }
  const first = (await app.get('/catalog/v1/panels', sister.key)).body
  assert.deepEqual(first.meta, { page: 1, per_page: 20, total: 45 })
  assert.deepEqual(
    first.data.map((p: { id: string }) => p.id),
    ids.slice(0, 20),
  )
  for (const page of [4, 1_000, 999_999_999]) {
    const { body } = await app.get(`/catalog/v1/panels?page=${page}&per_page=100`, sister.key)
    assert.deepEqual(body, { data: [], meta: { page, per_page: 100, total: 45 } })
  }
  const theirs = (await wholeList(app, key, '/catalog/v1/panels')).map((p) => p.id as string)
  assert.ok(ids.every((id) => theirs.includes(id)))
  assert.deepEqual(theirs, theirs.toSorted().toReversed())
})

test('20 simultaneous creates are 20 panels, and the counts are true', async () => {
  const place = await installation(app, dealer)
  const before = (await app.get('/catalog/v1/panels', dealer.key)).body.meta.total
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      create(panelBody(place, { capacity_kw: 0.1 }), i % 2 ? dealer.key : key),
    ),
  )
  assert.ok(answers.every((a) => a.status === 201))
  assert.equal(new Set(answers.map((a) => a.body.created_at)).size, 20)
  const { panel_count, capacity_kw } = (await app.get(`/catalog/v1/installations/${place}`, dealer.key)).body
  assert.deepEqual([panel_count, capacity_kw], [20, 2])
  assert.equal((await wholeList(app, dealer.key, '/catalog/v1/panels')).length, before + 20)
})

test('simultaneous changes of one panel lose nothing, and simultaneous deletes delete once', async () => {
  const id = await panel(app, installer, site)
  const names = Array.from({ length: 15 }, (_, i) => `key${i}`)
  const answers = await Promise.all(names.map((name, i) => patch(id, { metadata: { [name]: i } })))
  assert.ok(answers.every((a) => a.status === 200))
  assert.deepEqual(Object.keys((await read(id)).metadata).sort(), names.toSorted())
  assert.deepEqual(
    (await eventsOf(id)).map((event) => event.data['version']),
    Array.from({ length: 16 }, (_, i) => i + 1),
  )
  const total = (await app.get('/catalog/v1/panels', key)).body.meta.total
  const gone = await Promise.all(
    Array.from({ length: 8 }, () => app.call('DELETE', `/catalog/v1/panels/${id}`, { key })),
  )
  assert.deepEqual(gone.map((a) => a.status).sort(), [204, ...Array(7).fill(404)])
  assert.equal((await app.get('/catalog/v1/panels', key)).body.meta.total, total - 1)
  assert.equal((await eventsOf(id)).filter((event) => event.type === 'panel.deleted').length, 1)
})
