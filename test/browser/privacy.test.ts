import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, lead } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'

const timeout = 60_000

describe('a customer’s data in the console', { skip: noBrowser }, () => {
  let app: App
  let page: Page
  let leadId: string

  before(async () => {
    app = await startApp()
    const world = await createWorld(app.database.db)
    const ada = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com' }
    leadId = await lead(world.installer, ada)
    await lead(world.installer, ada)
    page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  })

  test('is handed out as a file', { timeout }, async () => {
    await page.goto(`/leads/${leadId}`)
    await page.getByRole('button', { name: 'Hand out' }).click()
    await page.getByLabel(/Also 1 other lead/).check()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.equal((await coming).suggestedFilename(), 'customer.zip')
  })

  test('is erased by who types the name', { timeout }, async () => {
    await page.goto(`/leads/${leadId}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('What stays').waitFor()
    await assertAccessible(page)
    const erase = dialog.getByRole('button', { name: 'Erase' })
    assert.equal(await erase.isDisabled(), true)
    await dialog.getByLabel('Type Ada Moreno to go on').fill('ada moreno')
    await erase.click()
    await page.getByText('What was known about this customer was erased on').waitFor()
    await page.getByRole('heading', { name: 'Unnamed customer' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Hand out' }).count(), 0)
  })

  test('is kept for as long as the company says', { timeout }, async () => {
    await page.goto('/settings/retention')
    await page.getByText('Nothing: everything is kept.').waitFor()
    await page.getByLabel('Leads that were never sold').fill('12')
    await page.getByText('0 leads would be erased').waitFor()
    await page.getByLabel('Texts of mails').fill('24')
    await page.getByText('the texts of 0 mails would go').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It is gone by from now on.').waitFor()
    await page.reload()
    await page.getByLabel('Leads that were never sold').waitFor()
    assert.equal(await page.getByLabel('Leads that were never sold').inputValue(), '12')
  })
})
