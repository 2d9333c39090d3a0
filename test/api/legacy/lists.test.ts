import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { type Actors, createWorld, lead, member, project } from '../../support/factories.ts'

const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, sister, other } = world
const { key } = installer
const rep = await member(world, installer, 'Ron Rep')

// 250 leads, 205 of them sold, of two companies and both lines.
let references = 0
const some = { reference: () => `Ref${String(++references).padStart(7, '0')}` }
for (let i = 0; i < 110; i++)
  await project(installer, i % 5 ? {} : { reference: some.reference(), salesRepEmail: rep.email })
for (let i = 0; i < 60; i++) await project(dealer, {}, i % 5 ? {} : { reference: some.reference() })
for (let i = 0; i < 45; i++) await lead(dealer)
for (let i = 0; i < 35; i++) await project(i % 7 ? installer : dealer, { productLine: 'hi' })
await project(other)

type Table = 'leads' | 'projects'
type Line = 'solar' | 'hi'
interface List {
  path: string
  table: Table
  line: Line
  /** What stands in the query besides the page. */
  of: 'org_id' | 'installer_id'
}
const list = (path: string, table: Table, line: Line, of: List['of']): List => ({ path, table, line, of })
const lists: List[] = [
  list('fetch_all_project', 'projects', 'solar', 'org_id'),
  list('fetch_all_project_installer', 'projects', 'solar', 'installer_id'),
  list('fetch_all_lead', 'leads', 'solar', 'org_id'),
  list('fetch_all_lead_installer', 'leads', 'solar', 'installer_id'),
  list('fetch_all_project_hi', 'projects', 'hi', 'org_id'),
  list('fetch_all_project_installer_hi', 'projects', 'hi', 'installer_id'),
  list('fetch_all_lead_hi', 'leads', 'hi', 'org_id'),
  list('fetch_all_lead_hi_installer', 'leads', 'hi', 'installer_id'),
]

const ask = (path: string, query: Record<string, string | number>, as: Actors) => {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return app.get(`/legacy/${path}?${new URLSearchParams(fields)}`, as.key)
}

/** The whole list, page by page, with all that is counted checked. */
async function walk(path: string, query: Record<string, string | number>, as: Actors): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { status, body, text } = await ask(path, { ...query, page }, as)
    assert.equal(status, 200, text)
    const { data, message, ...counts } = body as Answer['body']
    ids.push(...data.map((record: { id: string }) => record.id))
    const { total } = counts
    const remaining = Math.max(0, total - ids.length)
    const count = data.length
    assert.deepEqual(counts, { success: true, page, per_page: 100, count, remaining, total })
    assert.equal(typeof message, 'string')
    if (remaining === 0) {
      assert.equal(ids.length, total)
      return ids
    }
    assert.equal(count, 100)
  }
}

/** The ids as the legacy API has them, in the order of /v1. */
async function ofCompanyKeyApi(table: Table, productLine: Line, as: Actors): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', productLine, ...(cursor ? { cursor } : {}) })
    const { body } = await app.get(`/v1/${table}?${query}`, as.key)
    for (const row of body.data) found.push(row.reference ?? row.id)
    cursor = body.next
  }
  return found
}

/** The same from the database, of one company or of all. */
async function ofDatabase(table: Table, productLine: Line, of: Actors, companyId: string | null) {
  const found = await rows<{ id: string }>(
    `select coalesce(reference, id) as id from ${table}
     where installer_id = $1 and product_line = $2 and ($3::text is null or company_id = $3) order by updated_at desc`,
    [of.company.installerId, productLine, companyId],
  )
  return found.map((row) => row.id)
}

const of = (which: List['of'], who: Actors) =>
  which === 'org_id' ? { org_id: who.company.number } : { installer_id: installer.company.number }

test('every list walks through exactly its records, newest change first, as /v1 orders them', async () => {
  const sizes: Record<string, number> = {}
  for (const { path, table, line, of: which } of lists) {
    for (const who of [installer, dealer]) {
      const ids = await walk(path, of(which, who), who)
      // An installer's key lists of the installer's organisation its own, of the installer everything.
      const confined = which === 'org_id' || who === dealer ? who.company.id : null
      assert.deepEqual(ids, await ofDatabase(table, line, who, confined), path)
      if (who === dealer || which === 'installer_id')
        assert.deepEqual(ids, await ofCompanyKeyApi(table, line, who), path)
      sizes[`${path} ${who.company.kind}`] = ids.length
    }
  }
  assert.deepEqual(Object.values(sizes), [110, 60, 170, 60, 110, 105, 215, 105, 30, 5, 35, 5, 30, 5, 35, 5])
})

test('an installer lists its dealers’ records by their number, a dealer nobody else’s', async () => {
  for (const { path, table, line, of: which } of lists) {
    const query = (field: string, value: string | number) => ({ [field]: value, page: 1 })
    if (which === 'org_id') {
      const dealers = await walk(path, { org_id: String(dealer.company.number) }, installer)
      assert.deepEqual(dealers, await ofDatabase(table, line, installer, dealer.company.id))
      assert.deepEqual(await walk(path, { org_id: sister.company.number }, installer), [])
      for (const who of [installer, sister, other])
        assert.equal((await ask(path, query('org_id', who.company.number), dealer)).status, 404, path)
      assert.equal((await ask(path, query('org_id', other.company.number), installer)).status, 404)
    } else {
      const byId = await walk(path, { installer_id: installer.company.id }, dealer)
      assert.deepEqual(byId, await ofDatabase(table, line, dealer, dealer.company.id))
      for (const who of [other, dealer])
        assert.equal((await ask(path, query('installer_id', who.company.id), dealer)).status, 404, path)
      assert.equal((await ask(path, query('installer_id', dealer.company.number), installer)).status, 404)
    }
  }
  const unnamed = await walk('fetch_all_project_installer', {}, installer)
  assert.deepEqual(unnamed, await ofDatabase('projects', 'solar', installer, null))
})

const nothing = { data: [], count: 0, remaining: 0 }
const installerLeads = { installer_id: installer.company.number }

test('a page is a number from 1 in whatever digits; the first is read when none is named', async () => {
  const page = async (page: string) =>
    (await ask('fetch_all_lead_installer', { ...installerLeads, page }, installer)).body
  const second = await page('2')
  assert.equal(second.page, 2)
  for (const digits of ['02', '002', `${'0'.repeat(200)}2`, ' 2 '])
    assert.deepEqual(await page(digits), second)
  const { body: first } = await ask('fetch_all_lead_installer', installerLeads, installer)
  assert.deepEqual([first, first.page], [await page('1'), 1])
})

test('a page past the end is empty, however far', async () => {
  for (const page of ['4', '1000', '2147483648', '9007199254740993', '9'.repeat(20), '9'.repeat(300)]) {
    for (const { path, of: which } of lists) {
      const { status, body, text } = await ask(path, { ...of(which, installer), page }, installer)
      assert.equal(status, 200, text)
      assert.partialDeepStrictEqual(body, { success: true, per_page: 100, ...nothing })
      assert.ok(body.total > 0 && body.page === Number(page), text.slice(0, 200))
    }
  }
  const empty = (await ask('fetch_all_lead', { org_id: sister.company.number }, sister)).body
  assert.partialDeepStrictEqual(empty, { ...nothing, page: 1, total: 0 })
})

test('anything else is no page: 400 naming it', async () => {
  const bad = ['0', '00', '-1', '1.5', '1.0', 'x', '', ' ', '1e3', '0x1', '٣', '1,2', '1 2', 'null', '+']
  for (const { path, of: which } of lists) {
    for (const page of bad) {
      const { status, body } = await ask(path, { ...of(which, installer), page }, installer)
      assert.deepEqual([status, /page/.test(body.message)], [400, true], `${path} ${page}`)
    }
    const twice = await app.get(
      `/legacy/${path}?${new URLSearchParams(of(which, installer) as never)}&page=1&page=2`,
      key,
    )
    assert.equal(twice.status, 400)
  }
})

test('what changes comes first at once, and a renamed member moves all of theirs', async () => {
  const solar = await ofDatabase('projects', 'solar', installer, null)
  const oldest = solar.at(-1)!
  const leadId = (await app.get(`/v1/projects/${oldest}`, key)).body.leadId
  for (const change of [
    () => app.call('PATCH', `/v1/leads/${leadId}`, { key, body: { phone: '1' } }),
    () => app.call('POST', `/legacy/update_stage?id=${oldest}&project_stage_name=Design`, { key }),
    () => updateMember(db, new Date(), installer.company.id, rep.id, { name: 'Renamed Rep' }),
  ]) {
    await change()
    for (const { path, table, line, of: which } of lists) {
      const confined = which === 'org_id' ? installer.company.id : null
      const ids = await walk(path, of(which, installer), installer)
      assert.deepEqual(ids, await ofDatabase(table, line, installer, confined), path)
    }
  }
  const [newest] = (await ask('fetch_all_project_installer', {}, installer)).body.data
  assert.equal(newest.salesRepName, 'Renamed Rep')
})

test('walking while others write never fails, and pages hold together', async () => {
  const leads = await rows<{ id: string }>(
    "select id from leads where installer_id = $1 and product_line = 'solar'",
    [installer.company.id],
  )
  let writing = true
  const writers = Array.from({ length: 4 }, async (_, n) => {
    for (let i = 0; i < 60; i++) {
      const { id } = leads[(i * 4 + n) % leads.length]!
      const body = { phone: `${n}-${i}` }
      assert.equal((await app.call('PATCH', `/v1/leads/${id}`, { key, body })).status, 200)
      if (i % 6 === 0) await lead(dealer)
    }
  })
  const walkers = lists.map(async ({ path, of: which }) => {
    for (let walks = 0; writing || walks === 0; walks++) {
      for (let page = 1, remaining = 1; remaining > 0; page++) {
        const { status, body, text } = await ask(path, { ...of(which, installer), page }, installer)
        assert.equal(status, 200, text)
        const ids = new Set(body.data.map((record: { id: string }) => record.id))
        assert.deepEqual([ids.size, body.data.length], [body.count, body.count])
        assert.ok(body.count <= 100 && body.remaining < body.total)
        remaining = body.remaining
      }
    }
  })
  await Promise.all(writers)
  writing = false
  await Promise.all(walkers)
  for (const { path, table, line, of: which } of lists) {
    const confined = which === 'org_id' ? installer.company.id : null
    const ids = await walk(path, of(which, installer), installer)
    assert.deepEqual(ids, await ofDatabase(table, line, installer, confined), path)
  }
})
