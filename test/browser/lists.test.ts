import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { billing } from '../../web/texts/en/billing.ts'
import { leads as texts } from '../../web/texts/en/leads.ts'
import { monitoring } from '../../web/texts/en/monitoring.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { post, site } from '../support/invoices.ts'
import { addPerson, type Person } from '../support/people.ts'

const leadCount = 130

describe('lists, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    for (let i = 1; i <= leadCount; i++)
      await lead(world.installer, { firstName: `Row${i}`, lastName: 'Long', phone: '+1 619 555 0142' })
    await project(world.installer, { firstName: 'Carla', lastName: 'Card' })
  })

  for (const viewport of [
    { width: 2200, height: 1000 },
    { width: 390, height: 844 },
  ]) {
    test(`a long list goes on by itself, and one comes back to the row that was left (${viewport.width} px)`, async () => {
      const page = await openPage({ url: app.url, viewport })
      await signIn(page, owner, '/leads?sort=made')
      await page.getByText('Carla Card').first().waitFor()
      const rows = page.getByRole('link', { name: /^Row\d+ Long/ })
      while ((await rows.count()) < leadCount) {
        await page.mouse.move(viewport.width / 2, 400)
        await page.mouse.wheel(0, 3_000)
        await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
      }
      const last = rows.filter({ hasText: /^Row3 Long/ })
      await last.scrollIntoViewIfNeeded()
      const left = await page.evaluate('scrollY')
      // Beside the name: the whole row opens.
      const box = (await last.boundingBox())!
      await page.mouse.click(viewport.width > 1000 ? viewport.width - 200 : box.x + box.width - 10, box.y + 8)
      await page.getByRole('heading', { name: 'Row3 Long' }).waitFor()
      await page.goBack()
      await last.waitFor()
      await page.waitForFunction(
        (y) => Math.abs((globalThis as never as { scrollY: number }).scrollY - y) < 100,
        left as number,
      )
      await page.context().close()
    })
  }

  test('headers sort; a box in a row is ticked and opens nothing; a card of the board opens', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 1440, height: 900 } })
    await signIn(page, owner, '/leads')
    const header = (name: string) => page.getByRole('columnheader', { name })
    const sorted = (name: string, way: string) =>
      header(name)
        .and(page.locator(`[aria-sort=${way}]`))
        .waitFor()
    await sorted(texts.columns.changed, 'descending')
    await header(texts.columns.changed).getByRole('button').click()
    await page.waitForURL(/sort=changed-reversed/)
    await sorted(texts.columns.changed, 'ascending')
    const first = page.locator('tbody tr').first()
    await first.getByText('Row1 Long').waitFor()
    await page.setViewportSize({ width: 2200, height: 900 })
    await header(texts.columns.made).getByRole('button').click()
    await page.waitForURL(/sort=made$/)
    await sorted(texts.columns.made, 'descending')
    await sorted(texts.columns.changed, 'none')
    await first.getByText('Carla Card').waitFor()
    await header(texts.columns.changed).getByRole('button').click()
    await page.waitForURL((at) => !at.search.includes('sort'))
    // What is not sorted by has a plain header.
    for (const name of [texts.columns.status, texts.columns.contact, texts.columns.people]) {
      assert.equal(await header(name).getByRole('button').count(), 0, name)
      assert.equal(await header(name).getAttribute('aria-sort'), null, name)
    }
    await assertAccessible(page)
    await page.getByRole('checkbox', { name: texts.select('Carla Card') }).check()
    assert.equal(new URL(page.url()).pathname, '/leads')
    await page.goto('/board')
    const card = page.locator('[data-card]').filter({ hasText: 'Carla Card' })
    await card.click({ position: { x: 20, y: 90 } })
    await page.getByRole('heading', { name: 'Carla Card' }).waitFor()
    await page.context().close()
  })

  test('invoices and installations sort by their headers, and by a choice on a phone', async () => {
    for (const [i, name] of ['Bo', 'Ada', 'Cy'].entries()) {
      await site(app.database, world.installer, { name })
      const line_items = [{ description: 'Work', quantity: 1, unit: 'each', unit_price: [20, 30, 10][i]! }]
      const customer = { name, email: null, address: null }
      await post(app, world.installer.key, '', { customer, line_items, due_date: `2031-01-0${3 - i}` })
    }
    const page = await openPage({ url: app.url, viewport: { width: 1440, height: 900 } })
    await startSession(page, owner)
    const names = async (expected: string[]) => {
      const cards = page.getByRole('list', { name: monitoring.list }).getByRole('listitem')
      const rows = page.locator('tbody tr').or(cards)
      for (const [i, name] of expected.entries()) await rows.nth(i).filter({ hasText: name }).waitFor()
      assert.equal(await rows.count(), expected.length)
    }
    const sortBy = (name: string) => page.getByRole('columnheader', { name }).getByRole('button').click()
    await page.goto('/billing')
    await names(['Cy', 'Ada', 'Bo'])
    await sortBy(billing.columns.amount)
    await names(['Ada', 'Bo', 'Cy'])
    await sortBy(billing.columns.amount)
    await names(['Cy', 'Bo', 'Ada'])
    await page.reload()
    await names(['Cy', 'Bo', 'Ada'])
    await sortBy(billing.columns.due)
    await names(['Cy', 'Ada', 'Bo'])
    await assertAccessible(page)
    await page.goto('/monitoring')
    await sortBy(monitoring.columns.name)
    await names(['Ada', 'Bo', 'Cy'])
    await sortBy(monitoring.columns.name)
    await names(['Cy', 'Bo', 'Ada'])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel(monitoring.sort).selectOption(monitoring.otherSorts.name)
    await names(['Ada', 'Bo', 'Cy'])
    await page.context().close()
  })
})
