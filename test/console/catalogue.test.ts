import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AdderSettingResponse, EquipmentSettingResponse } from '../../src/api/console/catalogue.ts'
import { checkCatalogueRenderings } from '../../src/domain/catalogue/queries.ts'
import { type App, startApp } from '../support/app.ts'
import { adder, createWorld, equipment, type World } from '../support/factories.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'

describe('the catalogue', () => {
  let app: App
  let world: World
  let owner: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await signedIn(app, await addPerson(app, world.installer.company.id, 'owner', 'Olga'))
    await stock(world.installer)
  })

  const adders = async () => (await owner.get('/adders')).body.items as AdderSettingResponse[]
  const items = async () => (await owner.get('/equipment')).body.items as EquipmentSettingResponse[]
  const adderNamed = async (name: string) => (await adders()).find((one) => one.name === name)!
  const itemModel = async (model: string) => (await items()).find((one) => one.model === model)!
  const v1 = async (path: string) =>
    (await app.get(path, world.installer.key)).body.data as Record<string, unknown>[]
  const offered = async () => (await v1('/v1/adders')).map(({ name }) => name)
  const post = (path: string, body: object) => owner.call('POST', path, { body })
  const patch = (path: string, body: object) => owner.call('PATCH', path, { body })

  test('an adder is added at the end, changed and taken out of the offer', async () => {
    const made = await post('/adders', {
      name: 'Heat pump',
      productLine: 'hi',
      productKind: 'hvac',
      unit: 'each',
      unitPrice: '7499.10',
      tiers: [{ from: '2', unitPrice: '7199.05' }],
      brand: 'Ventora',
    })
    assert.equal(made.status, 201, made.text)
    const read = (await v1('/v1/adders')).at(-1)!
    assert.deepEqual(
      [read['id'], read['name'], read['unitPrice'], read['tiered'], read['brand']],
      [made.body.id, 'Heat pump', 7499.1, true, 'Ventora'],
    )
    const { id, version, unitPrice, tiers } = await adderNamed('Heat pump')
    assert.deepEqual([unitPrice, tiers], ['7499.1', [{ from: '2', unitPrice: '7199.05' }]])
    assert.equal((await patch(`/adders/${id}`, { version, unitPrice: '7499.1000' })).status, 200)
    assert.equal((await adderNamed('Heat pump')).version, version)
    assert.equal((await patch(`/adders/${id}`, { version, unitPrice: '0.1234', tiers: [] })).status, 200)
    const late = await patch(`/adders/${id}`, { version, name: 'Other' })
    assert.match(late.body.error.message, /Someone else changed this in the meantime/)
    const [after] = (await v1('/v1/adders')).slice(-1)
    assert.deepEqual([after!['unitPrice'], after!['tiered']], [0.1234, false])
    assert.equal((await patch(`/adders/${id}`, { version: version + 1, active: false })).status, 200)
    assert.ok(!(await offered()).includes('Heat pump'))
    const events = await app.database.rows<{ type: string; changes: object }>(
      `select type, changes from events where subject_id = '${id}' order by at`,
    )
    assert.deepEqual(events, [
      { type: 'adder.created', changes: {} },
      {
        type: 'adder.changed',
        changes: {
          unitPrice: ['7499.1', '0.1234'],
          tiers: [[{ from: '2', unitPrice: '7199.05' }], []],
        },
      },
      { type: 'adder.changed', changes: { active: [true, false] } },
    ])
  })

  test('the order is the one of GET /v1/adders at once', async () => {
    const solar = (await adders()).filter(({ productLine }) => productLine === 'solar')
    const before = solar.map(({ id }) => id)
    const after = [before[1]!, before[0]!, ...before.slice(2)]
    const hi = (await offered()).filter((name) => ['Roof', 'Permit'].includes(name as string))
    const order = (body: object) => owner.call('PUT', '/adders/order', { body })
    assert.equal((await order({ before, after })).status, 200)
    assert.deepEqual((await offered()).slice(0, 3), ['Ground mount', 'Critter guard', 'Trenching'])
    assert.deepEqual(
      (await offered()).filter((name) => ['Roof', 'Permit'].includes(name as string)),
      hi,
    )
    assert.match((await order({ before, after: [...before].reverse() })).body.error.message, /meanwhile/)
    assert.equal((await order({ before: after, after: after.slice(1) })).status, 400)
    assert.equal((await order({ before: ['adder_none000000'], after: ['adder_none000000'] })).status, 400)
    const kinds = (await items()).filter(({ kind }) => kind === 'panel').map(({ id }) => id)
    const reversed = [...kinds].reverse()
    const placed = await owner.call('PUT', '/equipment/order', { body: { before: kinds, after: reversed } })
    assert.equal(placed.status, 200)
    assert.deepEqual(
      (await items()).filter(({ kind }) => kind === 'panel').map(({ id }) => id),
      reversed,
    )
  })

  test('one of a kind is the default', async () => {
    const made = await post('/equipment', {
      kind: 'panel',
      manufacturer: 'Helianth',
      model: 'HX-450',
      watts: '450.50',
      default: true,
    })
    assert.equal(made.status, 201, made.text)
    const panels = await v1('/v1/equipment?kind=panel')
    assert.deepEqual(
      panels.filter((panel) => panel['default']).map(({ model, watts }) => [model, watts]),
      [['HX-450', 450.5]],
    )
    assert.equal((await itemModel('LN8')).default, true)
    const { id, version } = await itemModel('HX-450')
    const refused = await patch(`/equipment/${id}`, { version, active: false })
    assert.match(refused.body.error.message, /cannot be the default/)
    assert.equal((await patch(`/equipment/${id}`, { version, active: false, default: false })).status, 200)
  })

  test('what was written is rendered', async () => {
    const { stale } = await checkCatalogueRenderings(app.database.db, world.installer.company.id, false)
    assert.deepEqual(stale, [])
  })

  const check = (path: string, csv: string) => post(`${path}/check`, { csv })
  async function apply(path: string, csv: string) {
    const { stamp } = (await check(path, csv)).body
    return post(`${path}/import`, { csv, stamp })
  }

  test('what is exported changes nothing when it is imported', async () => {
    for (const path of ['/adders', '/equipment']) {
      const { text, headers } = await owner.get(`${path}.csv`)
      assert.match(headers['content-type']!, /^text\/csv/)
      const { body } = await check(path, text)
      assert.deepEqual(
        [body.counts.made, body.counts.changed, body.counts.refused, body.unknownColumns],
        [0, 0, 0, []],
        JSON.stringify(body.rows),
      )
      assert.ok(body.counts.unchanged > 3)
    }
  })

  test('a table is shown row by row before it is applied', async () => {
    const { id } = await adderNamed('Trenching')
    const csv = [
      'Id;Name;Unit;Unit price;Tiers;Colour',
      `${id};Trenching;perFoot;$1,038.5;;red`,
      ';Thermostat;each;249.00;;',
      ';Snow guard;per watt;0.05;5000: 0.04; ;',
      ';"Snow; rail";each;12.00;;',
      ';Broken;each;twelve;;',
      ';;each;12;;',
      `${id};Trenching again;each;1;;`,
      'adder_none000000;Nobody;each;1;;',
    ].join('\n')
    const shown = (await check('/adders', csv)).body
    const rows = shown.rows as { row: number; outcome: string; changes: object; problems: string[] }[]
    assert.deepEqual(
      rows.map(({ row, outcome }) => [row, outcome]),
      [
        [2, 'changed'],
        [3, 'unchanged'],
        [4, 'made'],
        [5, 'made'],
        [6, 'refused'],
        [7, 'refused'],
        [8, 'refused'],
        [9, 'refused'],
      ],
    )
    assert.deepEqual(rows[0]!.changes, { 'Unit price': ['38.005', '1038.5'] })
    const why = rows.slice(4).map(({ problems }) => problems.join())
    for (const [i, expected] of [
      /Unit price must be a number/,
      /Name must not be empty/,
      /Row 2 is about the same entry/,
      /Id: there is no such entry/,
    ].entries())
      assert.match(why[i]!, expected)
    assert.deepEqual(shown.unknownColumns, ['Colour'])
    assert.equal((await adderNamed('Trenching')).unitPrice, '38.005')

    const { version } = await adderNamed('Thermostat')
    const thermostat = await adderNamed('Thermostat')
    await patch(`/adders/${thermostat.id}`, { version, unitPrice: '250' })
    const outdated = await post('/adders/import', { csv, stamp: shown.stamp })
    assert.match(outdated.body.error.message, /changed meanwhile/)
    await patch(`/adders/${thermostat.id}`, { version: version + 1, unitPrice: '249' })

    const done = await post('/adders/import', { csv, stamp: shown.stamp })
    assert.equal(done.status, 200, done.text)
    assert.deepEqual((await offered()).slice(-2), ['Snow guard', 'Snow; rail'])
    assert.equal((await adderNamed('Trenching')).unitPrice, '1038.5')
    assert.deepEqual((await adderNamed('Snow guard')).tiers, [{ from: '5000', unitPrice: '0.04' }])
    const again = (await check('/adders', csv)).body.counts
    assert.deepEqual([again.made, again.changed], [0, 0])
  })

  test('equipment comes by table too, with one default of a kind', async () => {
    const csv = [
      'Kind,Manufacturer,Model,Default,Watts,Capacity kWh,Microinverter',
      'panel,Helianth,HX-500,yes,500,,',
      'panel,Helianth,HX-510,yes,510,,',
      'battery,Voltessa,Cellar 20,no,,20.2,',
      'battery,Voltessa,Cellar 30,no,400,30,',
      'inverter,Lumenode,LN9,no,,,',
      'panel,Helianth,HX-520,no,,,',
    ].join('\r\n')
    const { rows } = (await check('/equipment', csv)).body
    assert.deepEqual(
      rows.map(({ outcome }: { outcome: string }) => outcome),
      ['made', 'refused', 'made', 'refused', 'refused', 'refused'],
    )
    assert.match(rows[1].problems[0], /row 2 is the default panel already/)
    assert.match(rows[3].problems[0], /Watts: a battery has none/)
    assert.match(rows[4].problems[0], /Microinverter/)
    assert.match(rows[5].problems[0], /Watts: a panel has some/)
    assert.equal((await apply('/equipment', csv)).status, 200)
    const defaults = (await v1('/v1/equipment?kind=panel')).filter((panel) => panel['default'])
    assert.deepEqual(
      defaults.map(({ model }) => model),
      ['HX-500'],
    )
    const { stale } = await checkCatalogueRenderings(app.database.db, world.installer.company.id, false)
    assert.deepEqual(stale, [])
  })

  test('bad input is refused with what to change', async () => {
    const good = { name: 'Good', productLine: 'solar', unit: 'each', unitPrice: '1' }
    const cases: [object, RegExp][] = [
      [{ ...good, unitPrice: '1.23456' }, /Unit price/],
      [{ ...good, unitPrice: '-1' }, /Unit price/],
      [{ ...good, unitPrice: 12 }, /Unit price/],
      [{ ...good, unitPrice: '1e9' }, /Unit price/],
      [{ ...good, name: ' ' }, /Name/],
      [{ ...good, unit: 'perMoon' }, /Unit/],
      [{ ...good, warrantyYears: 1e12 }, /Warranty/],
      [{ ...good, tiers: [{ from: '0', unitPrice: '1' }] }, /begins above 0/],
      [
        {
          ...good,
          tiers: [
            { from: '5', unitPrice: '1' },
            { from: '5.0', unitPrice: '2' },
          ],
        },
        /higher than the one before/,
      ],
      [{ ...good, colour: 'red' }, /out of date/],
      [{ ...good, description: 'a\0b' }, /NUL/],
    ]
    for (const [body, expected] of cases) {
      const answer = await post('/adders', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.error.message, expected)
    }
    const panel = { kind: 'panel', manufacturer: 'Helianth' }
    for (const [body, expected] of [
      [panel, /Watts/],
      [{ ...panel, watts: '0' }, /Watts/],
      [{ ...panel, watts: '400', capacityKwh: '5' }, /Capacity: a panel has none/],
      [{ ...panel, watts: '400', efficiencyPercent: '101' }, /at most 100/],
      [{ kind: 'inverter', manufacturer: 'Lumenode' }, /Microinverter/],
    ] as const)
      assert.match((await post('/equipment', body)).body.error.message, expected)
    for (const csv of ['"never closed', ' ', '\n\n'])
      assert.equal((await check('/adders', csv)).status, 400, csv)
    assert.equal((await check('/adders', `Name\n${'x\n'.repeat(2_001)}`)).status, 400)
    const foreign = await adder(world.other, 1)
    const foreignPanel = await equipment(world.other, 1, {
      kind: 'panel',
      manufacturer: 'Other',
      model: null,
      default: false,
      watts: '400',
      efficiencyPercent: null,
      warrantyYears: null,
    })
    for (const path of [
      `/adders/${foreign.id}`,
      `/equipment/${foreignPanel.id}`,
      '/adders/adder_none000000',
      '/adders/%00',
    ])
      assert.equal((await patch(path, { version: 1, active: false })).status, 404, path)
  })
})
