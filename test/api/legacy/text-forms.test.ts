import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sale } from '../../../src/domain/deals/sale/sell-lead.ts'
import { sellLead } from '../../../src/domain/deals/sale/sell-lead.ts'
import { createCompany } from '../../../src/domain/tenants/companies/create-company.ts'
import { createKey } from '../../../src/domain/tenants/keys/create-key.ts'
import { startApp } from '../../support/app.ts'
import {
  type Actors,
  adder,
  createWorld,
  equipment,
  hiSale,
  lead,
  project,
  solarSale,
  system,
} from '../../support/factories.ts'
import { newProject } from '../../support/new-project.ts'

const app = await startApp()
const { db } = app.database
const { installer } = await createWorld(db)
const { key } = installer

const fetched = async (operation: string, id: string, as = key) => {
  const { status, body, text } = await app.get(`/legacy/${operation}?id=${id}`, as)
  assert.equal(status, 200, text)
  return body.data ?? body
}
const solarFields = async (sale: Partial<Sale>) =>
  fetched('fetch_project', (await project(installer, {}, sale)).projectId)
const hiFields = async (sale: Partial<Sale>) =>
  fetched('fetch_project_hi', (await project(installer, { productLine: 'hi' }, sale)).projectId)

test('the catalogue in texts: decimal numbers, true and false, empty text for what is not there', async () => {
  const nothing = { default: false, efficiencyPercent: null, warrantyYears: null, model: null }
  const panel = { kind: 'panel' as const, manufacturer: 'Qcells "Q"', watts: '400.50' }
  const full = await equipment(installer, 2, {
    ...panel,
    model: 'Q.TRON',
    default: true,
    efficiencyPercent: '21.4',
    warrantyYears: 25,
  })
  const bare = await equipment(installer, 1, { ...panel, ...nothing, watts: '1000' })
  await equipment(installer, 0, { ...panel, ...nothing }, false)
  const inverter = { kind: 'inverter' as const, manufacturer: 'Enphase', microinverter: true }
  const made = await equipment(installer, 3, { ...inverter, ...nothing, ratedOutputWatts: '290' })
  const first = await adder(installer, 1, { unit: 'perWatt', unitPrice: '0.0001', warrantyYears: 10 })
  const second = await adder(installer, 0, {
    ...{ name: 'Roof', productLine: 'hi', productKind: 'roofing', unitPrice: '1234567.8', tiered: true },
    ...{ description: '</script>', brand: 'GAF', model: 'HDZ', repSponsored: true, showOnProposal: false },
  })
  await adder(installer, 2, { name: 'Gone' }, false)

  const list = async (path: string) => {
    const { body } = await app.get(`/legacy/${path}?installer_id=${installer.company.number}`, key)
    const { success, message, data, ...rest } = body
    assert.deepEqual([success, typeof message, rest], [true, 'string', {}])
    return data
  }
  const equal = { kind: 'panel', manufacturer: 'Qcells "Q"' }
  assert.deepEqual(await list('fetch_all_panel'), [
    {
      ...{ id: bare.id, ...equal, model: '', default: 'false', watts: '1000' },
      ...{ efficiencyPercent: '', warrantyYears: '' },
    },
    {
      ...{ id: full.id, ...equal, model: 'Q.TRON', default: 'true', watts: '400.5' },
      ...{ efficiencyPercent: '21.4', warrantyYears: '25' },
    },
  ])
  assert.deepEqual(await list('fetch_all_inverter'), [
    {
      ...{ id: made.id, kind: 'inverter', manufacturer: 'Enphase', model: '', default: 'false' },
      ...{ ratedOutputWatts: '290', efficiencyPercent: '', microinverter: 'true', warrantyYears: '' },
    },
  ])
  assert.deepEqual(await list('fetch_all_adders'), [
    {
      ...{ id: second.id, name: 'Roof', description: '</script>', productLine: 'hi', productKind: 'roofing' },
      ...{ unit: 'perPanel', unitPrice: '1234567.8', tiered: 'true', repSponsored: 'true' },
      ...{ showOnProposal: 'false', brand: 'GAF', model: 'HDZ', warrantyYears: '' },
    },
    {
      ...{ id: first.id, name: 'Critter guard', description: '', productLine: 'solar', productKind: '' },
      ...{ unit: 'perWatt', unitPrice: '0.0001', tiered: 'false', repSponsored: 'false' },
      ...{ showOnProposal: 'true', brand: '', model: '', warrantyYears: '10' },
    },
  ])
})

const unknown = { contractSignedAt: null, contractPrice: null }
const noPanels = { count: null, manufacturer: null, model: null }

test('what is not there is empty text or an empty list, never null', async () => {
  const known =
    /^(customer(FirstName|LastName|Address|Street|City|State|Zip)|id|leadStatus|projectStatus|submittedDate|proposalURL|projectURL|financeType|allFilesURL)$/
  const bare = {
    ...{ sizeKw: null, annualProductionKwh: null, panels: noPanels, batteries: null, adders: [] },
    inverters: { ...noPanels, name: null, microinverter: false },
    pricePerWatt: { base: null, final: null },
  }
  const solar = await project(installer, {}, { ...unknown, system: bare })
  const hi = await project(installer, { productLine: 'hi' }, { ...unknown, products: [] })
  const shown = {
    fetch_project: await fetched('fetch_project', solar.projectId),
    fetch_project_hi: await fetched('fetch_project_hi', hi.projectId),
    fetch_lead: await fetched('fetch_lead', solar.leadId),
    fetch_lead_hi: await fetched('fetch_lead_hi', hi.leadId),
  }
  for (const [operation, record] of Object.entries(shown)) {
    for (const [name, value] of Object.entries(record)) {
      if (known.test(name)) assert.notEqual(value, '', `${operation} ${name}`)
      else if (['adders', 'Products'].includes(name)) assert.deepEqual(value, [])
      else if (name === 'contractURL') assert.deepEqual(value, operation.endsWith('_hi') ? [] : '')
      else assert.equal(value, name === 'addersCost' ? '0.00' : '', `${operation} ${name}`)
    }
  }
  const folders = Object.values(shown.fetch_project_hi.allFilesURL)
  assert.deepEqual(folders, Array(12).fill([]))
  const open = await fetched('fetch_lead_hi', await lead(installer, { productLine: 'hi' }))
  for (const name of [
    'projectStatus',
    'submittedDate',
    'proposalURL',
    'projectURL',
    'financeType',
    'adjustments',
  ])
    assert.equal(open[name], '', name)
})

test('money and other numbers are exact decimal text', async () => {
  const prices: [string, string][] = [
    ['0', '0.00'],
    ['0.1', '0.10'],
    ['12', '12.00'],
    ['999.5', '999.50'],
    ['1000', '1,000.00'],
    ['123456', '123,456.00'],
    ['1234567', '1,234,567.00'],
    ['-1234.5', '-1,234.50'],
    ['999999999999.99', '999,999,999,999.99'],
  ]
  for (const [contractPrice, text] of prices) {
    assert.equal((await solarFields({ contractPrice })).contractPrice, text)
    assert.equal((await hiFields({ contractPrice })).contractPrice, text)
  }
  const sums: [string[], string][] = [
    [['0.1', '0.2'], '0.30'],
    [['1234567', '-0.01'], '1234566.99'],
    [['999999999999.99', '0.01'], '1000000000000.00'],
  ]
  for (const [totals, text] of sums) {
    const adders = totals.map((total) => ({ name: 'A', quantity: 1, total }))
    assert.equal((await solarFields({ system: { ...system, adders } })).addersCost, text)
  }
  const adjusted: [string, string[], string][] = [
    ['0.3', ['0.1', '0.2'], '0.00'],
    ['0.2', ['0.1', '0.2'], '-0.10'],
    ['100000000000.01', ['99999999999.99', '0.03'], '-0.01'],
    ['1234567.89', [], '1234567.89'],
  ]
  for (const [contractPrice, costs, text] of adjusted) {
    const products = costs.map((price) => ({ name: 'P', price }))
    assert.equal((await hiFields({ contractPrice, products })).adjustments, text)
  }
  assert.equal(
    (await hiFields({ contractPrice: '18900', products: hiSale.products! })).adjustments,
    '3900.00',
  )
  const untold = [{ name: 'A', quantity: 1, total: null }]
  assert.equal((await solarFields({ system: { ...system, adders: untold } })).addersCost, '')

  const tiny = {
    system_size: 1e-7,
    base_ppw: 1.25e-7,
    final_ppw: 0.1 + 0.2,
    annual_production: 1e10,
    system_cost: 1e-3,
  }
  const { body } = await app.call('POST', '/legacy/create_project', {
    key,
    body: newProject(installer, tiny),
  })
  const made = await fetched('fetch_project', body.data.project_id)
  assert.deepEqual(
    [made.systemSize, made.basePPW, made.finalPPW, made.estProduction, made.contractPrice],
    ['0.0000001', '0.000000125', '0.3', '10000000000', '0.00'],
  )
})

/** Who acts for a company of its own. */
async function actors(timezone: string, of?: Actors): Promise<Actors> {
  const company = await createCompany(db, new Date(), {
    ...{ name: timezone, timezone },
    ...(of ? { installer: of.company.id } : {}),
  })
  const { secret } = await createKey(db, new Date(), { company: company.id, name: 'CRM' })
  const { installerId, id: companyId, kind: companyKind } = company
  const as = (now?: Date) => {
    const ctx = installer.as(now)
    return { ...ctx, actor: { ...ctx.actor, installerId, companyId, companyKind } }
  }
  return { company, key: secret, as }
}

test('a day is the day where the installer works, on both sides of its midnight', async () => {
  const days: [zone: string, instant: string, day: string][] = [
    ['Pacific/Auckland', '2026-01-10T10:59:59.999Z', '01/10/2026'],
    ['Pacific/Auckland', '2026-01-10T11:00:00.000Z', '01/11/2026'],
    ['Pacific/Auckland', '2026-07-10T11:59:59.999Z', '07/10/2026'],
    ['Pacific/Auckland', '2026-07-10T12:00:00.000Z', '07/11/2026'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '01/01/2026'],
    ['Pacific/Pago_Pago', '2026-01-01T10:59:59.999Z', '12/31/2025'],
    ['Asia/Kolkata', '2026-02-28T18:29:59.999Z', '02/28/2026'],
    ['Asia/Kolkata', '2026-02-28T18:30:00.000Z', '03/01/2026'],
    ['America/Denver', '2026-03-09T05:59:59.999Z', '03/08/2026'],
    ['America/Denver', '2026-03-09T06:00:00.000Z', '03/09/2026'],
  ]
  const who = new Map<string, Actors[]>()
  for (const [zone, instant, day] of days) {
    if (!who.has(zone)) {
      const own = await actors(zone)
      // A dealer elsewhere sells for this installer.
      who.set(zone, [own, await actors('America/New_York', own)])
    }
    for (const seller of who.get(zone)!) {
      for (const [productLine, operation, text] of [
        ['solar', 'fetch_project', day],
        ['hi', 'fetch_project_hi', day.replace(/\d\d(?=\d\d$)/, '')],
      ] as const) {
        const leadId = await lead(seller, { productLine })
        const sale = { ...(productLine === 'hi' ? hiSale : solarSale), contractSignedAt: new Date(instant) }
        const { projectId } = await sellLead(seller.as(new Date(instant)), leadId, sale)
        const shown = await fetched(operation, projectId, seller.key)
        assert.deepEqual([shown.contractSignedDate, shown.submittedDate], [text, text], `${zone} ${instant}`)
      }
    }
  }
})
