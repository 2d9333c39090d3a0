import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createClient, verifyWebhook, WebhookError, type WebhookRefusal } from '../../sdk/src/index.ts'
import { lead } from '../support/factories.ts'
import { startWebhookApp } from '../support/webhook-app.ts'

const { app, world, receiver, register } = await startWebhookApp()
const client = createClient({ key: world.installer.key, baseUrl: app.url })

async function refusal(message: Parameters<typeof verifyWebhook>[0]): Promise<WebhookRefusal> {
  const error = await verifyWebhook(message).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof WebhookError, String(error))
  return error.reason
}

test('what the server sends is believed, and nothing that was altered, is old, or by another secret', async () => {
  const hook = await register(world.installer, ['lead.created'])
  const id = await lead(world.installer)
  const { headers, body } = (await receiver.arrived(hook.path, 1))[0]!
  const message = { headers, body, secrets: hook.secret }
  const verified = await verifyWebhook(message)
  assert.ok(verified.event.type === 'lead.created' && verified.event.data.id === id)
  assert.equal(verified.id, headers['webhook-id'])
  await verifyWebhook({ ...message, headers: new Headers(headers), body: new TextEncoder().encode(body) })
  await verifyWebhook({
    ...message,
    headers: {
      'Webhook-Id': [headers['webhook-id']!],
      'Webhook-Timestamp': headers['webhook-timestamp'],
      'Webhook-Signature': headers['webhook-signature'],
    },
  })

  assert.equal(
    await refusal({ ...message, body: body.replace('lead.created', 'lead.deleted') }),
    'bad_signature',
  )
  assert.equal(await refusal({ ...message, headers: { ...headers, 'webhook-id': 'evt_1' } }), 'bad_signature')
  assert.equal(await refusal({ ...message, secrets: 'whsec_b3RoZXI=' }), 'bad_signature')
  for (const signature of ['v1,', 'v1,%%%', 'v2,AAAA', 'x'.repeat(10_000)])
    assert.equal(
      await refusal({ ...message, headers: { ...headers, 'webhook-signature': signature } }),
      'bad_signature',
    )
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.equal(await refusal({ ...message, headers: { ...headers, [name]: undefined } }), 'missing_headers')
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000)
  assert.equal(await refusal({ ...message, now: at(1000) }), 'too_old')
  assert.equal(await refusal({ ...message, now: at(-1000) }), 'too_new')
  await verifyWebhook({ ...message, now: at(1000), toleranceSeconds: 2000 })
  await assert.rejects(verifyWebhook({ ...message, secrets: [] }), TypeError)
  await assert.rejects(verifyWebhook({ ...message, secrets: '' }), TypeError)
})

test('while a secret is rotated, either is enough; an own secret that looks like a made one holds', async () => {
  const own = 'whsec_bXkgb3duIHNlY3JldCBvZiBvbGQ='
  const hook = await register(world.installer, ['lead.created'], { secret: own })
  const { secret } = await client.catalog.webhooks.rotateSecret(hook.id, { grace_hours: 1 })
  await lead(world.installer)
  const { headers, body } = (await receiver.arrived(hook.path, 1))[0]!
  for (const secrets of [own, secret, [own, secret], ['whsec_b3RoZXI=', secret]])
    await verifyWebhook({ headers, body, secrets })
})

test('what the library of Standard Webhooks signs is believed', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const now = new Date()
  const body = '{"type":"lead.created","timestamp":"","data":{}}'
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  }
  await verifyWebhook({ headers, body, secrets: ['another', secret] })
  const other = new Webhook(secret).sign('evt_1', now, 'no json')
  const wrong = { headers: { ...headers, 'webhook-signature': other }, body: 'no json', secrets: secret }
  assert.equal(await refusal(wrong), 'bad_body')
})
