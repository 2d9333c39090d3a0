import assert from 'node:assert/strict'
import { test } from 'node:test'
import { turnOffWebhook } from '../../../src/domain/delivery/webhooks/turn-off-webhook.ts'
import { lead } from '../../support/factories.ts'
import { type Hook, startWebhookApp } from '../../support/webhook-app.ts'

const { app, world, receiver, register, post } = await startWebhookApp()
const { installer } = world

const messagesAt = (hook: Hook) => receiver.at(hook.path).map((one) => one.message)
const turnOff = (hook: Hook) => turnOffWebhook(installer.as(), hook.id)
const turnOn = async (hook: Hook) => {
  const { status, text } = await post(`/${hook.id}/enable`)
  assert.equal(status, 200, text)
}
const slowly = (hook: Hook, ms: number) =>
  receiver.behave(hook.path, (response) => {
    setTimeout(() => response.writeHead(204).end(), ms)
  })
const told = (hook: Hook) => messagesAt(hook).map(({ data }) => data.customer.firstName as string)
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `N${from + i}`)
const create = async (from: number, to: number) => {
  for (const firstName of names(from, to)) await lead(installer, { firstName })
}
const statusOf = async (hook: Hook) =>
  app.database.rows<{ status: string }>('select status from webhooks where id = $1', [hook.id])

test('turned off and on while a backlog waits: nothing is lost, nothing comes twice, and what waited is in order', async () => {
  const hook = await register(installer, ['lead.created'])
  await turnOff(hook)
  await create(0, 30)
  slowly(hook, 15)
  let made = 30
  const waited = new Set(names(0, made))
  for (let round = 1; round <= 4; round++) {
    await turnOn(hook)
    // Some of what waits has gone out, and more comes while it does.
    await receiver.arrived(hook.path, round * 4)
    await create(made, made + 3)
    made += 3
    await turnOff(hook)
    const [{ status }] = (await statusOf(hook)) as [{ status: string }]
    assert.equal(status, 'disabled')
    await create(made, made + 2)
    for (const name of names(made, made + 2)) waited.add(name)
    made += 2
  }
  await turnOn(hook)
  await receiver.until(() => new Set(told(hook)).size === made, `all ${made} have arrived`, 60_000)
  // What was on its way when it was turned off was answered, and is not sent again.
  assert.deepEqual(told(hook).toSorted(), names(0, made).toSorted())
  // What waited comes one by one; what was new while it was on, where all that waited had gone out, may overtake.
  assert.deepEqual(
    told(hook).filter((name) => waited.has(name)),
    [...waited],
  )
  const ids = receiver.at(hook.path).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('turned on and off by several at once, it ends in one of both, and keeps what it has to tell', async () => {
  const hook = await register(installer, ['lead.created'])
  await turnOff(hook)
  await create(0, 6)
  slowly(hook, 5)
  await Promise.all([turnOn(hook), turnOff(hook), turnOn(hook), turnOff(hook), turnOn(hook)])
  await turnOn(hook)
  await receiver.until(() => new Set(told(hook)).size === 6, 'all six have arrived')
  assert.deepEqual(told(hook), names(0, 6))
})

test('deleted while a backlog waits: it is told nothing more, and others are told everything', async () => {
  const [gone, stays] = [
    await register(installer, ['lead.created']),
    await register(installer, ['lead.created']),
  ]
  await turnOff(gone)
  await turnOff(stays)
  await create(0, 20)
  // The third is on its way for as long as it is there.
  receiver.behave(gone.path, (response) => {
    if (told(gone).length < 3) response.writeHead(204).end()
  })
  await turnOn(gone)
  await turnOn(stays)
  await receiver.arrived(gone.path, 3)
  const removed = await app.call('DELETE', `/catalog/v1/webhooks/${gone.id}`, { key: installer.key })
  assert.equal(removed.status, 204)
  await create(20, 23)
  await receiver.until(() => told(stays).length === 23, 'the other is told everything')
  // What waited comes one by one; what is new of other records may overtake.
  const waited = new Set(names(0, 20))
  assert.deepEqual(
    told(stays).filter((name) => waited.has(name)),
    names(0, 20),
  )
  assert.deepEqual(
    told(stays)
      .filter((name) => !waited.has(name))
      .sort(),
    names(20, 23),
  )
  assert.deepEqual(told(gone), names(0, 3))
  for (const path of ['enable', 'redeliver'])
    assert.equal(
      (await post(`/${gone.id}/${path}`, path === 'enable' ? undefined : { since: '2026-01-01T00:00:00Z' }))
        .status,
      404,
    )
  const shown = await app.call('GET', `/catalog/v1/webhooks/${gone.id}/deliveries`, { key: installer.key })
  assert.equal(shown.status, 404)
})
