import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setRoleDefaults } from '../../src/platform/pooler.ts'
import { startApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWorld, project } from '../support/factories.ts'
import { noPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const address = { line1: '1 Market St', city: 'San Diego', state: 'CA', postalCode: '92101' }

test('through PgBouncer in transaction mode', { skip: noPgBouncer }, async (t) => {
  const database = await createTestDatabase()
  const pooler: PgBouncer = await startPgBouncer(database.url)
  after(async () => {
    await pooler.kill()
    await database.drop()
  })
  // Hosts that start at once set the role together.
  await Promise.all(Array.from({ length: 6 }, () => setRoleDefaults(pooler.url, database.url, 120_000)))
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const app = await startApp({
    database,
    env: {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
      OUTBOUND_TRUSTED_HOSTS: receiver.host,
    },
    outside: { ca: receiver.ca },
  })
  const world = await createWorld(database.db)
  const { key } = world.installer

  await t.test('its connections have the settings that ours have', async () => {
    const rows = await app.server.deps.db.query<Record<string, string>>(
      {
        text: `select current_setting('timezone') as zone, current_setting('plan_cache_mode') as plans,
          current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as parallel,
          current_setting('statement_timeout') as statement`,
      },
      [],
    )
    assert.deepEqual(rows, [
      { zone: 'UTC', plans: 'force_generic_plan', jit: 'off', parallel: '0', statement: '2min' },
    ])
  })

  await t.test('many write and read at once, and each reads what it wrote', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const body = { firstName: 'Pool', lastName: String(i), externalId: `pooled-${i}`, address }
        const created = await app.call('POST', '/v1/leads', { key, body })
        assert.equal(created.status, 201, created.text)
        const read = await app.get(`/v1/leads/${created.body.leadId}`, key)
        assert.equal(read.body.customer.lastName, String(i))
        assert.match(read.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      }),
    )
    const { body } = await app.get('/v1/leads?limit=100', key)
    assert.equal(new Set(body.data.map(({ id }: { id: string }) => id)).size, body.data.length)
  })

  await t.test('moves and deliveries go on as without it', async () => {
    const { status, body, text } = await app.call('POST', '/catalog/v1/webhooks', {
      key,
      body: { url: `${receiver.url}/pooled`, events: ['project.stage_changed'] },
    })
    assert.equal(status, 201, text)
    assert.ok(body.id)
    const { projectId } = await project(world.installer)
    const moved = await app.call('POST', `/v1/projects/${projectId}/stage`, { key, body: { stage: 'PTO' } })
    assert.equal(moved.status, 200, moved.text)
    const [told] = await receiver.arrived('/pooled', 1)
    assert.equal(told!.message.type, 'project.stage_changed')
  })

  await t.test('while it is away calls are 503, and pass again when it is back', async () => {
    await pooler.kill()
    const refused = await app.get('/v1/leads', key)
    assert.equal(refused.status, 503)
    await pooler.start()
    for (let status = 503; status !== 200; ) {
      status = (await app.get('/v1/leads', key)).status
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const body = { firstName: 'After', lastName: 'Wards', address }
    assert.equal((await app.call('POST', '/v1/leads', { key, body })).status, 201)
  })
  await app.stop()
})

test('a pooler that leads elsewhere or mixes statements up is told at the start', {
  skip: noPgBouncer,
}, async (t) => {
  const database = await createTestDatabase()
  const other = await createTestDatabase()
  const pooler = await startPgBouncer(database.url, 0)
  t.after(async () => {
    await pooler.kill()
    await database.drop()
    await other.drop()
  })
  await assert.rejects(setRoleDefaults(pooler.url, database.url, 120_000), /max_prepared_statements/)
  await assert.rejects(setRoleDefaults(pooler.url, other.url, 120_000), /different databases/)
})
