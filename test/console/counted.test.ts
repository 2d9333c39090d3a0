import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grow } from '../../bench/growth/grow.ts'
import { createGrowthTenant, type GrowthTenant, password } from '../../bench/growth/tenant.ts'
import type { Figure } from '../../src/domain/kernel/counted.ts'
import { type App, startApp } from '../support/app.ts'
import { signedIn } from '../support/people.ts'

let app: App
let tenant: GrowthTenant
let owner: Awaited<ReturnType<typeof signedIn>>

const get = async (path: string) => (await owner.get(path)).body

before(async () => {
  app = await startApp({ env: { ROLE: 'web' } })
  tenant = await createGrowthTenant(app.database.db)
  await grow(app.database.url, tenant, 0, 10_600, { tables: ['leads', 'projects', 'notifications'] })
  await app.database.rows('update notifications set read_at = null')
  await app.database.rows(
    'update projects set stage_id = $1, stage_entered_at = now() where product_line = $2',
    [tenant.stageIds.solar[1], 'solar'],
  )
  owner = await signedIn(app, { email: tenant.people.owner.email, password })
})

interface Counted {
  total: Figure
}
const thousand: Figure = { count: 1_000, orMore: true }
const none: Figure = { count: 0, orMore: false }

test('a column of the board says that there are more than a thousand, and no more', async () => {
  const { columns } = await get('/board?line=solar')
  const [full, ...others] = columns.toSorted((a: Counted, b: Counted) => b.total.count - a.total.count)
  assert.deepEqual([full.stage.id, full.total, full.late], [tenant.stageIds.solar[1], thousand, none])
  assert.ok(others.every(({ total }: Counted) => total.count === 0 && !total.orMore))
  await app.database.rows(
    `update projects set stage_entered_at = now() - interval '300 days' where product_line = 'solar'`,
  )
  const { columns: later } = await get('/board?line=solar')
  assert.deepEqual(
    later.find(({ stage }: { stage: { id: string } }) => stage.id === full.stage.id).late,
    thousand,
  )
})

test('new leads and what is unread are counted as far', async () => {
  assert.deepEqual((await get('/home')).waiting.total, thousand)
  assert.equal((await get('/notifications')).unread, 1_001)
})

test('fewer are counted exactly, of leads too', async () => {
  const { columns } = await get('/board?line=hi')
  const total = columns.reduce((sum: number, { total }: Counted) => sum + total.count, 0)
  const [{ projects }] = (await app.database.rows(
    `select count(*)::int as projects from projects where product_line = 'hi'`,
  )) as [{ projects: number }]
  assert.equal(total, projects)
  assert.deepEqual((await get('/leads')).total, { count: 1_000, orMore: true })
  const [{ few }] = (await app.database.rows(
    `select count(*)::int as few from leads where status = 'unqualified' and not archived`,
  )) as [{ few: number }]
  assert.deepEqual((await get('/leads?status=unqualified')).total, { count: few, orMore: false })
})

test('a common word finds the last changed, a rare one those that are long past', async () => {
  const common = await get('/search?q=diego')
  assert.deepEqual([common.leads.length, common.projects.length], [10, 10])
  const [{ id }] = (await app.database.rows(
    `select project_id as id from leads where city = 'San Diego' and project_id is not null order by updated_at desc limit 1`,
  )) as [{ id: string }]
  assert.equal(common.projects[0].id, id)
  const rare = await get('/search?q=quillfeather')
  assert.deepEqual([rare.leads.length, rare.projects.length], [10, 10])
  assert.ok(rare.leads.every(({ customer }: { customer: string }) => customer.endsWith('Quillfeather')))
  assert.deepEqual(await get('/search?q=xyzzyplugh'), { leads: [], projects: [] })
})

test('what is late, and what is left to do, is counted as far', async () => {
  const { rep, newRep } = tenant.people
  const [{ id: repId }, { id: newRepId }] = (await Promise.all(
    [rep, newRep].map(async ({ email }) => {
      const [member] = await app.database.rows<{ id: string }>('select id from members where email = $1', [
        email,
      ])
      return member!
    }),
  )) as [{ id: string }, { id: string }]
  await app.database.rows('update projects set site_surveyor_id = $1', [repId])
  assert.deepEqual((await get('/home')).lateByStage[0], {
    ...{ productLine: 'solar', stage: 'Site Survey', count: 1_000, orMore: true },
  })
  assert.deepEqual((await get('/home')).late.solar, { count: 1_000, orMore: true })

  assert.equal((await get(`/people/${repId}/work`)).open, 1_001)
  const [{ open }] = (await app.database.rows(
    `select count(*)::int as open from leads l left join projects p on p.installer_id = l.installer_id and p.id = l.project_id
     where $1 in (l.sales_rep_id, l.setter_id, p.project_manager_id, p.site_surveyor_id, p.subcontractor_id) and not l.archived
       and case when p.id is null then l.status not in ('lost', 'unqualified') else p.installation_id is null end`,
    [newRepId],
  )) as [{ open: number }]
  assert.ok(open > 0)
  assert.equal((await get(`/people/${newRepId}/work`)).open, open)
})
