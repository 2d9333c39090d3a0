import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp } from '../../support/app.ts'
import { createWorld, lead, project } from '../../support/factories.ts'

const app = await startApp()
const { installer, dealer, other, sister } = await createWorld(app.database.db)
const { key } = installer
const made = { leads: [] as string[], projects: [] as string[], dealers: [] as string[] }
for (let i = 0; i < 30; i++) {
  const productLine = i % 3 === 0 ? 'hi' : 'solar'
  const { leadId, projectId } = await project(installer, { productLine })
  made.leads.push(leadId)
  made.projects.push(projectId)
}
for (let i = 0; i < 26; i++) made.leads.push(await lead(installer))
for (let i = 0; i < 4; i++) {
  const { leadId, projectId } = await project(dealer)
  made.leads.push(leadId)
  made.projects.push(projectId)
  made.dealers.push(projectId)
}

const query = (fields: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString()

async function walk(path: string, fields: Record<string, string | number> = {}, as = key) {
  const pages: Answer['body'][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await app.get(`${path}?${query(cursor ? { ...fields, cursor } : fields)}`, as)
    assert.equal(status, 200)
    pages.push(body)
    cursor = body.next
    assert.ok(pages.length < 200, 'the list has an end')
  }
  return { pages, rows: pages.flatMap((page) => page.data) as { id: string; updatedAt: string }[] }
}

function assertNewestFirst(rows: { updatedAt: string }[]): void {
  for (const [i, row] of rows.slice(1).entries()) assert.ok(row.updatedAt < rows[i]!.updatedAt)
}

test('every page size walks through every row once, newest change first, and ends exactly at the end', async () => {
  for (const limit of [1, 2, 7, 10, 15, 20, 29, 30, 31, 59, 60, 61, 99, 100]) {
    const { pages, rows } = await walk('/v1/leads', { limit })
    assert.equal(pages.length, Math.ceil(60 / limit), `limit ${limit}`)
    assert.ok(pages.slice(0, -1).every((page) => page.data.length === limit))
    assertNewestFirst(rows)
    assert.deepEqual(rows.map((row) => row.id).sort(), [...made.leads].sort())
  }
  const { rows } = await walk('/v1/projects', { limit: 17 })
  assertNewestFirst(rows)
  assert.deepEqual(rows.map((row) => row.id).sort(), [...made.projects].sort())
})

test('a page has 50 rows when no limit is sent, and at most 100', async () => {
  const { body } = await app.get('/v1/leads', key)
  assert.equal(body.data.length, 50)
  assert.equal(typeof body.next, 'string')
  for (const limit of [0, 101, 1000])
    assert.equal((await app.get(`/v1/leads?limit=${limit}`, key)).status, 400)
})

test('a product line lists its own rows only', async () => {
  const { rows } = await walk('/v1/projects', { productLine: 'hi', limit: 5 })
  assert.equal(rows.length, 10)
  assert.ok(rows.every((row) => (row as unknown as { productLine: string }).productLine === 'hi'))
  assert.equal((await walk('/v1/projects', { productLine: 'solar', limit: 24 })).pages.length, 1)
  assert.equal((await walk('/v1/leads', { productLine: 'hi', limit: 9 })).rows.length, 10)
})

test('a dealer pages through its own rows; an empty list has no next', async () => {
  const { rows, pages } = await walk('/v1/projects', { limit: 2 }, dealer.key)
  assert.deepEqual(rows.map((row) => row.id).sort(), [...made.dealers].sort())
  assert.equal(pages.length, 2)
  assert.deepEqual((await app.get('/v1/projects', sister.key)).body, { data: [], next: null })
  assert.equal((await walk('/v1/leads', { limit: 3, productLine: 'solar' }, dealer.key)).rows.length, 4)
})

test('a row that changes between two pages is not shown twice, nor are others left out', async () => {
  const first = (await app.get('/v1/leads?limit=40', key)).body
  const later = (await walk('/v1/leads')).rows.slice(40).map((row) => row.id)
  const moved = later[3]!
  const patch = { key, body: { phone: '619 555 0111' } }
  assert.equal((await app.call('PATCH', `/v1/leads/${moved}`, patch)).status, 200)
  const second = (await app.get(`/v1/leads?limit=40&cursor=${first.next}`, key)).body
  const ids = second.data.map((row: { id: string }) => row.id)
  assert.deepEqual(
    ids,
    later.filter((id) => id !== moved),
  )
  assert.equal(second.next, null)
})

test('oldest change first, every page size walks through every row once', async () => {
  for (const [path, ids] of [
    ['/v1/leads', made.leads],
    ['/v1/projects', made.projects],
  ] as const) {
    for (const limit of [1, 7, 33, 34, 35, 60, 100]) {
      const { rows } = await walk(path, { limit, order: 'asc' })
      assertNewestFirst(rows.toReversed())
      assert.deepEqual(rows.map((row) => row.id).sort(), [...ids].sort())
    }
  }
  const since = (await walk('/v1/leads', { order: 'asc' })).rows[50]!.updatedAt
  const { rows } = await walk('/v1/leads', {
    limit: 3,
    order: 'asc',
    updatedSince: since,
    productLine: 'solar',
  })
  assert.ok(rows.length > 0 && rows.every((row) => row.updatedAt > since))
  assert.deepEqual(
    rows.map((row) => row.id),
    (await walk('/v1/leads', { updatedSince: since, productLine: 'solar' })).rows
      .map(({ id }) => id)
      .reverse(),
  )
  assert.equal((await walk('/v1/projects', { limit: 3, order: 'asc' }, dealer.key)).rows.length, 4)
  assert.equal((await app.get('/v1/leads?order=newest', key)).status, 400)
})

test('oldest first, a row that changes while it is paged through comes again, at the end', async () => {
  const first = (await app.get('/v1/leads?limit=20&order=asc', key)).body
  const seen = first.data[4].id
  const before = (await walk('/v1/leads', { order: 'asc' })).rows.map((row) => row.id)
  await app.call('PATCH', `/v1/leads/${seen}`, { key, body: { phone: '619 555 0133' } })
  await app.call('PATCH', `/v1/leads/${before[40]}`, { key, body: { phone: '619 555 0134' } })
  const later: string[] = []
  for (let cursor = first.next; cursor !== null; ) {
    const { body } = await app.get(`/v1/leads?limit=20&order=asc&cursor=${cursor}`, key)
    later.push(...body.data.map((row: { id: string }) => row.id))
    cursor = body.next
  }
  assert.deepEqual(later, [...before.slice(20).filter((id) => id !== before[40]), seen, before[40]])
  const bySince = await walk('/v1/leads', { limit: 20, order: 'asc', updatedSince: first.data[19].updatedAt })
  assert.deepEqual(
    bySince.rows.map((row) => row.id),
    later,
  )
})

test('a cursor is bound to its list, its other query fields and its company', async () => {
  const since = '2020-01-01T00:00:00Z'
  const fields = { limit: 2, productLine: 'solar', updatedSince: since }
  const { next } = (await app.get(`/v1/projects?${query(fields)}`, key)).body
  const status = async (path: string, more: Record<string, string | number>, as = key) =>
    (await app.get(`${path}?${query({ cursor: next, ...more })}`, as)).status
  assert.equal(await status('/v1/projects', fields), 200)
  assert.equal(await status('/v1/projects', { ...fields, limit: 3 }), 400)
  assert.equal(await status('/v1/projects', { limit: 2, updatedSince: since }), 400)
  assert.equal(await status('/v1/projects', { ...fields, productLine: 'hi' }), 400)
  assert.equal(await status('/v1/projects', { limit: 2, productLine: 'solar' }), 400)
  assert.equal(await status('/v1/projects', { ...fields, updatedSince: '2020-01-01T00:00:00.001Z' }), 400)
  assert.equal(await status('/v1/projects', {}), 400)
  assert.equal(await status('/v1/projects', { ...fields, order: 'asc' }), 400)
  assert.equal(await status('/v1/projects', { ...fields, order: 'desc' }), 200)
  assert.equal(await status('/v1/leads', fields), 400)
  assert.equal(await status('/v1/projects', fields, dealer.key), 400)
  assert.equal(await status('/v1/projects', fields, other.key), 400)
  assert.equal(await status(`/v1/leads/${made.leads[0]}/activities`, { limit: 2 }), 400)
})

test('an altered cursor is refused, wherever it was altered', async () => {
  const { next } = (await app.get('/v1/leads?limit=2', key)).body as { next: string }
  const altered = [...next].map(
    (letter, i) => next.slice(0, i) + (letter === 'A' ? 'B' : 'A') + next.slice(i + 1),
  )
  altered.push(
    next.slice(0, -1),
    `${next}A`,
    `${next}=`,
    ` ${next.slice(1)}`,
    `${next}${next}`,
    'null',
    '%22',
  )
  for (const cursor of altered) {
    const answer = await app.get(`/v1/leads?limit=2&cursor=${encodeURIComponent(cursor)}`, key)
    assert.equal(answer.status, 400, cursor)
    assert.match(answer.body.error.message, /cursor/)
  }
  assert.doesNotMatch(Buffer.from(next, 'base64url').toString('latin1'), /lead|comp_|20\d\d/)
})

test('activity pages walk through every entry once, also where several share their time', async () => {
  const { projectId, leadId } = await project(installer, { notes: 'Call after six' })
  for (const stage of ['Site Survey', 'Design', 'Permitting', 'Sold']) {
    const moved = await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
    assert.equal(moved.body.changed, true)
  }
  const { rows: all } = await walk(`/v1/leads/${leadId}/activities`, { limit: 100 })
  const total = all.length
  assert.ok(total >= 7)
  const times = (all as unknown as { createdAt: string }[]).map((row) => row.createdAt)
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.ok(new Set(times).size < total, 'some share their time')
  for (let limit = 1; limit <= total + 1; limit++) {
    const { pages, rows } = await walk(`/v1/leads/${leadId}/activities`, { limit })
    assert.deepEqual(rows, all)
    assert.equal(pages.length, Math.ceil(total / limit), `limit ${limit}`)
  }
})

test('an activity cursor is bound to its lead, its limit and its company', async () => {
  const [first, second] = [made.leads[0]!, made.leads[1]!]
  const { next } = (await app.get(`/v1/leads/${first}/activities?limit=1`, key)).body
  const status = async (leadId: string, fields: string, as = key) =>
    (await app.get(`/v1/leads/${leadId}/activities?${fields}&cursor=${next}`, as)).status
  assert.equal(await status(first, 'limit=1'), 200)
  assert.equal(await status(first, 'limit=2'), 400)
  assert.equal(await status(second, 'limit=1'), 400)
  assert.equal(
    (await app.get(`/v1/leads/${first}/activities?updatedSince=2020-01-01T00:00:00Z`, key)).status,
    400,
  )
})
