import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { enableWebhook } from '../../../../src/domain/delivery/webhooks/enable-webhook.ts'
import { sealWebhookSecrets } from '../../../../src/domain/delivery/webhooks/sealed-secrets.ts'
import { migrate } from '../../../../src/platform/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { createWorld, lead, project } from '../../../support/factories.ts'
import { startLaneParts } from '../../../support/webhook-lanes.ts'

const folder = join(import.meta.dirname, '../../../../migrations')
const migration = '000008_webhook_log.sql'

/** As it was before the migration, with records in it that the use cases of today made. */
async function turnBack({ db, rows }: TestDatabase): Promise<void> {
  await db.execute(`drop table webhooks, webhook_cursors, webhook_messages, webhook_deliveries;
    drop function wake_webhooks, queue_job; alter table tenant_clocks drop column messages`)
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, name), 'utf8')
    if (!text.replace(/--.*$/gm, '').includes('webhook')) continue
    if (name < migration) await db.execute(text)
    else await rows('delete from migrations where name = $1', [name])
  }
}

test('what was due stays due under its id, and what was not handed out follows', async () => {
  const database = await createTestDatabase()
  const parts = await startLaneParts(database)
  const { receiver, lanes, handOutAll, deliveries, box } = parts
  const { installer } = await createWorld(database.db)
  const installerId = installer.company.id
  const long = '2026-01-01T00:00:00.000Z'
  const waiting = await lead(installer)
  const { projectId } = await project(installer)
  await turnBack(database)
  await database.rows(
    `insert into webhooks (installer_id, id, company_id, url, events, status, secrets, since, created_at)
     select $1, id, $1, $2 || '/' || status, '{*}', status, '[{"text": "a secret of ours", "own": true, "expiresAt": null}]', $3, $3
     from (values ('we_00000000000000enabled', 'enabled'), ('we_0000000000000disabled', 'disabled')) w(id, status)`,
    [installerId, receiver.url, long],
  )
  await database.rows('insert into webhook_cursors (installer_id, at, ordinal) values ($1, $2, 0)', [
    installerId,
    long,
  ])
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
  assert.ok((await migrate(database.url)).includes(migration))
  // As a start does with what an earlier version kept.
  await sealWebhookSecrets(database.db, box)

  await handOutAll(installerId)
  await lanes().deliver(installerId, 'we_00000000000000enabled')
  const sent = receiver.at('/enabled').map((one) => [one.id, one.message.data.id])
  assert.deepEqual(sent[0], ['dlv_enabled', 'of before'])
  const told = receiver.at('/enabled').map((one) => [one.message.type, one.message.data.id])
  assert.deepEqual(told.slice(1, 2), [['lead.created', waiting]])
  assert.ok(told.some(([type, id]) => type === 'project.created' && id === projectId))
  const [, made] = receiver.at('/enabled')
  assert.equal(made!.message.data.links.record, `http://sunstead.test/leads/${waiting}`)
  assert.equal(made!.message.data.version, Date.parse(made!.message.data.updatedAt))
  const states = (await deliveries({ id: 'we_00000000000000enabled' })).map(({ state }) => state)
  assert.deepEqual(new Set(states), new Set(['delivered']))
  assert.equal(states.length, told.length)

  // Turned on again, it gets what waited for it, and nothing of what happened while nothing was kept.
  await enableWebhook(installer.as(), 'we_0000000000000disabled')
  await lanes().deliver(installerId, 'we_0000000000000disabled')
  assert.deepEqual(
    receiver.at('/disabled').map((one) => one.id),
    ['dlv_disabled'],
  )
})
