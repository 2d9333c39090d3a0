import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { address, createWorld, member, project } from '../../support/factories.ts'
import { filteredList } from '../../support/filtered-list.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer, other } = world
const rep = await member(world, installer, 'Rita Rep')
const dealersRep = await member(world, dealer, 'Dora Rep')
const foreignRep = await member(world, other, 'Flo Rep')

const sell = async (...sale: Parameters<typeof project>) => (await project(...sale)).projectId
const ada = await sell(installer, { firstName: 'Ada', lastName: 'Moreno', salesRepEmail: rep.email })
const luis = await sell(dealer, {
  firstName: 'Luis',
  salesRepEmail: dealersRep.email,
  address: { ...address, city: 'Fresno' },
})
const mei = await sell(installer, {
  firstName: 'Mei',
  lastName: 'Chen',
  productLine: 'hi',
  salesRepEmail: rep.email,
})
const foreign = await sell(other, { firstName: 'Ada', lastName: 'Moreno' })

const patch = async (id: string, body: object) =>
  assert.equal((await app.call('PATCH', `/v1/projects/${id}`, { key: installer.key, body })).status, 200)
await patch(mei, { installDate: '2026-12-24' })
await patch(luis, { installDate: '2026-12-01' })
await patch(ada, { installDate: '2026-11-30' })
const moved = await app.call('POST', `/v1/projects/${ada}/stage`, {
  key: installer.key,
  body: { stage: 'Design' },
})
assert.equal(moved.status, 200)

const { ids, status } = filteredList(app, '/v1/projects', installer.key)
const stages = (await app.get('/v1/stages', installer.key)).body.data as {
  id: string
  name: string
  productLine: string
}[]
const stageId = (name: string, line = 'solar') =>
  stages.find((stage) => stage.name === name && stage.productLine === line)!.id

test('projects are found by the id or the name of their stage', async () => {
  assert.deepEqual(await ids({ stage: 'design' }), [ada])
  assert.deepEqual(await ids({ stage: stageId('Design') }), [ada])
  assert.deepEqual(await ids({ stage: 'SOLD' }), [luis, mei], 'both ladders have one')
  for (const limit of [1, 2]) {
    assert.deepEqual(await ids({ stage: 'Sold', limit }), [luis, mei])
    assert.deepEqual(await ids({ stage: 'Sold', limit, order: 'asc' }), [mei, luis])
  }
  assert.deepEqual(await ids({ stage: 'Sold', productLine: 'hi' }), [mei])
  assert.deepEqual(await ids({ stage: stageId('Sold', 'hi') }), [mei])
  assert.deepEqual(await ids({ stage: stageId('Sold', 'hi'), productLine: 'solar' }), [])
  assert.deepEqual(await ids({ stage: 'Sold' }, dealer.key), [luis])
  assert.deepEqual(await ids({ stage: 'Sold', companyId: dealer.company.id }), [luis])
  const { body } = await app.get('/v1/projects?stage=Nowhere&productLine=hi', installer.key)
  assert.match(body.error.message, /"Punch List"/)
  assert.doesNotMatch(body.error.message, /"Permitting"/)
  const ofBoth = (await app.get('/v1/projects?stage=Nowhere', installer.key)).body.error.message as string
  assert.equal(ofBoth.split('"Sold"').length, 2)
})

test('projects are found by rep, company, words and the day of their installation', async () => {
  assert.deepEqual(await ids({ salesRep: rep.email }), [ada, mei])
  assert.deepEqual(await ids({ salesRep: rep.id, productLine: 'hi' }), [mei])
  assert.deepEqual(await ids({ salesRep: dealersRep.id }, dealer.key), [luis])
  assert.deepEqual(await ids({ companyId: dealer.company.id }), [luis])
  assert.deepEqual(await ids({ companyId: installer.company.id, limit: 1 }), [ada, mei])
  assert.deepEqual(await ids({ search: 'fresno' }), [luis])
  assert.deepEqual(await ids({ search: 'fresno' }, dealer.key), [luis])
  assert.deepEqual(await ids({ search: 'moreno' }, dealer.key), [])
  assert.deepEqual(await ids({ search: foreign }), [])
  assert.deepEqual(await ids({ search: ada }), [ada])
  assert.deepEqual(await ids({ installDateFrom: '2026-12-01' }), [luis, mei])
  assert.deepEqual(await ids({ installDateTo: '2026-12-01' }), [ada, luis])
  assert.deepEqual(await ids({ installDateFrom: '2026-12-01', installDateTo: '2026-12-01' }), [luis])
  assert.deepEqual(await ids({ installDateFrom: '2026-01-01', limit: 1, order: 'asc' }), [mei, luis, ada])
  assert.deepEqual(await ids({ installDateFrom: '2026-12-01', salesRep: rep.id }), [mei])
  assert.deepEqual(await ids({ installDateFrom: '2026-11-01', stage: 'sold', search: 'chen' }), [mei])
  assert.deepEqual(await ids({ installDateFrom: '2027-01-01' }), [])
  await patch(mei, { installDate: null })
  assert.deepEqual(await ids({ installDateFrom: '2026-12-01' }), [luis])
  const since = (await app.get(`/v1/projects/${ada}`, installer.key)).body.updatedAt
  assert.deepEqual(await ids({ salesRep: rep.id, updatedSince: since }), [mei])
})

test('what is no filter, or names what is not the caller’s, is refused', async () => {
  assert.equal(await status({ installDateFrom: '2026-12-02', installDateTo: '2026-12-01' }), 400)
  assert.equal(await status({ installDateFrom: '12/01/2026' }), 400)
  assert.equal(await status({ status: 'sold' }), 400)
  assert.equal(await status({ stage: '' }), 400)
  const theirs = (await app.get('/v1/stages', other.key)).body.data[0].id
  assert.equal(await status({ stage: theirs }), 404)
  for (const salesRep of [foreignRep.id, foreignRep.email]) assert.equal(await status({ salesRep }), 404)
  assert.equal(await status({ salesRep: rep.id }, dealer.key), 404)
  assert.equal(await status({ companyId: other.company.id }), 404)
  const { next } = (await app.get('/v1/projects?stage=sold&limit=1', installer.key)).body
  assert.equal(await status({ stage: 'sold', limit: 1, cursor: next }), 200)
  assert.equal(await status({ stage: 'design', limit: 1, cursor: next }), 400)
  assert.equal(await status({ limit: 1, cursor: next }), 400)
})
