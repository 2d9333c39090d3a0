import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, startSession } from '../support/browser.ts'
import { adder, createWorld, equipment, project, type World } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'

describe('what was sold, changed in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    const shared = { default: false, warrantyYears: 25, efficiencyPercent: null }
    await equipment(installer, 1, {
      ...shared,
      kind: 'panel',
      manufacturer: 'Qcells',
      model: 'Q.TRON 400',
      watts: '400',
    })
    await equipment(installer, 2, {
      ...shared,
      kind: 'inverter',
      manufacturer: 'SolarEdge',
      model: 'SE10000',
      ratedOutputWatts: '10000',
      microinverter: false,
    })
    await adder(installer, 1, { name: 'EV charger', unit: 'each', unitPrice: '1200.00' })
    await adder(installer, 2, {
      name: 'Siding',
      unit: 'perSquareFoot',
      unitPrice: '11.50',
      productLine: 'hi',
    })
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    await startSession(page, await addPerson(app, installer.company.id, 'manager', 'Mara Manager'))
  })

  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body

  test('a system gets more panels and an adder, and the contract its new price', async () => {
    const { projectId } = await project(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('link', { name: 'Edit System' }).click()
    await page.getByRole('heading', { name: 'Edit system' }).waitFor()
    // As it was sold: the panels by the catalogue, what the catalogue has not as it was.
    const choice = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked')
    assert.equal(await choice('Panels').textContent(), 'Qcells Q.TRON 400 400 W')
    assert.equal(await choice('Inverters').textContent(), 'Enphase IQ8+ (as sold)')
    assert.equal(await choice('Batteries').textContent(), 'Tesla Powerwall 3 (as sold) 13.5 kWh')
    assert.ok(await page.getByLabel(/^Main panel upgrade/).isChecked())
    await page.getByText('$27,280.00', { exact: true }).waitFor()

    await page.getByLabel('Number of panels').fill('many')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Enter a whole number of 1 or more.').waitFor()
    await page.getByLabel('Number of panels').fill('30')
    await page.getByLabel('Batteries', { exact: true }).selectOption('')
    await page.getByLabel(/^EV charger/).check()
    // What was filled in stays, whatever happens to the page.
    await page.reload()
    assert.equal(await page.getByLabel('Number of panels').inputValue(), '30')
    // 12,000 W at $2.95, the upgrade and the charger.
    await page.getByLabel('Use $39,100.00 as the contract price').check()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').waitFor()
    await page.waitForURL(`**/projects/${projectId}`)
    await page.getByText('30 × Qcells Q.TRON 400', { exact: true }).waitFor()
    await page.getByText('$39,100.00').first().waitFor()
    await page.getByText(/Project changed: size \(kW\) from 8\.4 to 12/).waitFor()
    const { system, contract } = await read(projectId)
    assert.deepEqual([system.sizeKw, system.batteries, contract.price], [12, null, 39_100])
  })

  test('products on a phone, the contract keeping its price', async () => {
    const { projectId } = await project(world.installer, { productLine: 'hi' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/projects/${projectId}/items`)
    await page.getByLabel(/^Gutters/).uncheck()
    await page.getByLabel(/^Siding/).check()
    await page.getByLabel('Quantity of Siding').fill('200')
    await page.getByText('$17,300.00', { exact: true }).first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'nothing scrolls sideways')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.').waitFor()
    const { products, contract } = await read(projectId)
    assert.deepEqual(
      products.map(({ name }: { name: string }) => name),
      ['Roof', 'Siding'],
    )
    assert.equal(contract.price, 18_900)
  })
})
