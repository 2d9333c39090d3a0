import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/domain/kernel/tenant/member.ts'
import { startApp } from '../support/app.ts'
import { type Actors, address, createWorld, lead, project } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'

const app = await startApp()
const { installer, dealer, sister, other } = await createWorld(app.database.db)

const { panel, inverter, battery, retired, guard, ground, trench, panelUpgrade, thermostat, roof, permit } =
  await stock(installer)

const people = new Map<string, Person>()
async function as(of: Actors, role: Role) {
  const key = `${of.company.id} ${role}`
  if (!people.has(key)) people.set(key, await addPerson(app, of.company.id, role))
  const person = people.get(key)!
  return { ...person, ...(await signedIn(app, person)) }
}
const owner = await as(installer, 'owner')
const rep = await as(installer, 'rep')

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Denver' }).format(new Date())
const system = { panels: { id: panel.id, count: 22 }, inverters: { id: inverter.id, count: 22 } }
const sale = {
  system,
  price: { perWatt: '2.95' },
  financing: { type: 'cash' },
  contract: { signedOn: today, price: '26609.00' },
}

const priceOf = async (leadId: string, body: object, by = owner) =>
  by.call('POST', `/leads/${leadId}/sale/price`, { body })
const sell = async (leadId: string, body: object, by: Pick<typeof owner, 'call'> = owner) =>
  by.call('POST', `/leads/${leadId}/sale`, { body })

test('the catalogue shows what can be sold of a line, in the installer’s order', async () => {
  const solar = (await owner.get('/catalogue?line=solar')).body
  assert.deepEqual(
    solar.adders.map(({ name }: { name: string }) => name),
    ['Critter guard', 'Ground mount', 'Trenching', 'Panel upgrade', 'Thermostat'],
  )
  assert.deepEqual(solar.adders[1].tiers, ground.tiers)
  assert.deepEqual([solar.adders[1].unit, solar.adders[1].unitPrice], ['perWatt', '0.6500'])
  assert.deepEqual(
    [solar.panels, solar.inverters, solar.batteries].map((items) => items.map((i: { id: string }) => i.id)),
    [[panel.id], [inverter.id], [battery.id]],
  )
  const hi = (await owner.get('/catalogue?line=hi')).body
  assert.deepEqual(
    hi.adders.map(({ id }: { id: string }) => id),
    [roof.id, permit.id],
  )
  assert.deepEqual(hi.panels, [])
})

test('the catalogue is the installer’s for its dealers too, and nobody else’s', async () => {
  const { get } = await as(dealer, 'rep')
  assert.equal((await get('/catalogue?line=solar')).body.panels[0].id, panel.id)
  const foreign = await as(other, 'owner')
  assert.deepEqual((await foreign.get('/catalogue?line=solar')).body, {
    panels: [],
    inverters: [],
    batteries: [],
    adders: [],
  })
  for (const role of ['surveyor', 'subcontractor'] as const)
    assert.equal((await (await as(installer, role)).get('/catalogue?line=solar')).status, 403)
  for (const query of ['', '?line=wind', '?line=solar&line=hi', '?line=hi&more=1'])
    assert.equal((await owner.get(`/catalogue${query}`)).status, 400, query)
  assert.equal((await app.send('GET', '/console/api/catalogue?line=hi')).status, 401)
})

test('a system is priced by the watt, its adders by their units, and the place lets expect its energy', async () => {
  const leadId = await lead(installer)
  const adders = [
    { id: guard.id },
    { id: ground.id },
    { id: trench.id, quantity: 12.5 },
    { id: panelUpgrade.id },
    { id: thermostat.id, quantity: 2 },
  ]
  const { status, body } = await priceOf(leadId, {
    system: { ...system, batteries: { id: battery.id, count: 2 }, adders },
    price: { perWatt: '2.95' },
    financing: { type: 'loan', aprPercent: '5.99', termMonths: 300, lender: 'Sunvale' },
  })
  assert.equal(status, 200)
  const lines = body.lines.map((line: Record<string, unknown>) => [
    line['quantity'],
    line['unitPrice'],
    line['total'],
  ])
  assert.deepEqual(lines, [
    [22, '42.0000', '924.00'],
    // 9,020 W are in the first tier above the plain price.
    [9020, '0.58', '5231.60'],
    [12.5, '38.0050', '475.06'],
    [1, '2850.0000', '2850.00'],
    [2, '249.0000', '498.00'],
  ])
  // The rep pays for the thermostats.
  const extras = '9480.66'
  assert.deepEqual(
    [body.sizeKw, body.base, body.extras, body.computed, body.price],
    ['9.02', '26609.00', extras, '36089.66', '36089.66'],
  )
  assert.deepEqual(body.pricePerWatt, { base: '2.95', final: '4.0011', adders: '1.0511' })
  assert.deepEqual([body.estimatedKwh, body.annualProductionKwh], ['14432', '14432'])
  assert.equal(body.financing.amount, '36089.66')
  assert.equal(body.financing.monthlyPayment, '232.31')
})

test('an agreed total stands in place of what is computed', async () => {
  const leadId = await lead(installer)
  const priced = async (price: object, adders: object[] = []) =>
    (await priceOf(leadId, { system: { ...system, adders }, price })).body
  const both = await priced({ perWatt: '2.95', custom: '25000' })
  assert.deepEqual([both.computed, both.price, both.pricePerWatt.base], ['26609.00', '25000.00', '2.95'])
  const total = await priced({ custom: '20000' }, [{ id: panelUpgrade.id }])
  assert.deepEqual(
    [total.computed, total.price, total.pricePerWatt],
    [null, '20000.00', { base: '1.9013', final: '2.2173', adders: '0.316' }],
  )
  const open = await priced({})
  assert.deepEqual([open.price, open.pricePerWatt.final], [null, null])
})

test('products are priced by their tiers', async () => {
  const leadId = await lead(installer, { productLine: 'hi' })
  const priced = async (quantity: number) =>
    (
      await priceOf(leadId, {
        products: [
          { id: roof.id, quantity },
          { id: permit.id, quantity: 1 },
        ],
      })
    ).body
  assert.equal((await priced(1499.5)).price, '10771.63')
  assert.equal((await priced(1500)).price, '10325.00')
})

test('each way of paying is worked out, and refused where something is missing', async () => {
  const leadId = await lead(installer)
  const paid = async (financing: object) =>
    priceOf(leadId, {
      system: { ...system, annualProductionKwh: '12000' },
      price: { perWatt: '2' },
      financing,
    })
  const lease = await paid({ type: 'lease', monthlyPayment: '150', termMonths: 240, escalatorPercent: '2.9' })
  assert.deepEqual([lease.body.financing.monthlyPayment, lease.body.financing.rate], ['150', '150'])
  const ppa = await paid({ type: 'ppa', rate: '0.175', termMonths: 300 })
  assert.equal(ppa.body.financing.monthlyPayment, '175.00')
  const noInterest = await paid({ type: 'loan', aprPercent: '0', termMonths: 7, amount: '1000' })
  assert.equal(noInterest.body.financing.monthlyPayment, '142.86')
  const given = await paid({ type: 'loan', aprPercent: '5', termMonths: 60, monthlyPayment: '99.5' })
  assert.equal(given.body.financing.monthlyPayment, '99.5')
  const cash = await paid({ type: 'cash', aprPercent: '5' })
  assert.deepEqual([cash.body.financing.type, cash.body.financing.aprPercent], ['cash', null])
  for (const [financing, field] of [
    [{ type: 'loan', termMonths: 60 }, /APR: a loan needs it/],
    [{ type: 'loan', aprPercent: '5' }, /Term: a loan needs it/],
    [{ type: 'lease', termMonths: 60 }, /Monthly payment: a lease needs it/],
    [{ type: 'ppa', termMonths: 60 }, /Rate: a PPA needs it/],
  ] as const) {
    const { status, body } = await paid(financing)
    assert.equal(status, 400)
    assert.match(body.error.message, field)
  }
  const home = await lead(installer, { productLine: 'hi' })
  const products = [{ id: permit.id, quantity: 1 }]
  const refused = await priceOf(home, { products, financing: { type: 'ppa', rate: '1', termMonths: 12 } })
  assert.equal(refused.status, 400)
})

test('the sale makes the project that the API reads', async () => {
  const leadId = await lead(installer)
  const signedOn = '2026-01-31'
  const { status, body } = await sell(leadId, {
    ...sale,
    system: { ...system, batteries: { id: battery.id, count: 1 }, adders: [{ id: guard.id }] },
    financing: {
      type: 'loan',
      lender: 'Sunvale',
      aprPercent: '4.99',
      termMonths: 240,
      dealerFeePercent: '12.5',
    },
    contract: { signedOn, price: '27533', notes: 'Gate code 4410' },
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.before, false)
  const read = (await app.get(`/v1/projects/${body.projectId}`, installer.key)).body
  assert.equal(read.leadId, leadId)
  assert.equal(read.stage.name, 'Sold')
  assert.deepEqual(read.contract.price, 27533)
  assert.equal(read.contract.signedAt, '2026-01-31T19:00:00.000Z')
  assert.deepEqual(read.milestones, { contractSigned: signedOn })
  assert.equal(read.notes.project, 'Gate code 4410')
  assert.deepEqual(read.financing, {
    type: 'loan',
    lender: 'Sunvale',
    amount: 27533,
    aprPercent: 4.99,
    termMonths: 240,
    monthlyPayment: 181.55,
    dealerFeePercent: 12.5,
  })
  assert.deepEqual(read.system, {
    sizeKw: 9.02,
    annualProductionKwh: 14432,
    panels: { count: 22, manufacturer: 'Helianth', model: 'HX-410' },
    inverters: {
      count: 22,
      manufacturer: 'Lumenode',
      model: 'LN8',
      name: 'Lumenode LN8',
      microinverter: true,
    },
    batteries: { count: 1, manufacturer: 'Voltessa', model: 'Cellar 10', capacityKwh: 10.1 },
    pricePerWatt: { base: 2.95, final: 3.0524 },
    adders: [{ name: 'Critter guard', quantity: 22, total: 924 }],
  })
  const sold = (await app.get(`/v1/leads/${leadId}`, installer.key)).body
  assert.deepEqual([sold.status, sold.project.id], ['sold', body.projectId])
  const feed = (await app.get(`/v1/leads/${leadId}/activities`, installer.key)).body.data
  assert.equal(feed[0].author, owner.name)
})

test('products are sold too, at another price than computed', async () => {
  const leadId = await lead(installer, { productLine: 'hi' })
  const { body } = await sell(leadId, {
    products: [{ id: roof.id, quantity: 1500 }],
    price: { custom: '9000.00' },
    financing: { type: 'cash' },
    contract: { signedOn: today, price: '9000' },
  })
  const read = (await app.get(`/v1/projects/${body.projectId}`, installer.key)).body
  assert.deepEqual(read.products, [{ name: 'Roof', price: 9675 }])
  assert.deepEqual([read.contract.price, read.system], [9000, null])
})

test('of many clicks one sells, and the others are told the project', async () => {
  const leadId = await lead(installer)
  const answers = await Promise.all(Array.from({ length: 8 }, () => sell(leadId, sale)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.projectId)).size, 1)
  assert.equal(answers.filter(({ body }) => !body.before).length, 1)
  const start = await owner.get(`/leads/${leadId}/sale`)
  assert.equal(start.body.projectId, answers[0]!.body.projectId)
})

test('a price that is not the signed one is refused, and nothing is sold', async () => {
  const leadId = await lead(installer)
  const { status, body } = await sell(leadId, { ...sale, contract: { signedOn: today, price: '26608.99' } })
  assert.equal(status, 400)
  assert.match(body.error.message, /now \$26609\.00/)
  assert.equal((await app.get(`/v1/leads/${leadId}`, installer.key)).body.project, null)
})

test('owners, admins, managers and the lead’s own rep sell; nobody else does', async () => {
  const statuses: Record<string, number[]> = {}
  for (const role of ['owner', 'admin', 'manager', 'rep', 'setter', 'surveyor', 'subcontractor'] as const) {
    const person = await as(installer, role)
    const seen = await lead(installer, { salesRepId: person.id })
    const set = await lead(installer, { setterId: person.id })
    const unseen = await lead(installer)
    const answers = await Promise.all([seen, set, unseen].map((id) => sell(id, sale, person)))
    statuses[role] = answers.map(({ status }) => status)
  }
  assert.deepEqual(statuses, {
    owner: [200, 200, 200],
    admin: [200, 200, 200],
    manager: [200, 200, 200],
    // On a lead as its rep; on one as its setter; on none.
    rep: [200, 403, 404],
    setter: [200, 403, 404],
    surveyor: [200, 403, 404],
    subcontractor: [200, 403, 404],
  })
  const set = await lead(installer, { setterId: rep.id })
  assert.equal((await rep.get(`/leads/${set}/sale`)).status, 403)
  assert.equal((await priceOf(set, { system }, rep)).status, 403)
})

test('a dealer’s people sell their own company’s leads, and others are not there', async () => {
  const manager = await as(dealer, 'manager')
  const own = await lead(dealer)
  const start = (await manager.get(`/leads/${own}/sale`)).body
  assert.deepEqual([start.productLine, start.projectId, start.today], ['solar', null, today])
  const { body } = await sell(own, sale, manager)
  assert.equal((await app.get(`/v1/projects/${body.projectId}`, dealer.key)).body.leadId, own)
  const missing = await manager.get('/leads/lead_01missing0000000000000/sale')
  for (const foreign of [await lead(sister), await lead(installer), await lead(other), 'nonsense']) {
    for (const answer of [
      await manager.get(`/leads/${foreign}/sale`),
      await priceOf(foreign, { system }, manager as typeof owner),
      await sell(foreign, sale, manager),
    ]) {
      assert.equal(answer.status, 404)
      assert.deepEqual(answer.body, missing.body)
    }
  }
})

test('a lead that is sold has no price any more, and says where its project is', async () => {
  const { leadId, projectId } = await project(installer)
  const { status, body } = await priceOf(leadId, { system })
  assert.equal(status, 400)
  assert.match(body.error.message, new RegExp(projectId))
})

test('bad input is named, and never ours to fail on', async () => {
  const leadId = await lead(installer)
  const home = await lead(installer, { productLine: 'hi' })
  const nowhere = await lead(installer, { address: { ...address, state: 'Nowhere' } })
  const contract = sale.contract
  const bad: [string, unknown, RegExp][] = [
    [leadId, undefined, /./],
    [leadId, [], /Nothing was entered/],
    [leadId, { ...sale, contract: undefined }, /Contract is required/],
    [leadId, { ...sale, colour: 'red' }, /out of date/],
    [leadId, { ...sale, system: { ...system, panels: { id: retired.id, count: 1 } } }, /Panel: there is no/],
    [leadId, { ...sale, system: { ...system, panels: { id: inverter.id, count: 1 } } }, /no active panel/],
    [
      leadId,
      { ...sale, system: { ...system, panels: { id: panel.id, count: 0 } } },
      /Number of panels must be/,
    ],
    [
      leadId,
      { ...sale, system: { ...system, panels: { id: panel.id, count: 1.5 } } },
      /Number of panels must be/,
    ],
    [leadId, { ...sale, system: { ...system, batteries: { id: 'x', count: 1 } } }, /Battery/],
    [leadId, { ...sale, system: { ...system, adders: [{ id: roof.id }] } }, /no active solar adder/],
    [
      leadId,
      { ...sale, system: { ...system, adders: [{ id: guard.id, quantity: -1 }] } },
      /Quantity of adder 1 must be/,
    ],
    [leadId, { ...sale, system: { ...system, adders: Array(101).fill({ id: guard.id }) } }, /at most 100/],
    [leadId, { ...sale, price: {} }, /price/i],
    [leadId, { ...sale, price: { perWatt: '-1' } }, /Price per watt must be/],
    [leadId, { ...sale, price: { perWatt: 2.95 } }, /Price per watt must be/],
    [leadId, { ...sale, price: { perWatt: '2.95001' } }, /Price per watt must be/],
    [
      leadId,
      {
        ...sale,
        price: { perWatt: '9999', custom: null },
        system: { ...system, panels: { id: panel.id, count: 10_000 } },
      },
      /comes to more/,
    ],
    [leadId, { ...sale, financing: { type: 'barter' } }, /Financing is not one of the choices/],
    [leadId, { ...sale, financing: { type: 'loan', aprPercent: '5', termMonths: 0 } }, /Term must be/],
    [leadId, { ...sale, contract: { ...contract, signedOn: '2026-02-30' } }, /Date signed must be a day/],
    [
      leadId,
      { ...sale, contract: { ...contract, signedOn: '9999-01-01' } },
      /Date signed must be a day that has come/,
    ],
    [
      leadId,
      { ...sale, contract: { ...contract, signedOn: '1999-12-31' } },
      /Date signed must be a day that has come/,
    ],
    [leadId, { ...sale, contract: { ...contract, notes: 'x'.repeat(20_001) } }, /Notes must have at most/],
    [leadId, { ...sale, products: [{ id: roof.id, quantity: 1 }] }, /this is a solar lead/],
    [home, sale, /this is a home-improvement lead/],
    [home, { ...sale, system: undefined, products: [{ id: guard.id, quantity: 1 }] }, /no active product/],
    [home, { ...sale, system: undefined, products: [] }, /Products must have at least 1/],
    [home, { ...sale, system: undefined, products: [{ id: roof.id, quantity: 1 }] }, /only a solar system/],
    [nowhere, sale, /Annual production is required/],
  ]
  for (const [id, body, message] of bad) {
    const answer = await owner.call('POST', `/leads/${id}/sale`, body === undefined ? {} : { body })
    assert.equal(answer.status, 400, JSON.stringify(body)?.slice(0, 200))
    assert.match(answer.body.error.message, message)
  }
  const typed = await sell(nowhere, { ...sale, system: { ...system, annualProductionKwh: '13000.5' } })
  assert.equal(typed.status, 200)
})
