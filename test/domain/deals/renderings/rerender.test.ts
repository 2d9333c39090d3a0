import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRenderings } from '../../../../src/domain/deals/renderings/rerender.ts'
import { updateCompany } from '../../../../src/domain/tenants/companies/update-company.ts'
import { patchStage } from '../../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../../support/app.ts'
import { createWorld, lead, leadBody, member, project } from '../../../support/factories.ts'

const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer, dealer, sister } = world
const { key } = installer
const tenant = installer.company.id

interface Row {
  id: string
  updatedAt: string
}
const changedSince = async (path: string, updatedSince: string): Promise<Row[]> =>
  (await app.get(`${path}?limit=100&updatedSince=${updatedSince}`, key)).body.data
const newest = async () => {
  const [row] = await rows<{ now: Date }>('select now from tenant_clocks where installer_id = $1', [tenant])
  return row!.now.toISOString()
}
const stageId = async (name: string) => {
  const [row] = await rows<{ id: string }>(
    "select id from stages where installer_id = $1 and name = $2 and product_line = 'solar'",
    [tenant, name],
  )
  return row!.id
}
async function assertNoneStale(): Promise<void> {
  const { checked, stale } = await checkRenderings(db, new Date(), tenant, false)
  assert.ok(checked > 0)
  assert.deepEqual(stale, [])
}

const rep = await member(world, installer, 'Rep Before')
const pm = await member(world, installer, 'Pm Before', 'manager')
const shown = await project(
  installer,
  { salesRepEmail: rep.email, setterEmail: rep.email },
  { projectManagerId: pm.id, siteSurveyorId: rep.id },
)
const open = await lead(installer, { setterEmail: rep.email })
const managed = await project(dealer, {}, { projectManagerId: pm.id })
const neither = await project(sister)

test("a member's new name, email and phone show in every record that names them, and only there, as a change", async () => {
  const before = await newest()
  const named = { name: 'Rep "After" é', email: 'after@example.com', phone: null }
  await updateMember(db, new Date(), tenant, rep.id, named)
  const leads = await changedSince('/v1/leads', before)
  const projects = await changedSince('/v1/projects', before)
  assert.deepEqual(leads.map((r) => r.id).sort(), [shown.leadId, open].sort())
  assert.deepEqual(
    projects.map((r) => r.id),
    [shown.projectId],
  )
  assert.equal(new Set([...leads, ...projects].map((r) => r.updatedAt)).size, 3)
  const body = (await app.get(`/v1/projects/${shown.projectId}`, key)).body
  assert.deepEqual([body.salesRep, body.setter, body.siteSurveyor], [named, named, named])
  assert.equal(body.projectManager.name, 'Pm Before')
  const events = await rows<{ type: string }>(
    'select type from events where installer_id = $1 and at > $2 and lead_id is not null order by type',
    [tenant, before],
  )
  assert.deepEqual(
    events.map((e) => e.type),
    ['lead.updated', 'lead.updated', 'project.updated'],
  )

  const next = await newest()
  await updateMember(db, new Date(), tenant, pm.email, { name: 'Pm After' })
  assert.deepEqual(await changedSince('/v1/leads', next), [])
  assert.deepEqual(
    (await changedSince('/v1/projects', next)).map((r) => r.id).sort(),
    [shown.projectId, managed.projectId].sort(),
  )
  await assertNoneStale()
})

test('a change that shows nowhere moves nothing', async () => {
  const before = await newest()
  await updateMember(db, new Date(), tenant, rep.id, { role: 'manager', active: false })
  await updateMember(db, new Date(), tenant, rep.id, { active: true, name: 'Rep "After" é' })
  await patchStage(db, new Date(), tenant, await stageId('Sold'), { checklist: ['New'], name: 'Sold' })
  await updateCompany(db, new Date(), dealer.company.id, { status: 'active', name: 'Bright Doors' })
  assert.deepEqual(await changedSince('/v1/leads', before), [])
  assert.deepEqual(await changedSince('/v1/projects', before), [])
  await assertNoneStale()
})

test('a renamed stage and a renamed company show in their projects', async () => {
  const before = await newest()
  await patchStage(db, new Date(), tenant, await stageId('Sold'), { name: 'Signed' })
  const projects = await changedSince('/v1/projects', before)
  assert.deepEqual(
    projects.map((r) => r.id).sort(),
    [shown.projectId, managed.projectId, neither.projectId].sort(),
  )
  assert.ok(projects.every((r) => (r as Row & { stage: { name: string } }).stage.name === 'Signed'))
  assert.deepEqual(await changedSince('/v1/leads', before), [])
  const refused = await app.call('POST', `/v1/projects/${shown.projectId}/stage`, {
    key,
    body: { stage: 'Sold' },
  })
  assert.match(refused.body.error.message, /"Signed", "Site Survey"/)
  const same = await app.call('POST', `/v1/projects/${shown.projectId}/stage`, {
    key,
    body: { stage: 'signed' },
  })
  assert.deepEqual(same.body, { changed: false, stage: 'Signed' })

  const next = await newest()
  await updateCompany(db, new Date(), dealer.company.id, { name: 'Brighter Doors' })
  assert.deepEqual(
    (await changedSince('/v1/projects', next)).map((r) => r.id),
    [managed.projectId],
  )
  assert.equal(
    (await app.get(`/v1/projects/${managed.projectId}`, dealer.key)).body.company.name,
    'Brighter Doors',
  )
  await assertNoneStale()
})

test('a rename that fails changes nothing', async () => {
  const state = () =>
    rows(
      'select (select json_agg(t order by installer_id) from tenant_clocks t) as clocks, (select json_agg(s order by id) from stages s) as stages',
    )
  const before = await state()
  await assert.rejects(
    patchStage(db, new Date(), tenant, await stageId('Design'), { name: 'PERMITTING' }),
    /already/,
  )
  assert.deepEqual(await state(), before)
})

test('renames while others write leave no stale rendering, no lost write and no shared time', async () => {
  const deals = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      project(i % 2 ? installer : dealer, i % 2 ? { salesRepEmail: 'after@example.com' } : {}, {
        projectManagerId: pm.id,
      }),
    ),
  )
  const design = await stageId('Design')
  const round = 8
  const writers = [
    async () => {
      for (let i = 0; i < round; i++) await updateMember(db, new Date(), tenant, pm.id, { name: `Pm ${i}` })
    },
    async () => {
      for (let i = 0; i < round; i++)
        await patchStage(db, new Date(), tenant, design, { name: `Design ${i}` })
    },
    async () => {
      for (let i = 0; i < round; i++)
        await updateCompany(db, new Date(), dealer.company.id, { name: `Doors ${i}` })
    },
    async () => {
      for (let i = 0; i < round * 2; i++) {
        const made = await app.call('POST', '/v1/leads', {
          key,
          body: { ...leadBody, salesRepEmail: 'after@example.com' },
        })
        assert.equal(made.status, 201)
      }
    },
    ...deals.map(({ leadId, projectId }) => async () => {
      for (let i = 0; i < round; i++) {
        const patch = { key, body: { phone: `${i}` } }
        assert.equal((await app.call('PATCH', `/v1/leads/${leadId}`, patch)).body.customer.phone, `${i}`)
        const { body } = await app.get(`/v1/projects/${projectId}`, key)
        const stage = /^Signed/.test(body.stage.name) ? 'Permitting' : 'Signed'
        const moved = await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
        assert.equal(moved.status, 200, moved.text)
      }
    }),
    async () => {
      // The stage is renamed meanwhile: a move by an old name may be refused, never fail.
      for (let i = 0; i < round; i++) {
        const moved = await app.call('POST', `/v1/projects/${neither.projectId}/stage`, {
          key,
          body: { stage: `Design ${i}` },
        })
        assert.ok([200, 400].includes(moved.status), moved.text)
      }
    },
  ]
  await Promise.all(writers.map((write) => write()))
  await assertNoneStale()
  const { projectManager, company } = (await app.get(`/v1/projects/${deals[0]!.projectId}`, key)).body
  assert.deepEqual([projectManager.name, company.name], [`Pm ${round - 1}`, `Doors ${round - 1}`])
  const times = await rows<{ at: Date }>(
    'select updated_at as at from leads where installer_id = $1 union all select updated_at from projects where installer_id = $1',
    [tenant],
  )
  assert.equal(new Set(times.map((t) => t.at.getTime())).size, times.length)
})

test('a rendering that went stale is found and mended', async () => {
  await rows("update leads set rendering = replace(rendering, 'First', 'Wrong') where id = $1", [open])
  const found = await checkRenderings(db, new Date(), tenant, false)
  assert.deepEqual(found.stale, [open])
  await db.transaction((tx) => checkRenderings(tx, new Date(), tenant, true))
  await assertNoneStale()
})
