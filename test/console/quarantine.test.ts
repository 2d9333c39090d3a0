import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { QuarantinedResponse, QuarantineResponse } from '../../src/api/console/quarantine.ts'
import { newId } from '../../src/platform/ids.ts'
import { type App, startApp } from '../support/app.ts'
import { checkRollUps, energy, send, site } from '../support/energy.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Client = Awaited<ReturnType<typeof signedIn>>

describe('quarantined readings in the console', () => {
  let app: App
  let world: World
  let owner: Client
  let dealer: Client
  let stranger: Client
  let roof: { installation: string; panels: string[] }
  let barn: typeof roof
  const hour = (n: number) => new Date(Date.parse('2026-05-04T12:00:00Z') + n * 3_600_000).toISOString()

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
    dealer = await signedIn(app, await addPerson(app, world.dealer.company.id, 'manager', 'Dora Dealer'))
    stranger = await signedIn(app, await addPerson(app, world.other.company.id, 'owner'))
    roof = await site(app.database, world.installer, 'UTC', 1, 0.4)
    barn = await site(app.database, world.dealer, 'UTC', 1, 0.4)
    for (const { panels } of [roof, barn]) {
      const readings = [0.2, 300, 0.3, 310, 320, 0.1].map((kwh, n) => ({
        panel_id: panels[0]!,
        timestamp: hour(n),
        kwh,
      }))
      assert.equal((await send(app, world.installer.key, readings)).quarantined, 3)
    }
  })

  const list = async (client: Client, query = ''): Promise<QuarantineResponse> => {
    const answer = await client.get(`/quarantine${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const decide = (client: Client, ids: string[], decision: string) =>
    client.call('POST', '/quarantine/decisions', { body: { ids, decision } })
  const total = async (id: string) => {
    const range = { start_date: '2026-05-04', end_date: '2026-05-04', installation_id: id }
    return (await energy(app, world.installer.key, range)).summary.total_kwh
  }

  test('are listed with what is possible and what counts, page by page, to each company its own', async () => {
    const all = await list(owner)
    assert.deepEqual([all.total, all.readings.length, all.next], [6, 6, null])
    const { id, receivedAt, ...first } = (
      await list(owner, `?installation=${roof.installation}`)
    ).readings.at(-1)!
    assert.deepEqual(first, {
      ...{ installationId: roof.installation, installationName: 'Roof', timezone: 'UTC' },
      ...{ panelId: roof.panels[0]!, panelName: 'Panel' },
      ...{ at: hour(1), kwh: 300, maxKwh: 0.52, intervalMinutes: 60, capacityKw: 0.4, standingKwh: null },
    } satisfies Omit<QuarantinedResponse, 'id' | 'receivedAt'>)
    assert.ok(id.startsWith('qrd_') && Date.parse(receivedAt) > 0)
    const found: string[] = []
    for (let after = ''; ; ) {
      const page = await list(owner, `?limit=4${after}`)
      found.push(...page.readings.map((one) => one.id))
      if (page.next === null) break
      after = `&after=${page.next}`
    }
    assert.deepEqual(
      found,
      all.readings.map((one) => one.id),
    )
    assert.deepEqual((await list(dealer)).total, 3)
    assert.deepEqual((await list(dealer, `?installation=${roof.installation}`)).readings, [])
    assert.deepEqual((await list(stranger)).readings, [])
  })

  test('are released and dropped, together and once, and the log tells who did it', async () => {
    const ids = (await list(owner, `?installation=${roof.installation}`)).readings.map(({ id }) => id)
    for (const client of [dealer, stranger]) assert.equal((await decide(client, ids, 'release')).status, 404)
    for (const wrong of [[newId('qrd')], ['x'], [newId('pnl')]])
      assert.equal((await decide(owner, wrong, 'drop')).status, 404)
    for (const body of [{ ids: [], decision: 'drop' }, { ids, decision: 'keep' }, { ids }, {}])
      assert.equal((await owner.call('POST', '/quarantine/decisions', { body })).status, 400)
    assert.equal(await total(roof.installation), 0.6)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => decide(owner, ids.slice(0, 2), 'release')),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404])
    assert.equal(await total(roof.installation), 630.6)
    assert.deepEqual((await decide(owner, [...ids, newId('qrd')], 'drop')).body, { decided: 1 })
    assert.equal(await total(roof.installation), 630.6)
    assert.equal((await list(owner)).total, 3)
    const { entries } = (await owner.get(`/audit?record=${roof.installation}`)).body
    assert.deepEqual(
      entries.map((one: { type: string; changes: { to: string[] }[] }) => [one.type, one.changes[0]!.to]),
      [
        ['installation.readings_dropped', ['Panel, 2026-05-04 13:00 UTC: 300 kWh']],
        [
          'installation.readings_released',
          ['Panel, 2026-05-04 15:00 UTC: 310 kWh', 'Panel, 2026-05-04 16:00 UTC: 320 kWh'],
        ],
      ],
    )
    // A dropped value that is sent again stays dropped; another one waits.
    const again = (kwh: number) =>
      send(app, world.installer.key, [{ panel_id: roof.panels[0]!, timestamp: hour(1), kwh }])
    assert.equal((await again(300)).quarantined, 1)
    assert.equal((await list(owner)).total, 3)
    assert.equal((await again(301)).quarantined, 1)
    assert.equal((await list(owner)).total, 4)
    await checkRollUps(app.database)
  })

  test('of a dealer are decided by its own people', async () => {
    const ids = (await list(dealer)).readings.map(({ id }) => id)
    assert.deepEqual((await decide(dealer, ids, 'drop')).body, { decided: 3 })
    assert.equal((await list(dealer)).total, 0)
    assert.equal(await total(barn.installation), 0.6)
  })
})
