import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { stock } from '../support/stock.ts'

describe('the catalogue', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    await stock(world.installer)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
  })

  const offered = async () => {
    const { data } = (await app.get('/v1/adders', world.installer.key)).body
    return data as { name: string; unitPrice: number; tiered: boolean }[]
  }

  test('an adder is added, and dragged to where GET /v1/adders then has it', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, '/settings/catalogue')
    await page.getByRole('button', { name: /^Trenching/ }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add an adder' })
    await dialog.getByLabel('Name').fill('Snow guard')
    await dialog.getByLabel('Price of one unit').fill('$1,012.345678')
    await dialog.getByText('with at most 4 decimals').waitFor()
    await dialog.getByLabel('Price of one unit').fill('$1,012.50')
    await dialog.getByLabel('Unit', { exact: true }).selectOption('each')
    await dialog.getByRole('button', { name: 'Add a tier' }).click()
    await dialog.getByLabel('Tier 1 from').fill('10')
    await dialog.getByLabel('Tier 1 price').fill('990')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { name, unitPrice, tiered } = (await offered()).at(-1)!
    assert.deepEqual([name, unitPrice, tiered], ['Snow guard', 1012.5, true])

    const handle = (of: string) => page.getByRole('button', { name: new RegExp(`^Move ${of}:`) })
    await handle('Snow guard').scrollIntoViewIfNeeded()
    const from = (await handle('Snow guard').boundingBox())!
    const to = (await handle('Critter guard').boundingBox())!
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y - 10, { steps: 3 })
    await page.mouse.move(to.x + 8, to.y + 8, { steps: 8 })
    // Said when the page has followed the pointer.
    await page.getByText('Snow guard is now at the position of Critter guard.').waitFor({ state: 'attached' })
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/adders/order'))
    await page.mouse.up()
    await saved
    assert.deepEqual(
      (await offered()).slice(0, 2).map((one) => one.name),
      ['Snow guard', 'Critter guard'],
    )
    await page.context().close()
  })

  test('a table is seen row by row, then applied', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, '/settings/catalogue')
    await page.getByRole('button', { name: 'CSV' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export adders and products' }).click()
    assert.equal((await download).suggestedFilename(), 'adders.csv')
    await page.keyboard.press('Escape')
    await page.goto('/settings/catalogue/import?section=adders')
    const csv = [
      'Name,Unit,Unit price',
      'Trenching,per foot,41.00',
      'Bird mesh,each,9.99',
      'Bad,each,x',
    ].join('\n')
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await (await choosing).setFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByText('Unit price: 38.005 → 41').waitFor()
    await page.getByText('Unit price must be a number').waitFor()
    await assertAccessible(page)
    assert.ok(!(await offered()).some(({ name }) => name === 'Bird mesh'))
    await page.getByRole('button', { name: 'Apply: 1 new, 1 updated' }).click()
    await page.getByText('Catalogue updated').waitFor()
    await page.getByRole('button', { name: /^Bird mesh/ }).waitFor()
    const trenching = (await offered()).find(({ name }) => name === 'Trenching')!
    assert.equal(trenching.unitPrice, 41)
    await page.context().close()
  })

  test('another panel becomes the default, on a phone', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await signIn(page, owner, '/settings/catalogue?part=panel')
    await page.getByRole('button', { name: /^Helianth HX-410.*Default/ }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a panel' })
    await dialog.getByLabel('Manufacturer').fill('Helianth')
    await dialog.getByLabel('Model').fill('HX-450')
    await dialog.getByLabel('Watts').fill('450')
    await dialog.getByLabel('Default for new sales').check()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^Helianth HX-450.*Default/ }).waitFor()
    const { data } = (await app.get('/v1/equipment?kind=panel', world.installer.key)).body
    const defaults = data.filter((panel: { default: boolean }) => panel.default)
    assert.deepEqual(
      defaults.map(({ model }: { model: string }) => model),
      ['HX-450'],
    )
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await page.context().close()
  })
})
