import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMember } from '../../../src/domain/tenants/members/add-member.ts'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, member } from '../../support/factories.ts'
import { newProject, written } from '../../support/new-project.ts'

const app = await startApp()
const { db } = app.database
const world = await createWorld(db)
const { installer, dealer, sister, other } = world
const { key } = installer
const tenant = installer.company.id

const people = {
  rep: await member(world, installer, 'Ron Rep'),
  setter: await member(world, installer, 'Selma Lind', 'setter'),
  alike: await member(world, installer, 'Two Alike'),
  gone: await member(world, installer, 'Gone Girl'),
  dealers: await member(world, dealer, 'Dora Dealer'),
  foreign: await member(world, other, 'Fay Foreign'),
}
const twin = { company: tenant, email: 'twin@example.com', name: 'two alike', role: 'rep' as const }
await addMember(db, new Date(), twin)
await updateMember(db, new Date(), tenant, people.gone.id, { active: false })

const post = (body: object, as = key) => app.call('POST', '/legacy/create_project', { key: as, body })
async function created(body: object, as = key) {
  const answer = await post(body, as)
  assert.equal(answer.status, 200, answer.text)
  const { lead_id, project_id } = answer.body.data
  const lead = (await app.get(`/v1/leads/${lead_id}`, as)).body
  const project = (await app.get(`/v1/projects/${project_id}`, as)).body
  return { message: answer.body.message as string, lead, project }
}

test('sales rep and setter are active members of the company by email, name or id; others are named', async () => {
  const found: [string, string | null][] = [
    [people.rep.email.toUpperCase(), 'Ron Rep'],
    ['RON REP', 'Ron Rep'],
    [people.rep.id, 'Ron Rep'],
    [people.alike.email, 'Two Alike'],
    ['Twin@example.com', 'two alike'],
    ['Two Alike', null],
    ['Gone Girl', null],
    [people.gone.id, null],
    [people.dealers.email, null],
    [people.foreign.id, null],
    ['Somebody "Else"', null],
  ]
  for (const [text, name] of found) {
    for (const field of ['sales_rep', 'setter']) {
      const rest = { sales_rep: people.setter.id, setter: people.setter.id, [field]: text }
      const { project, message } = await created(newProject(installer, rest))
      const slot = field === 'setter' ? project.setter : project.salesRep
      assert.equal(slot?.name ?? null, name, text)
      assert.equal(message.includes(text), name === null, message)
    }
  }
  const { message } = await created(newProject(installer, { sales_rep: 'Nemo', setter: 'Nemo' }))
  assert.equal(message.match(/Nemo/g)!.length, 1)
})

test('org_id is the number of a company whose records the key may see, as number or digits', async () => {
  const { number } = dealer.company
  for (const org_id of [number, String(number)]) {
    const body = newProject(dealer, { org_id, sales_rep: 'dora dealer', setter: 'Ron Rep' })
    const { project, lead } = await created(body)
    assert.deepEqual(
      [project.company.name, project.salesRep.name, project.setter],
      ['Bright Doors', 'Dora Dealer', null],
    )
    assert.equal((await app.get(`/v1/leads/${lead.id}`, dealer.key)).status, 200)
    assert.equal((await app.get(`/v1/leads/${lead.id}`, sister.key)).status, 404)
  }
  assert.equal((await created(newProject(dealer), dealer.key)).project.company.name, 'Bright Doors')
  const before = await written(app.database)
  const refused: [unknown, string][] = [
    [other.company.number, key],
    [installer.company.number, dealer.key],
    [String(sister.company.number), dealer.key],
    [tenant, key],
    ['999999999', key],
    ['99999999999999999999', key],
    [-1, key],
    ['Sunrise Solar', key],
  ]
  const texts = new Set<string>()
  for (const [org_id, as] of refused) {
    // What is 404 does not come to what else is wrong.
    const answer = await post(newProject(installer, { org_id, panel_profile_id: 'x' }), as)
    assert.equal(answer.status, 404, String(org_id))
    texts.add(answer.text)
  }
  assert.equal(texts.size, 1)
  assert.deepEqual(await written(app.database), before)
})
