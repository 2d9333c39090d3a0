import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, lead, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'

describe('a page left open over a new build', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner')
  })

  const gone = { status: 404, body: '' }
  const place = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

  for (const [what, files] of [
    ['script', /\/assets\/calendar-page-[^/]*\.js$/],
    ['style', /\/assets\/calendar-page-[^/]*\.css$/],
  ] as const) {
    test(`loads itself again where a ${what} is gone, and keeps what was typed`, async () => {
      const id = await lead(world.installer, { firstName: 'Ivo', lastName: 'Kept' })
      const page = await openPage({ url: app.url })
      await signIn(page, owner, `/leads/${id}`)
      await page.getByLabel('Write a note').fill('Half a thought')
      // The new build has it.
      let isNew = false
      page.on('request', (request) => {
        isNew ||= request.isNavigationRequest()
      })
      await page.route(files, (route) => (isNew ? route.continue() : route.fulfill(gone)))
      await place(page, 'Calendar').dispatchEvent('click')
      await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Ivo Kept' }).waitFor()
      assert.equal(await page.getByLabel('Write a note').inputValue(), 'Half a thought')
      await page.context().close()
    })
  }

  test('does so once: what stays gone is said', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner)
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads++
    })
    await page.route(/\/assets\/calendar-page-[^/]*\.js$/, (route) => route.fulfill(gone))
    await place(page, 'Calendar').dispatchEvent('click')
    await page.getByRole('alert').getByText('Something went wrong').waitFor()
    assert.equal(loads, 1)
    await page.unroute(/\/assets\/calendar-page-[^/]*\.js$/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
    await page.context().close()
  })
})
