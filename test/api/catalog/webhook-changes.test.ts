import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyFor, lead } from '../../support/factories.ts'
import { startWebhookApp } from '../../support/webhook-app.ts'
import { verify } from '../../support/webhook-receiver.ts'

const { app, world, receiver, register, record } = await startWebhookApp()
const { installer, dealer, sister, other } = world
const { key } = installer
const path = '/catalog/v1/webhooks'
const patch = (id: string, body: unknown, as = key) => app.call('PATCH', `${path}/${id}`, { key: as, body })

test('address, events and status change together or each by itself; the secret stays', async () => {
  const hook = await register(installer, ['panel.created'])
  const { status, body } = await patch(hook.id, { events: ['lead.created', 'lead.created'] })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...(await record(hook)), events: ['lead.created'] })
  assert.equal('secret' in body, false)
  await lead(installer)
  const [told] = await receiver.arrived(hook.path, 1)
  assert.equal(told!.message.type, 'lead.created')
  verify(told!, hook.secret)
  const moved = await patch(hook.id, { url: `${receiver.url}/moved`, events: ['*'], status: 'disabled' })
  assert.deepEqual(
    [moved.body.url, moved.body.events, moved.body.status],
    [`${receiver.url}/moved`, ['*'], 'disabled'],
  )
  assert.equal((await record(hook)).url, moved.body.url)
  await lead(installer)
  const again = await patch(hook.id, { status: 'enabled' })
  assert.equal(again.body.status, 'enabled')
  const [later] = await receiver.arrived('/moved', 1)
  assert.equal(later!.message.type, 'lead.created')
  assert.deepEqual((await patch(hook.id, {})).body.status, 'enabled')
  assert.deepEqual((await patch(hook.id, { status: 'enabled' })).body.url, `${receiver.url}/moved`)
})

test('what is wrong is 400 and changes nothing', async () => {
  const hook = await register()
  const before = await record(hook)
  for (const body of [
    { url: 'http://example.com/' },
    { url: 'https://127.0.0.1/', status: 'disabled' },
    { url: '' },
    { url: null },
    { events: [] },
    { events: ['panel.broken'] },
    { events: 'lead.created' },
    { status: 'off' },
    { status: null },
    { secret: 'a-secret-of-my-own' },
    { description: 'Ours' },
    [],
    'x',
  ])
    assert.equal((await patch(hook.id, body)).status, 400, JSON.stringify(body))
  assert.deepEqual(await record(hook), before)
})

test('a dealer changes its own, its installer too, and nobody else', async () => {
  const hook = await register(dealer)
  for (const { key: stranger } of [sister, other])
    assert.equal((await patch(hook.id, { status: 'disabled' }, stranger)).status, 404)
  const installers = await register()
  assert.equal((await patch(installers.id, { status: 'disabled' }, dealer.key)).status, 404)
  assert.equal((await patch(hook.id, { status: 'disabled' }, dealer.key)).status, 200)
  assert.equal((await patch(hook.id, { status: 'enabled' })).status, 200)
  for (const id of ['nonsense', 'we_00000000000000000000000000'])
    assert.equal((await patch(id, { status: 'enabled' })).status, 404)
  const readOnly = (await keyFor(world, installer, { access: 'read' })).secret
  assert.equal((await patch(hook.id, { status: 'enabled' }, readOnly)).status, 403)
  const nobody = await app.call('PATCH', `${path}/${hook.id}`, { body: {} })
  assert.equal(nobody.status, 401)
})
