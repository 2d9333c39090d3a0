import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedChanges } from '../../../src/domain/kernel/changed-lists.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor, project } from '../../support/factories.ts'
import { draftBody, invoiceIn, invoicesPath, post } from '../../support/invoices.ts'
import { installation, panel, wholeList } from '../../support/panels.ts'

const app = await startApp()
const { rows } = app.database
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const { key } = installer
const long = '2020-01-01T00:00:00Z'

interface Changed {
  id: string
  updated_at: string
}

/** All pages of what changed after a time, in the order in which they came. */
async function changes(path: string, since: string, more = '', as = key): Promise<Changed[]> {
  const found: Changed[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at = `updated_since=${encodeURIComponent(since)}${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { status, body, text } = await app.get(`${path}?${at}${more}`, as)
    assert.equal(status, 200, text)
    found.push(...body.data)
    cursor = body.meta.next
  }
  return found
}
const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)
const newest = (records: readonly Changed[]) =>
  [long, ...records.map(({ updated_at }) => updated_at)].toSorted().at(-1)!

const sites = [
  await installation(app, installer),
  await installation(app, installer),
  await installation(app, dealer),
]
const [first, second, dealers] = sites as [string, string, string]
const panels: string[] = []
for (let i = 0; i < 7; i++) panels.push(await panel(app, installer, i % 2 ? first : second))
const dealersPanel = await panel(app, dealer, dealers)
const change = (id: string, body: object) => app.call('PATCH', `/catalog/v1/panels/${id}`, { key, body })

test('what changed comes in the order in which it changed, page by page', async () => {
  await change(panels[3]!, { name: 'Third' })
  await change(panels[0]!, { status: 'inactive' })
  const expected = [...panels.filter((_, i) => i !== 3 && i !== 0), dealersPanel, panels[3]!, panels[0]!]
  for (const size of ['', '&per_page=1', '&per_page=3', '&per_page=9', '&per_page=10'])
    assert.deepEqual(idsOf(await changes('/catalog/v1/panels', long, size)), expected, size)
  const { body } = await app.get(`/catalog/v1/panels?updated_since=${long}&per_page=2`, key)
  assert.deepEqual([body.meta.page, body.meta.per_page, body.meta.total], [1, 2, 8])
  const all = await changes('/catalog/v1/panels', long)
  assert.deepEqual(await changes('/catalog/v1/panels', newest(all)), [])
  assert.deepEqual(await changes('/catalog/v1/panels', all[5]!.updated_at), all.slice(6))
})

test('what changes nothing is no change, and a reading is none of its panel', async () => {
  const since = newest(await changes('/catalog/v1/panels', long))
  await change(panels[0]!, { status: 'inactive' })
  const readings = [{ panel_id: panels[1], timestamp: '2026-06-15T18:00:00Z', kwh: 0.1 }]
  await app.call('POST', '/catalog/v1/monitoring/readings', { key, body: { readings } })
  assert.deepEqual(await changes('/catalog/v1/panels', since), [])
})

test('it is narrowed by status, installation and company, and what was deleted is not among it', async () => {
  const path = '/catalog/v1/panels'
  assert.deepEqual(idsOf(await changes(path, long, '&status=inactive')), [panels[0]])
  assert.deepEqual(idsOf(await changes(path, long, `&installation_id=${first}`)), [
    panels[1],
    panels[5],
    panels[3],
  ])
  assert.deepEqual(idsOf(await changes(path, long, '', dealer.key)), [dealersPanel])
  assert.deepEqual(await changes(path, long, '', other.key), [])
  const gone = await panel(app, installer, first)
  await app.call('DELETE', `/catalog/v1/panels/${gone}`, { key })
  assert.ok(!idsOf(await changes(path, long)).includes(gone))
})

test('a panel that comes or goes changes its installation', async () => {
  const path = '/catalog/v1/installations'
  const since = newest(await changes(path, long))
  const added = await panel(app, installer, first)
  assert.deepEqual(idsOf(await changes(path, since)), [first])
  const later = newest(await changes(path, since))
  await app.call('DELETE', `/catalog/v1/panels/${added}`, { key })
  assert.deepEqual(idsOf(await changes(path, later)), [first])
  assert.deepEqual(idsOf(await changes(path, long, '&region=US-CA')), [dealers, second, first])
  const read = (await app.get(`${path}/${first}`, key)).body
  assert.equal(newest(await changes(path, long)), read.updated_at)
})

test('each step of an invoice is a change', async () => {
  const since = newest(await changes(invoicesPath, long))
  const id = await invoiceIn(app, key, 'draft', { ...draftBody, installation_id: first })
  const another = await invoiceIn(app, key, 'draft')
  let last = newest(await changes(invoicesPath, since))
  for (const step of [
    () => app.call('PATCH', `${invoicesPath}/${id}`, { key, body: { due_date: '2027-01-31' } }),
    () => post(app, key, `/${id}/finalize`),
    () => post(app, key, `/${id}/pay`, { amount: 1 }),
    () => post(app, key, `/${id}/pay`),
  ]) {
    const answer = await step()
    assert.equal(answer.status, 200, answer.text)
    const changed = await changes(invoicesPath, last)
    assert.deepEqual(changed, [answer.body])
    last = newest(changed)
  }
  assert.deepEqual(idsOf(await changes(invoicesPath, since)), [another, id])
  assert.deepEqual(idsOf(await changes(invoicesPath, since, '&status=paid')), [id])
  assert.deepEqual(idsOf(await changes(invoicesPath, since, `&installation_id=${first}`)), [id])
})

test('the panels of a finished project come at one time, and no page loses one', async () => {
  const since = newest(await changes('/catalog/v1/panels', long))
  const { projectId } = await project(installer)
  await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage: 'Installed' } })
  const found = await changes('/catalog/v1/panels', since, '&per_page=4')
  assert.equal(found.length, 21)
  assert.equal(new Set(found.map(({ updated_at }) => updated_at)).size, 1)
  assert.equal(new Set(idsOf(found)).size, 21)
})

test('a list of one installation is that of all, narrowed', async () => {
  const ofFirst = (records: Record<string, unknown>[]) =>
    records.filter(({ installation_id }) => installation_id === first)
  for (const path of ['/catalog/v1/panels', invoicesPath, '/catalog/v1/monitoring/alerts']) {
    const all = await wholeList(app, key, path)
    for (const perPage of [1, 2, 100]) {
      const narrowed = await wholeList(app, key, `${path}?installation_id=${first}`, perPage)
      assert.deepEqual(narrowed, ofFirst(all), path)
    }
  }
  const active = await wholeList(app, key, `/catalog/v1/panels?installation_id=${second}&status=inactive`)
  assert.deepEqual(idsOf(active as Changed[]), [panels[0]])
})

test('another’s installation is not there, nor what is none', async () => {
  for (const path of ['/catalog/v1/panels', invoicesPath, '/catalog/v1/monitoring/alerts']) {
    for (const [site, as] of [
      [first, dealer.key],
      [first, other.key],
      ['inst_00000000000000000000000000', key],
      ['nonsense', key],
      ['', key],
    ] as const) {
      assert.equal((await app.get(`${path}?installation_id=${site}`, as)).status, 404, path)
      assert.equal((await app.get(`${path}?installation_id=${site}&updated_since=${long}`, as)).status, 404)
    }
  }
})

test('a cursor is good for its own list only, and is not page', async () => {
  const path = '/catalog/v1/panels'
  const query = `updated_since=${long}&per_page=2`
  const { next } = (await app.get(`${path}?${query}`, key)).body.meta
  const refused: [string, string][] = [
    [`${path}?cursor=${next}`, key],
    [`${path}?updated_since=${long}&per_page=3&cursor=${next}`, key],
    [`${path}?${query}&status=active&cursor=${next}`, key],
    [`${path}?${query}&installation_id=${first}&cursor=${next}`, key],
    [`${path}?updated_since=2021-01-01T00:00:00Z&per_page=2&cursor=${next}`, key],
    [`${path}?${query}&cursor=${next}0`, key],
    [`${path}?${query}&cursor=${next.replace('pnl_0', 'pnl_1')}`, key],
    [`${path}?${query}&cursor=`, key],
    [`${path}?${query}&cursor=.`, key],
    [`/catalog/v1/installations?${query}&cursor=${next}`, key],
    [`${path}?${query}&cursor=${next}`, dealer.key],
    [`${path}?${query}&page=1`, key],
    [`${path}?updated_since=2026-01-01`, key],
    [`${path}?updated_since=yesterday`, key],
    [`${path}?updated_since=`, key],
  ]
  for (const [address, as] of refused) assert.equal((await app.get(address, as)).status, 400, address)
  assert.equal((await app.get(`${path}?${query}&cursor=${next}`, key)).status, 200)
  const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
  assert.equal((await app.get(`${path}?${query}`, readOnly)).status, 200)
  assert.equal((await app.call('GET', `${path}?${query}`)).status, 401)
})

test('among very many changes the few that are wanted are found in bounded pages', async () => {
  await rows(
    `insert into panels (installer_id, id, company_id, installation_id, name, capacity_kw, status, created_at, updated_at)
      select $1, 'pnl_' || lpad(i::text, 24, '0'), $1, $2, 'Many', 1, 'active', '2021-01-01', timestamptz '2021-01-01' + i * interval '1 ms'
      from generate_series(1, $3::int) i`,
    [other.company.id, await installation(app, other), countedChanges + 5],
  )
  await rows(
    `update panels set status = 'maintenance' where installer_id = $1 and id like '%${countedChanges + 3}'`,
    [other.company.id],
  )
  const path = `/catalog/v1/panels?updated_since=${long}&status=maintenance`
  const { body } = await app.get(path, other.key)
  assert.deepEqual([body.data, body.meta.total], [[], 0])
  const { body: further } = await app.get(`${path}&cursor=${body.meta.next}`, other.key)
  assert.deepEqual([further.data.length, further.meta.next], [1, null])
})
