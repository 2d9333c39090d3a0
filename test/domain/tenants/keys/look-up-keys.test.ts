import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createKeys } from '../../../../src/domain/tenants/keys/authenticate.ts'
import { revokeKey } from '../../../../src/domain/tenants/keys/end-key.ts'
import type { Db } from '../../../../src/platform/db.ts'
import { createTestDatabase } from '../../../support/database.ts'
import { createWorld, keyFor } from '../../../support/factories.ts'

const database = await createTestDatabase()
after(() => database.drop())
const world = await createWorld(database.db)
const { installer, dealer } = world

/** A server's keys, with how many statements they have cost. */
function counted() {
  const cost = { statements: 0 }
  const db: Db = {
    query(statement, values) {
      cost.statements++
      return database.db.query(statement, values)
    },
  }
  const keys = createKeys(db)
  const ask = async (secret: string, from: string) =>
    keys.authenticate(secret, () => from, new Date()) as Promise<unknown>
  return { cost, ask }
}

const wrongKey = () => `psk_${randomBytes(20).toString('hex')}`
const attacker = '203.0.113.9'

test('a flood of wrong keys costs a few statements, and a key made meanwhile works at once from anywhere', async () => {
  const { cost, ask } = counted()
  const answered = { wrong: 0, later: 0 }
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const owner = await ask(wrongKey(), attacker).catch((error: Error) => error)
        if (owner instanceof Error) {
          assert.match(owner.message, /Try again in a second/)
          answered.later++
        } else {
          assert.equal(owner, null)
          answered.wrong++
        }
      }),
    )
  await flood(100)
  const flooding = flood(3_000)
  const { secret, key } = await keyFor(world, installer)
  const elsewhere = await keyFor(world, dealer)
  // The attacker's own network, an office that shares it, and another one.
  assert.ok(await ask(elsewhere.secret, '198.51.100.7'))
  await flooding
  assert.ok(await ask(secret, attacker))
  assert.equal(answered.wrong + answered.later, 3_100)
  assert.ok(answered.later > 0, 'what waits is bounded')
  assert.ok(cost.statements < 40, `${cost.statements} statements`)

  // What is known to be good goes by the quick way from there too, and is still refused once revoked.
  const again = flood(1_000)
  assert.ok(await ask(secret, attacker))
  await revokeKey(database.db, new Date(), key.id)
  await again
  await new Promise((resolve) => setTimeout(resolve, 600))
  assert.equal(await ask(secret, attacker), null)
})

test('the same wrong key again and again costs one statement in half a second', async () => {
  const { cost, ask } = counted()
  const secret = wrongKey()
  for (let i = 0; i < 50; i++) assert.equal(await ask(secret, attacker), null)
  assert.ok(cost.statements <= 3, `${cost.statements} statements`)
})

test('a few mistakes slow nobody down, in IPv6 a whole network counts as one', async () => {
  const { cost, ask } = counted()
  for (let i = 0; i < 20; i++) assert.equal(await ask(wrongKey(), '2001:db8::1'), null)
  const begun = cost.statements
  const many = Array.from({ length: 200 }, (_, i) => ask(wrongKey(), `2001:db8::${i.toString(16)}`))
  assert.deepEqual(new Set(await Promise.all(many)), new Set([null]))
  assert.ok(cost.statements - begun <= 6, `${cost.statements - begun} statements`)
})
