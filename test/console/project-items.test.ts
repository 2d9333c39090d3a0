import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Equipment } from '../../src/domain/catalogue/equipment.ts'
import { moveStage } from '../../src/domain/deals/projects/move-stage.ts'
import { type App, startApp } from '../support/app.ts'
import { adder, createWorld, equipment, project, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'

type Caller = Awaited<ReturnType<typeof signedIn>>

describe('a project’s system or products after the sale', () => {
  let app: App
  let world: World
  const as: Record<string, Caller> = {}
  let panel: Equipment
  let inverter: Equipment
  let charger: { id: string }
  let siding: { id: string }

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer, dealer, other } = world
    for (const role of ['owner', 'admin', 'manager', 'rep', 'surveyor'] as const)
      as[role] = await signedIn(app, await addPerson(app, installer.company.id, role))
    as.dealerOwner = await signedIn(app, await addPerson(app, dealer.company.id, 'owner'))
    as.stranger = await signedIn(app, await addPerson(app, other.company.id, 'owner'))
    const shared = { manufacturer: 'REC', default: false, warrantyYears: 25 }
    const none = { efficiencyPercent: null }
    panel = await equipment(installer, 1, {
      ...shared,
      ...none,
      kind: 'panel',
      model: 'Alpha 450',
      watts: '450',
    })
    inverter = await equipment(installer, 2, {
      ...shared,
      ...none,
      kind: 'inverter',
      manufacturer: 'SolarEdge',
      model: 'SE10000',
      ratedOutputWatts: '10000',
      microinverter: false,
    })
    charger = await adder(installer, 1, { name: 'EV charger', unit: 'each', unitPrice: '1200.00' })
    siding = await adder(installer, 2, {
      name: 'Siding',
      unit: 'perSquareFoot',
      unitPrice: '11.50',
      productLine: 'hi',
    })
  })

  const price = (who: string, id: string, body: object) =>
    as[who]!.call('POST', `/projects/${id}/items/price`, { body })
  const change = (who: string, id: string, body: object) =>
    as[who]!.call('PUT', `/projects/${id}/items`, { body })
  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  const feed = async (leadId: string) =>
    (await app.get(`/v1/leads/${leadId}/activities`, world.installer.key)).body.data

  /** What was sold, as it was sold. */
  const asSold = {
    system: {
      panels: { id: null, count: 21 },
      inverters: { id: null, count: 21 },
      batteries: { id: null, count: 2 },
    },
    kept: ['Main panel upgrade', 'Trenching'],
    perWatt: '2.95',
  }

  test('another system is priced by the catalogue, and the contract may keep its price', async () => {
    const { projectId, leadId } = await project(world.installer)
    const body = {
      system: {
        panels: { id: panel.id, count: 24 },
        inverters: { id: inverter.id, count: 1 },
        adders: [{ id: charger.id, quantity: 2 }],
      },
      kept: ['Main panel upgrade'],
      perWatt: '3',
    }
    const priced = await price('owner', projectId, body)
    assert.equal(priced.status, 200, priced.text)
    assert.equal(priced.body.sizeKw, '10.8')
    // 10,800 W at $3, the upgrade as it was sold, and two chargers.
    assert.equal(priced.body.computed, '37300.00')
    // What 8.4 kW were expected to make, in the measure of 10.8 kW.
    assert.equal(priced.body.annualProductionKwh, '16265')

    const before = await read(projectId)
    assert.deepEqual((await change('owner', projectId, body)).body, { changed: true })
    const after = await read(projectId)
    assert.equal(after.contract.price, 28728.5)
    assert.equal(after.system.sizeKw, 10.8)
    assert.equal(after.system.panels.count, 24)
    assert.equal(after.system.batteries, null)
    assert.deepEqual(
      after.system.adders.map(({ name }: { name: string }) => name),
      ['Main panel upgrade', 'EV charger'],
    )
    assert.ok(after.updatedAt > before.updatedAt)
    const legacy = await app.get(`/legacy/fetch_project?id=${projectId}`, world.installer.key)
    assert.match(legacy.text, /Alpha 450/)
    const [latest] = await feed(leadId)
    assert.match(latest.body, /^Project changed: size \(kW\) from 8\.4 to 10\.8; panels from 21 × Qcells/)
    assert.match(latest.body, /batteries from 2 × Tesla Powerwall 3 to none/)
    assert.doesNotMatch(latest.body, /contract price/)

    const taken = await change('manager', projectId, { ...body, newPrice: '37300.00' })
    assert.deepEqual(taken.body, { changed: true })
    assert.equal((await read(projectId)).contract.price, 37300)
    assert.equal((await read(projectId)).system.pricePerWatt.final, 3.4537)
    assert.match((await feed(leadId))[0].body, /contract price from \$28,728\.50 to \$37,300\.00$/)
  })

  test('what is as it was changes nothing', async () => {
    const { projectId } = await project(world.installer)
    const before = await read(projectId)
    assert.deepEqual((await change('owner', projectId, asSold)).body, { changed: false })
    assert.deepEqual(await read(projectId), before)
  })

  test('what the catalogue has no more stays, in another number', async () => {
    const { projectId } = await project(world.installer)
    const system = { ...asSold.system, panels: { id: null, count: 42 } }
    const body = { ...asSold, system, kept: [], perWatt: null }
    assert.deepEqual((await change('admin', projectId, body)).body, { changed: true })
    const after = await read(projectId)
    assert.equal(after.system.sizeKw, 16.8)
    assert.equal(after.system.panels.model, 'Q.TRON 400')
    assert.equal(after.system.annualProductionKwh, 25301)
    assert.deepEqual(after.system.adders, [])
  })

  test('products are changed the same way', async () => {
    const { projectId, leadId } = await project(world.installer, { productLine: 'hi' })
    const body = { products: [{ id: siding.id, quantity: 800 }], kept: ['Roof'] }
    assert.equal((await price('owner', projectId, body)).body.computed, '24200.00')
    assert.deepEqual((await change('owner', projectId, { ...body, newPrice: '24200' })).body, {
      changed: true,
    })
    const { products, contract } = await read(projectId)
    assert.deepEqual(
      products.map(({ name, price }: { name: string; price: number }) => [name, price]),
      [
        ['Roof', 15000],
        ['Siding', 9200],
      ],
    )
    assert.equal(contract.price, 24200)
    assert.match((await feed(leadId))[0].body, /products from .*Gutters.* to .*Siding × 800 \(\$9,200\.00\)/)
  })

  test('what is built keeps its panels', async () => {
    const { projectId } = await project(world.installer)
    await moveStage(world.installer.as(), projectId, 'Installed')
    const { installationId } = (await as.owner!.get(`/projects/${projectId}`)).body
    const installation = async () =>
      (await app.get(`/catalog/v1/installations/${installationId}`, world.installer.key)).body
    const before = await installation()
    const system = { ...asSold.system, panels: { id: panel.id, count: 5 } }
    assert.deepEqual((await change('owner', projectId, { ...asSold, system })).body, { changed: true })
    assert.deepEqual(await installation(), before)
  })

  test('refuses what cannot be, saying what to change', async () => {
    const { projectId } = await project(world.installer)
    const { projectId: bare } = await project(world.installer, { productLine: 'hi' })
    const { system } = asSold
    for (const [id, body, message] of [
      [projectId, { ...asSold, newPrice: '1.00' }, /it is now \$27280\.00, not \$1\.00/],
      [projectId, { ...asSold, perWatt: null, newPrice: '1.00' }, /Price per watt is required/],
      [projectId, { ...asSold, kept: ['Gold plating'] }, /"Gold plating" was not sold/],
      [projectId, { system: { ...system, panels: { id: 'eqp_no', count: 3 } } }, /no active panel "eqp_no"/],
      [projectId, { system: { ...system, panels: { id: inverter.id, count: 3 } } }, /no active panel/],
      [
        projectId,
        { system: { ...system, adders: [{ id: siding.id, quantity: 1 }] } },
        /no active solar adder/,
      ],
      [
        projectId,
        { system: { ...system, panels: { id: panel.id, count: 10_000 } }, perWatt: '9999' },
        /more than \$/,
      ],
      [projectId, { products: [{ id: siding.id, quantity: 1 }] }, /solar project/],
      [bare, { system }, /home-improvement project/],
      [bare, { products: [] }, /at least one/],
      [bare, { products: [{ id: charger.id, quantity: 1 }] }, /no active product/],
      [bare, { products: [{ id: siding.id, quantity: 1 }], perWatt: '3' }, /only a solar system/],
      [projectId, { system: { ...system, panels: { id: null, count: 0 } } }, /Number of panels/],
      [projectId, { ...asSold, perWatt: 'x' }, /Price per watt/],
      [projectId, { ...asSold, more: 1 }, /out of date/],
      [projectId, { ...asSold, kept: ['\u0000'] }, /NUL/],
      [projectId, {}, /solar project/],
    ] as const) {
      const { status, body: answer, text } = await change('owner', id, body)
      assert.equal(status, 400, text)
      assert.match(answer.error.message, message)
    }
  })

  test('is for who runs the installer alone', async () => {
    const { projectId } = await project(world.dealer)
    const missing = (await as.owner!.get('/projects/proj_00000000000000000000000000')).body
    for (const [who, status] of [
      ['owner', 200],
      ['admin', 200],
      ['manager', 200],
      ['rep', 404],
      ['surveyor', 404],
      ['dealerOwner', 403],
      ['stranger', 404],
    ] as const) {
      for (const answer of [await price(who, projectId, asSold), await change(who, projectId, asSold)]) {
        assert.equal(answer.status, status, who)
        if (status === 404) assert.deepEqual(answer.body, missing)
      }
    }
  })
})
