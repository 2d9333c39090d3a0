import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { enableWebhook } from '../../../src/domain/webhooks/enable-webhook.ts'
import { sealWebhookSecrets } from '../../../src/domain/webhooks/sealed-secrets.ts'
import { migrate } from '../../../src/platform/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createWorld, lead } from '../../support/factories.ts'
import { startLaneParts } from '../../support/webhook-lanes.ts'

const folder = join(import.meta.dirname, '../../../migrations')
const migration = '000008_webhook_log.sql'

/**
 * A database as it was before the migration. Of what came after, all that leaves webhooks alone is there already: companies
 * and leads are made by the use cases of today.
 */
async function databaseBefore() {
  const database = await createTestDatabase()
  await database.db.execute('drop schema public cascade; create schema public')
  await database.db.execute(
    'create table migrations (name text primary key, applied_at timestamptz default now())',
  )
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, name), 'utf8')
    if (name >= migration && text.replace(/--.*$/gm, '').includes('webhook')) continue
    await database.db.execute(text)
    await database.rows('insert into migrations (name) values ($1)', [name])
  }
  return database
}

test('what was due stays due under its id, and what was not handed out follows', async () => {
  const database = await databaseBefore()
  const parts = await startLaneParts(database)
  const { receiver, lanes, handOutAll, deliveries, box } = parts
  const { installer } = await createWorld(database.db)
  const installerId = installer.company.id
  const long = '2026-01-01T00:00:00.000Z'
  await database.rows(
    `insert into webhooks (installer_id, id, company_id, url, events, status, secrets, since, created_at)
     select $1, id, $1, $2 || '/' || status, '{*}', status, '[{"text": "a secret of ours", "own": true, "expiresAt": null}]', $3, $3
     from (values ('we_00000000000000enabled', 'enabled'), ('we_0000000000000disabled', 'disabled')) w(id, status)`,
    [installerId, receiver.url, long],
  )
  await database.rows(
    'insert into webhook_cursors (installer_id, at, ordinal) select $1, now, 0 from tenant_clocks where installer_id = $1',
    [installerId],
  )
  await database.rows(
    'insert into webhook_messages (installer_id, event_at, event_ordinal, for_dealer, body) values ($1, $2, 0, false, $3)',
    [
      installerId,
      long,
      '{"type":"lead.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"id":"of before"}}',
    ],
  )
  await database.rows(
    `insert into webhook_deliveries (installer_id, webhook_id, id, event_at, event_ordinal, for_dealer, type, state, next_attempt_at, created_at)
     select $1, id, 'dlv_' || status, $2, 0, false, 'lead.created', 'due', $2, $2 from webhooks`,
    [installerId, long],
  )
  const waiting = await lead(installer)
  assert.ok((await migrate(database.url)).includes(migration))
  // As a start does with what an earlier version kept.
  await sealWebhookSecrets(database.db, box)

  await handOutAll(installerId)
  await lanes().deliver(installerId, 'we_00000000000000enabled')
  const sent = receiver.at('/enabled').map((one) => [one.id, one.message.data.id])
  assert.equal(sent.length, 2)
  assert.deepEqual(sent[0], ['dlv_enabled', 'of before'])
  assert.equal(sent[1]![1], waiting)
  const states = (await deliveries({ id: 'we_00000000000000enabled' })).map(({ state }) => state)
  assert.deepEqual(states, ['delivered', 'delivered'])

  // Turned on again, it gets what waited for it, and nothing of what happened meanwhile.
  await enableWebhook(installer.as(), 'we_0000000000000disabled')
  await lanes().deliver(installerId, 'we_0000000000000disabled')
  assert.deepEqual(
    receiver.at('/disabled').map((one) => one.id),
    ['dlv_disabled'],
  )
})
