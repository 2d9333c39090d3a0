import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world

test('a key says whose it is and what it may', async () => {
  const { body } = await app.get('/v1/me', installer.key)
  assert.match(body.key.id, /^key_/)
  assert.deepEqual(body, {
    key: {
      id: body.key.id,
      name: 'Sunrise Solar CRM',
      prefix: installer.key.slice(0, 12),
      scopes: { access: 'full', interfaces: ['company', 'legacy', 'catalog'], proposes: false },
      agent: null,
      expiresAt: null,
    },
    company: {
      id: installer.company.id,
      name: 'Sunrise Solar',
      kind: 'installer',
      orgId: installer.company.number,
      timezone: 'America/Denver',
    },
  })
})

test('so does one of a dealer, that reads only, and ends', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000)
  const { secret, key } = await keyFor(world, dealer, { access: 'read', interfaces: ['company'], expiresAt })
  const { body } = await app.get('/v1/me', secret)
  assert.deepEqual(body.key, {
    id: key.id,
    name: 'Another',
    prefix: secret.slice(0, 12),
    scopes: { access: 'read', interfaces: ['company'], proposes: false },
    agent: null,
    expiresAt: expiresAt.toISOString(),
  })
  assert.equal(body.company.kind, 'dealer')
  assert.equal(body.company.id, dealer.company.id)
  assert.equal(body.company.orgId, dealer.company.number)
})
