import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patchStage } from '../../../../src/domain/tenants/ladders/patch-stage.ts'
import { updateMember } from '../../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../../support/app.ts'
import { createWorld, leadBody, member, project } from '../../../support/factories.ts'

// The command line and other processes change companies, members and ladders behind the server's back.
const app = await startApp()
const { db, rows } = app.database
const world = await createWorld(db)
const { installer } = world
const { key } = installer
const tenant = installer.company.id

const move = (projectId: string, stage: string) =>
  app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage } })
async function rename(from: string, to: string): Promise<void> {
  const [stage] = await rows<{ id: string }>(
    "select id from stages where installer_id = $1 and product_line = 'solar' and name = $2",
    [tenant, from],
  )
  await patchStage(db, new Date(), tenant, stage!.id, { name: to })
}

test('a stage renamed by another process is known by its new name at once, and by no other', async () => {
  const { projectId } = await project(installer)
  assert.equal((await move(projectId, 'Design')).status, 200)
  await rename('Permitting', 'Permits')
  assert.deepEqual((await move(projectId, 'permits')).body, { changed: true, stage: 'Permits' })
  await rename('Permits', 'Paperwork')
  const same = await move(projectId, 'Paperwork')
  assert.deepEqual(same.body, { changed: false, stage: 'Paperwork' })
  await rename('Paperwork', 'Papers')
  const old = await move(projectId, 'Paperwork')
  assert.equal(old.status, 400, old.text)
  assert.match(old.body.error.message, /"Design", "Papers", "NTP"/)
})

test('a retry by externalId says who is a member now', async () => {
  const rep = await member(world, installer, 'Late Rep')
  const body = { ...leadBody, externalId: 'dir-1', salesRepEmail: 'later@example.com' }
  assert.deepEqual((await app.call('POST', '/v1/leads', { key, body })).body.unassigned, [
    'later@example.com',
  ])
  await updateMember(db, new Date(), tenant, rep.id, { email: 'later@example.com' })
  assert.deepEqual((await app.call('POST', '/v1/leads', { key, body })).body.unassigned, [])
  await updateMember(db, new Date(), tenant, rep.id, { active: false })
  assert.deepEqual((await app.call('POST', '/v1/leads', { key, body })).body.unassigned, [
    'later@example.com',
  ])
})

test('a patch that changes nothing answers with the names of now', async () => {
  const rep = await member(world, installer, 'Old Name')
  const { leadId } = await project(installer, { salesRepEmail: rep.email })
  const patch = async () => (await app.call('PATCH', `/v1/leads/${leadId}`, { key, body: {} })).body
  assert.equal((await patch()).salesRep.name, 'Old Name')
  await updateMember(db, new Date(), tenant, rep.id, { name: 'New Name' })
  assert.deepEqual(await patch(), (await app.get(`/v1/leads/${leadId}`, key)).body)
})
