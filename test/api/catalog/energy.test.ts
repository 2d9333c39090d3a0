import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { checkRollUps, energy, type Sent, send, boundlessSite as site } from '../../support/energy.ts'
import { createWorld, keyFor } from '../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, sister, other } = world
const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
const legacyOnly = (await keyFor(world, installer, { interfaces: ['legacy'] })).secret
const unknown = 'psk_0000000000000000000000000000000000000000'
const path = '/catalog/v1/monitoring'
const zone = 'America/Los_Angeles'

const roof = await site(app.database, installer, zone, 2)
const dealers = await site(app.database, dealer, zone)
const foreign = await site(app.database, other, zone)
const [panel] = roof.panels as [string]
const may = (from: string, to: string, more: object = {}) => ({
  start_date: `2026-05-${from}`,
  end_date: `2026-05-${to}`,
  ...more,
})
const at = (panelId: string, timestamp: string, kwh: number): Sent => ({ panel_id: panelId, timestamp, kwh })

test('each call has its status', async () => {
  const range = 'start_date=2026-05-01&end_date=2026-05-31'
  const body = { readings: [at(panel, '2026-04-01T12:00:00Z', 1)] }
  const rows: [key: string | undefined, method: string, path: string, body: unknown, status: number][] = [
    [installer.key, 'GET', `/energy?${range}`, undefined, 200],
    [undefined, 'GET', `/energy?${range}`, undefined, 401],
    [unknown, 'GET', `/energy?${range}`, undefined, 401],
    [legacyOnly, 'GET', `/energy?${range}`, undefined, 403],
    [readOnly, 'GET', `/energy?${range}`, undefined, 200],
    [installer.key, 'GET', '/energy', undefined, 400],
    [installer.key, 'GET', '/energy?start_date=2026-05-01', undefined, 400],
    [installer.key, 'GET', '/energy?start_date=2026-02-30&end_date=2026-05-31', undefined, 400],
    [installer.key, 'GET', '/energy?start_date=2026-05-02&end_date=2026-05-01', undefined, 400],
    [installer.key, 'GET', `/energy?${range}&granularity=yearly`, undefined, 400],
    [installer.key, 'GET', `/energy?${range}&panel=${panel}`, undefined, 400],
    [installer.key, 'GET', `/energy?${range}&panel_id=a&panel_id=b`, undefined, 400],
    [
      installer.key,
      'GET',
      '/energy?granularity=hourly&start_date=2025-01-01&end_date=2026-01-01',
      undefined,
      200,
    ],
    [
      installer.key,
      'GET',
      '/energy?granularity=hourly&start_date=2025-01-01&end_date=2026-01-02',
      undefined,
      400,
    ],
    [installer.key, 'GET', '/energy?start_date=2006-05-01&end_date=2026-04-30', undefined, 200],
    [installer.key, 'GET', '/energy?start_date=2006-05-01&end_date=2026-05-01', undefined, 400],
    [installer.key, 'GET', '/energy?start_date=0001-01-01&end_date=0001-01-02', undefined, 200],
    [installer.key, 'GET', '/energy?start_date=9999-12-30&end_date=9999-12-31', undefined, 200],
    [
      installer.key,
      'GET',
      `/energy?start_date=9999-12-30&end_date=9999-12-31&panel_id=${panel}`,
      undefined,
      200,
    ],
    [installer.key, 'GET', `/energy?${range}&panel_id=${panel}`, undefined, 200],
    [
      installer.key,
      'GET',
      `/energy?${range}&panel_id=${panel}&installation_id=${roof.installation}`,
      undefined,
      200,
    ],
    [
      installer.key,
      'GET',
      `/energy?${range}&panel_id=${panel}&installation_id=${dealers.installation}`,
      undefined,
      404,
    ],
    [installer.key, 'GET', `/energy?${range}&panel_id=${panel}&installation_id=nonsense`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&panel_id=${roof.installation}`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&panel_id=`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&panel_id=${foreign.panels[0]}`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&installation_id=${foreign.installation}`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&installation_id=${panel}`, undefined, 404],
    [installer.key, 'GET', `/energy?${range}&installation_id=${dealers.installation}`, undefined, 200],
    [dealer.key, 'GET', `/energy?${range}&installation_id=${dealers.installation}`, undefined, 200],
    [dealer.key, 'GET', `/energy?${range}&installation_id=${roof.installation}`, undefined, 404],
    [dealer.key, 'GET', `/energy?${range}&panel_id=${panel}`, undefined, 404],
    [sister.key, 'GET', `/energy?${range}&panel_id=${dealers.panels[0]}`, undefined, 404],

    [installer.key, 'POST', '/readings', body, 200],
    [installer.key, 'POST', '/readings', { readings: [] }, 200],
    [undefined, 'POST', '/readings', body, 401],
    [unknown, 'POST', '/readings', body, 401],
    [readOnly, 'POST', '/readings', body, 403],
    [legacyOnly, 'POST', '/readings', body, 403],
    [installer.key, 'POST', '/readings', undefined, 400],
    [installer.key, 'POST', '/readings', [], 400],
    [installer.key, 'POST', '/readings', {}, 400],
    [installer.key, 'POST', '/readings', { readings: {} }, 400],
    [installer.key, 'POST', '/readings', { ...body, more: 1 }, 400],
    [installer.key, 'POST', '/readings?x=1', body, 400],
    [installer.key, 'POST', '/readings', { readings: Array(10_001).fill(1) }, 400],
    [installer.key, 'PUT', '/readings', undefined, 404],
  ]
  for (const [key, method, rest, sent, status] of rows) {
    const answer = await app.call(method, path + rest, { ...(key ? { key } : {}), body: sent })
    assert.equal(answer.status, status, `${method} ${rest} ${answer.text.slice(0, 300)}`)
  }
})

test('a body that is too large, or of another kind, is refused in the words of this call', async () => {
  const post = (raw: string, type: string) =>
    app.call('POST', `${path}/readings`, { key: installer.key, raw, headers: { 'content-type': type } })
  const large = await post(`{"readings":[]}${' '.repeat(8 * 1_048_576)}`, 'application/json')
  assert.equal(large.status, 400)
  assert.match(large.body.error.message, /larger than 8 MiB/)
  assert.equal((await post(`{"readings":[]}${' '.repeat(7 * 1_048_576)}`, 'application/json')).status, 200)
  const csv = await post('panel_id,timestamp,kwh', 'text/csv')
  assert.equal(csv.status, 400)
  assert.match(csv.body.error.message, /application\/x-ndjson/)
  assert.match((await post('{"readings":', 'application/json')).body.error.message, /not valid JSON/)
  const lines = await app.call('POST', `${path}/readings`, {
    key: readOnly,
    raw: '{}\n',
    headers: { 'content-type': 'application/x-ndjson' },
  })
  assert.equal(lines.status, 403)
})

test('bad readings are rejected by their index, and the others are taken', async () => {
  const good = at(panel, '2026-05-10T12:00:00-07:00', 1.5)
  const soon = new Date(Date.now() + 50 * 60_000).toISOString()
  const later = new Date(Date.now() + 70 * 60_000).toISOString()
  const rows: [unknown, RegExp | null][] = [
    [good, null],
    [7, /must be an object/],
    [null, /must be an object/],
    [[good], /must be an object/],
    [{ ...good, unit: 'kWh' }, /unit is not a field/],
    [{ timestamp: good.timestamp, kwh: 1 }, /panel_id must be a text/],
    [{ ...good, panel_id: 5 }, /panel_id must be a text/],
    [{ ...good, panel_id: 'pnl_00000000000000000000000000' }, /no panel/],
    [{ ...good, panel_id: foreign.panels[0] }, /no panel/],
    [{ ...good, panel_id: '{"}' }, /no panel/],
    [{ ...good, panel_id: dealers.panels[0], kwh: 2 }, null],
    [{ ...good, timestamp: undefined }, /timestamp must be/],
    [{ ...good, timestamp: 1_778_000_000 }, /timestamp must be/],
    [{ ...good, timestamp: '2026-05-10T12:00:00' }, /timestamp must be/],
    [{ ...good, timestamp: '2026-02-30T12:00:00Z' }, /timestamp must be/],
    [{ ...good, timestamp: '2026-00-10T12:00:00Z' }, /timestamp must be/],
    [{ ...good, timestamp: '1999-12-31T23:59:59Z' }, /before 2000/],
    [{ ...good, timestamp: later }, /future/],
    [{ ...good, timestamp: soon }, null],
    [{ ...good, timestamp: '2000-01-01T00:00:00Z' }, null],
    [{ ...good, kwh: -0.1 }, /kwh must be/],
    [{ ...good, kwh: '1' }, /kwh must be/],
    [{ ...good, kwh: 1_000_001 }, /kwh must be/],
    [{ ...good, kwh: null }, /kwh must be/],
    [{ ...good, timestamp: ' 2026-05-10t13:00:00.1239-0700 ', kwh: 0 }, null],
  ]
  const { accepted, updated, rejected, rejected_count } = await send(
    app,
    installer.key,
    rows.map(([reading]) => reading as Sent),
  )
  const wrong = rows.flatMap(([, message], index) => (message ? [{ index, message }] : []))
  assert.deepEqual(
    rejected.map(({ index }) => index),
    wrong.map(({ index }) => index),
  )
  for (const [i, { message }] of wrong.entries()) assert.match(rejected[i]!.message, message)
  assert.deepEqual([accepted, updated, rejected_count], [rows.length - wrong.length, 0, wrong.length])
  const infinite = await app.call('POST', `${path}/readings`, {
    key: installer.key,
    raw: JSON.stringify({ readings: [good] }).replace('1.5', '1e999'),
    headers: { 'content-type': 'application/json' },
  })
  assert.match(infinite.body.rejected[0].message, /kwh must be/)
  const mine = await send(app, dealer.key, [good, { ...good, panel_id: dealers.panels[0]! }])
  assert.deepEqual([mine.accepted, mine.rejected.map(({ index }) => index)], [1, [0]])
  assert.deepEqual(
    await app.database.rows(
      `select at, microkwh from readings where panel_id = $1 and at > '2026-05-10T19:30Z' and at < '2026-05-11'`,
      [panel],
    ),
    [{ at: new Date('2026-05-10T20:00:00.123Z'), microkwh: 0 }],
  )
  await checkRollUps(app.database)
})

test('the same again changes nothing; the later value wins and moves every total, also within a call', async () => {
  const { panels, installation } = await site(app.database, installer, zone, 2)
  const [a, b] = panels as [string, string]
  const readings = [
    at(a, '2026-05-01T12:00:00-07:00', 1.25),
    at(b, '2026-05-01T12:00:00-07:00', 2),
    at(a, '2026-05-02T00:00:00-07:00', 0),
  ]
  assert.deepEqual(await send(app, installer.key, readings), {
    accepted: 3,
    updated: 0,
    quarantined: 0,
    rejected: [],
    rejected_count: 0,
  })
  const read = () => energy(app, installer.key, may('01', '02', { installation_id: installation }))
  const first = await read()
  assert.deepEqual(first, {
    data: [
      { timestamp: '2026-05-01T00:00:00-07:00', kwh: 3.25 },
      { timestamp: '2026-05-02T00:00:00-07:00', kwh: 0 },
    ],
    summary: { total_kwh: 3.25, average_daily_kwh: 1.625, completeness_percent: 75 },
  })
  assert.deepEqual(await send(app, installer.key, readings), {
    accepted: 3,
    updated: 0,
    quarantined: 0,
    rejected: [],
    rejected_count: 0,
  })
  assert.deepEqual(await read(), first)

  assert.equal((await send(app, installer.key, [at(a, '2026-05-01T19:00:00.000Z', 0.000001)])).updated, 1)
  assert.equal((await read()).summary.total_kwh, 2.000001)
  const within = [5, 6, 6, 7].map((kwh) => at(b, '2026-05-02T09:00:00-07:00', kwh))
  assert.deepEqual(await send(app, installer.key, within), {
    accepted: 4,
    updated: 2,
    quarantined: 0,
    rejected: [],
    rejected_count: 0,
  })
  assert.equal((await send(app, installer.key, within)).updated, 3)
  assert.deepEqual(
    (await read()).data.map(({ kwh }) => kwh),
    [2.000001, 7],
  )
  const panelB = await energy(app, installer.key, may('01', '02', { panel_id: b, granularity: 'hourly' }))
  assert.deepEqual(panelB.data, [
    { timestamp: '2026-05-01T12:00:00-07:00', kwh: 2 },
    { timestamp: '2026-05-02T09:00:00-07:00', kwh: 7 },
  ])
  await checkRollUps(app.database)
})

test('a deleted panel takes no more readings and is not read, but what it made stays', async () => {
  const { panels, installation } = await site(app.database, sister, zone, 2)
  const [a, b] = panels as [string, string]
  const noon = '2026-05-01T12:00:00-07:00'
  await send(app, sister.key, [at(a, noon, 1), at(b, noon, 2)])
  assert.equal((await app.call('DELETE', `/catalog/v1/panels/${a}`, { key: sister.key })).status, 204)
  const again = await send(app, sister.key, [at(a, noon, 5), at(b, noon, 3)])
  assert.deepEqual([again.accepted, again.updated, again.rejected.map(({ index }) => index)], [1, 1, [0]])
  const gone = await app.get(
    `${path}/energy?start_date=2026-05-01&end_date=2026-05-01&panel_id=${a}`,
    sister.key,
  )
  assert.equal(gone.status, 404)
  const whole = await energy(app, sister.key, may('01', '01', { installation_id: installation }))
  assert.deepEqual(whole.summary, { total_kwh: 4, average_daily_kwh: 4, completeness_percent: 100 })
  assert.equal((await energy(app, sister.key, may('01', '01'))).summary.total_kwh, 4)
})

test('weeks begin on Monday, months on the first, and what the range cuts off is not counted', async () => {
  const { panels } = await site(app.database, installer, zone)
  const days = [
    '2025-12-28',
    '2025-12-29',
    '2025-12-31',
    '2026-01-01',
    '2026-01-04',
    '2026-01-05',
    '2026-02-01',
  ]
  await send(
    app,
    installer.key,
    days.map((day, i) => at(panels[0]!, `${day}T23:59:59.999-08:00`, 10 ** i)),
  )
  const read = async (granularity: string, start_date: string, end_date: string) =>
    (await energy(app, installer.key, { panel_id: panels[0]!, granularity, start_date, end_date })).data.map(
      ({ timestamp, kwh }) => [timestamp, kwh],
    )
  assert.deepEqual(await read('weekly', '2025-12-28', '2026-02-28'), [
    ['2025-12-22T00:00:00-08:00', 1],
    ['2025-12-29T00:00:00-08:00', 11110],
    ['2026-01-05T00:00:00-08:00', 100000],
    ['2026-01-26T00:00:00-08:00', 1000000],
  ])
  assert.deepEqual(await read('weekly', '2025-12-31', '2026-01-01'), [['2025-12-29T00:00:00-08:00', 1100]])
  assert.deepEqual(await read('monthly', '2025-12-29', '2026-01-31'), [
    ['2025-12-01T00:00:00-08:00', 110],
    ['2026-01-01T00:00:00-08:00', 111000],
  ])
})

test('sums beyond what a binary fraction holds are exact', async () => {
  const { panels, installation } = await site(app.database, other, zone, 20)
  const readings = panels.flatMap((id) =>
    Array.from({ length: 500 }, (_, i) =>
      at(id, new Date(Date.UTC(2026, 4, 3, 8, 0, i)).toISOString(), 999_999.999999),
    ),
  )
  assert.equal((await send(app, other.key, readings)).accepted, 10_000)
  const answer = await app.get(
    `${path}/energy?start_date=2026-05-01&end_date=2026-05-09&installation_id=${installation}`,
    other.key,
  )
  assert.match(answer.text, /"total_kwh":9999999999\.99,/)
})
