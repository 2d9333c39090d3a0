import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { startApp } from '../../support/app.ts'
import { checkRollUps, energy, send, boundlessSite as site } from '../../support/energy.ts'
import { createWorld } from '../../support/factories.ts'

// Two servers over one database: what one process keeps in order must hold between processes too.
const one = await startApp()
const two = await startApp({ database: one.database })
const { installer, dealer, other } = await createWorld(one.database.db)
const hour = (i: number) => new Date(Date.UTC(2026, 4, 1) + i * 3_600_000).toISOString()

test('the same readings sent by many at once count once', async () => {
  const roof = await site(one.database, installer, 'America/Los_Angeles', 5)
  const wing = await site(one.database, dealer, 'Europe/Berlin', 5)
  const panels = [...roof.panels, ...wing.panels]
  const readings = panels.flatMap((panel_id) =>
    Array.from({ length: 100 }, (_, i) => ({ panel_id, timestamp: hour(i), kwh: 0.5 })),
  )
  // Each in another order, so that locks taken as they come would stand in each other's way.
  const orders = Array.from({ length: 12 }, (_, i) => [
    ...readings.slice(i * 80),
    ...readings.slice(0, i * 80),
  ])
  const taken = await Promise.all(orders.map((order, i) => send(i % 2 ? one : two, installer.key, order)))
  for (const { accepted, updated, rejected } of taken)
    assert.deepEqual([accepted, updated, rejected], [1000, 0, []])
  await checkRollUps(one.database)
  const range = { start_date: '2026-04-30', end_date: '2026-05-06' }
  const whole = await energy(one, installer.key, { ...range, installation_id: roof.installation })
  assert.equal(whole.summary.total_kwh, 250)
  assert.equal((await energy(two, installer.key, range)).summary.total_kwh, 500)
})

test('different values sent at once: one of them stands, in every sum', async () => {
  const roof = await site(one.database, installer, 'Asia/Kolkata', 4)
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      send(
        n % 2 ? one : two,
        installer.key,
        roof.panels.flatMap((panel_id) =>
          Array.from({ length: 30 }, (_, i) => ({ panel_id, timestamp: hour(i), kwh: 1 + n / 7 })),
        ),
      ),
    ),
  )
  await checkRollUps(one.database)
})

test('while a tenant’s installation is held, that tenant waits and no other does', async () => {
  const held = await site(one.database, installer, 'America/Los_Angeles')
  const free = await site(one.database, other, 'America/Los_Angeles')
  const holder = new pg.Client({ connectionString: one.database.url })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from installations where installer_id = $1 and id = $2 for update', [
    installer.company.id,
    held.installation,
  ])
  const reading = (panel_id: string, i: number) => [{ panel_id, timestamp: hour(i), kwh: 1 }]
  let done = 0
  const waiting = Array.from({ length: 30 }, (_, i) =>
    send(one, installer.key, reading(held.panels[0]!, i)).then(() => done++),
  )
  // Were they to wait, they would do so until the holder lets go, or be told that the server is busy.
  for (let i = 0; i < 10; i++) await send(one, other.key, reading(free.panels[0]!, i))
  assert.equal(done, 0)
  await holder.query('rollback')
  await holder.end()
  await Promise.all(waiting)
  assert.equal(done, 30)
  await checkRollUps(one.database)
})
