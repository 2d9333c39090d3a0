import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateMember } from '../../../src/domain/tenants/members/update-member.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, member } from '../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { db } = app.database
const { installer, dealer, sister, other } = world
const owner = await member(world, installer, 'Olive Owner', 'owner')
const rep = await member(world, dealer, 'Rita Rep')
const setter = await member(world, sister, 'Sam Setter', 'setter')
const gone = await member(world, installer, 'Gus Gone', 'manager')
await updateMember(db, new Date(), installer.company.id, gone.id, { active: false })
const foreign = await member(world, other, 'Flo Foreign')

async function list(key: string, query = ''): Promise<{ id: string }[]> {
  const rows: { id: string }[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { body, status, text } = await app.get(`/v1/members?${query}${next ? `&cursor=${next}` : ''}`, key)
    assert.equal(status, 200, text)
    rows.push(...body.data)
    next = body.next
  }
  return rows
}

test('an installer lists its own members and its dealers’, with every field, as they were added', async () => {
  const rows = await list(installer.key)
  assert.deepEqual(
    rows.map(({ id }) => id),
    [owner.id, rep.id, setter.id, gone.id],
  )
  assert.deepEqual(rows[1], {
    id: rep.id,
    companyId: dealer.company.id,
    name: 'Rita Rep',
    email: rep.email,
    phone: '+1 619 555 0188',
    role: 'rep',
    active: true,
  })
  assert.deepEqual(
    rows.map((row) => (row as unknown as { active: boolean }).active),
    [true, true, true, false],
  )
  for (const limit of [1, 2, 3]) assert.deepEqual(await list(installer.key, `limit=${limit}`), rows)
})

test('a dealer lists its own, a foreign company its own', async () => {
  assert.deepEqual(
    (await list(dealer.key)).map(({ id }) => id),
    [rep.id],
  )
  assert.deepEqual(
    (await list(other.key)).map(({ id }) => id),
    [foreign.id],
  )
})

test('one company’s members are asked for by its id', async () => {
  const of = (id: string) => `companyId=${id}`
  assert.deepEqual(
    (await list(installer.key, of(sister.company.id))).map(({ id }) => id),
    [setter.id],
  )
  assert.deepEqual(
    (await list(installer.key, of(installer.company.id))).map(({ id }) => id),
    [owner.id, gone.id],
  )
  assert.deepEqual(
    (await list(dealer.key, of(dealer.company.id))).map(({ id }) => id),
    [rep.id],
  )
  for (const id of [sister.company.id, installer.company.id, other.company.id, 'nobody'])
    assert.equal((await app.get(`/v1/members?${of(id)}`, dealer.key)).status, 404)
})

test('a cursor is bound to its list, fields and company', async () => {
  const { next } = (await app.get('/v1/members?limit=1', installer.key)).body
  assert.equal((await app.get(`/v1/members?limit=1&cursor=${next}`, installer.key)).status, 200)
  assert.equal((await app.get(`/v1/members?limit=2&cursor=${next}`, installer.key)).status, 400)
  assert.equal((await app.get(`/v1/members?limit=1&cursor=${next}`, other.key)).status, 400)
  assert.equal((await app.get(`/v1/leads?limit=1&cursor=${next}`, installer.key)).status, 400)
  assert.equal((await app.get(`/v1/members?limit=1&cursor=x${next.slice(1)}`, installer.key)).status, 400)
})
