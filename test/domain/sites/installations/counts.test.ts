import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { panelStatuses } from '../../../../src/domain/sites/installations/panel.ts'
import { startApp } from '../../../support/app.ts'
import { createWorld, project } from '../../../support/factories.ts'
import { installation, panelBody, wholeList } from '../../../support/panels.ts'

const app = await startApp()
const { installer, dealer, sister, other } = await createWorld(app.database.db)
const companies = [installer, dealer, sister, other]
type Owner = number

/** What there should be, kept apart from the database. */
interface Kept {
  owner: Owner
  site: string
  status: string
  capacity: number
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      owner: fc.nat(3),
      site: fc.nat(1),
      tenthsW: fc.integer({ min: 1, max: 9_999 }),
      byInstaller: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      which: fc.nat(1_000),
      status: fc.constantFrom(...panelStatuses),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(1_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('refused' as const), which: fc.nat(1_000), owner: fc.nat(3) }),
  },
)

test('totals are true after any sequence of changes by several companies', async () => {
  const kept = new Map<string, Kept>()
  let made = 0
  const sites = await Promise.all(
    companies.map(async (who) => [await installation(app, who), await installation(app, who)]),
  )
  const call = app.call
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      for (const one of steps) {
        const ids = [...kept.keys()]
        const id = 'which' in one ? ids[one.which % Math.max(1, ids.length)] : undefined
        if (one.do === 'create') {
          const key = one.byInstaller && one.owner < 3 ? installer.key : companies[one.owner]!.key
          const site = sites[one.owner]![one.site]!
          const body = panelBody(site, { capacity_kw: one.tenthsW / 10_000 })
          const answer = await call('POST', '/catalog/v1/panels', { key, body })
          assert.equal(answer.status, 201, answer.text)
          made++
          kept.set(answer.body.id, { owner: one.owner, site, status: 'active', capacity: one.tenthsW })
        } else if (id !== undefined) {
          const panel = kept.get(id)!
          const { key } = companies[one.do === 'refused' ? one.owner : panel.owner]!
          if (one.do === 'status') {
            await call('PATCH', `/catalog/v1/panels/${id}`, { key, body: { status: one.status } })
            panel.status = one.status
          } else if (one.do === 'delete') {
            await call('DELETE', `/catalog/v1/panels/${id}`, { key })
            kept.delete(id)
          } else {
            const may = one.owner === panel.owner || (one.owner === 0 && panel.owner < 3)
            const answer = await call('PATCH', `/catalog/v1/panels/${id}`, { key, body: {} })
            assert.equal(answer.status, may ? 200 : 404)
          }
        }
      }
      await compare()
    }),
    { numRuns: 12, endOnFailure: true },
  )
  assert.ok(made > 10)

  async function compare(): Promise<void> {
    const all = [...kept]
    for (const [owner, { key }] of companies.entries()) {
      const seen = all.filter(([, p]) => p.owner === owner || (owner === 0 && p.owner < 3))
      const statuses = ['', ...panelStatuses]
      await Promise.all(
        statuses.map(async (status) => {
          const expected = seen.filter(([, p]) => !status || p.status === status).map(([id]) => id)
          const path = `/catalog/v1/panels${status && `?status=${status}`}`
          // `wholeList` compares each list with its total.
          const found = await wholeList(app, key, path)
          assert.deepEqual(
            found.map((p) => p.id as string),
            expected.sort().toReversed(),
          )
        }),
      )
      for (const site of sites[owner]!) {
        const there = all.filter(([, p]) => p.site === site)
        const { panel_count, capacity_kw } = (await app.get(`/catalog/v1/installations/${site}`, key)).body
        const sum = there.reduce((total, [, p]) => total + p.capacity, 0)
        assert.deepEqual([panel_count, Math.round(capacity_kw * 10_000)], [there.length, sum])
      }
    }
    assert.deepEqual(await app.database.rows(untrue), [])
  }
})

const untrue = `select * from (
    select installer_id, company_id, status, sum(n) as off from (
      select installer_id, company_id, status, panels as n from panel_counts
      union all select installer_id, company_id, status, -count(*) from panels where deleted_at is null group by 1, 2, 3
    ) both_sides group by 1, 2, 3
  ) sums where off <> 0`

test('a finished project’s panels are in the counts, and can be changed and deleted like others', async () => {
  const before = (await app.get('/catalog/v1/panels', dealer.key)).body.meta.total
  const { projectId } = await project(dealer)
  const moved = await app.call('POST', `/v1/projects/${projectId}/stage`, {
    key: installer.key,
    body: { stage: 'Installed' },
  })
  assert.equal(moved.status, 200)
  const listed = await wholeList(app, dealer.key, '/catalog/v1/panels')
  assert.equal(listed.length, before + 21)
  for (const panel of listed.slice(0, 5)) {
    const path = `/catalog/v1/panels/${panel.id}`
    assert.equal(
      (await app.call('PATCH', path, { key: dealer.key, body: { status: 'inactive' } })).status,
      200,
    )
  }
  for (const panel of listed.slice(3, 8))
    assert.equal(
      (await app.call('DELETE', `/catalog/v1/panels/${panel.id}`, { key: dealer.key })).status,
      204,
    )
  assert.equal((await wholeList(app, dealer.key, '/catalog/v1/panels')).length, before + 16)
  assert.deepEqual(await app.database.rows(untrue), [])
})
