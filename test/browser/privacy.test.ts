import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'

describe('a customer’s data in the console', { skip: noBrowser }, () => {
  let app: App
  let page: Page
  let world: World
  let leadId: string

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const ada = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@example.com' }
    leadId = await lead(world.installer, ada)
    await lead(world.installer, ada)
    page = await openPage({ url: app.url })
    await startSession(page, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  })

  test('is exported as a file', async () => {
    await page.goto(`/leads/${leadId}`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByLabel(/Also 1 other lead/).check()
    const coming = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.equal((await coming).suggestedFilename(), 'customer.zip')
  })

  test('is erased by who types the name', async () => {
    await page.goto(`/leads/${leadId}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Kept', { exact: true }).waitFor()
    await assertAccessible(page)
    const erase = dialog.getByRole('button', { name: 'Erase' })
    assert.equal(await erase.isDisabled(), true)
    await dialog.getByLabel('Type Ada Moreno to confirm').fill('ada moreno')
    await erase.click()
    await page.getByText('This customer’s data was erased on').waitFor()
    await page.getByRole('heading', { name: 'Erased customer' }).waitFor()
    for (const name of ['Export', 'Erase', 'Add a co-borrower'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    assert.equal(await page.getByRole('textbox').count(), 0, 'a note is offered to be written')
  })

  test('is not offered to be written on once they are erased, on the project either', async () => {
    const { leadId: sold, projectId } = await project(world.installer, { firstName: 'Ben', lastName: 'Sold' })
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('button', { name: 'Edit contract and financing' }).waitFor()
    await page.goto(`/leads/${sold}`)
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type Ben Sold to confirm').fill('Ben Sold')
    await dialog.getByRole('button', { name: 'Erase' }).click()
    await page.getByText('This customer’s data was erased on').waitFor()
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('heading', { name: 'Erased customer' }).waitFor()
    await page.getByText('This customer’s data was erased on').waitFor()
    for (const name of ['Edit contract and financing', 'Replace all API links', /notes/i, /^Add files/])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    assert.equal(await page.getByRole('textbox').count(), 0, 'a note is offered to be written')
    await page
      .getByRole('button', { name: /^Move to/ })
      .first()
      .waitFor()
    await assertAccessible(page)
  })

  test('is the installer’s to erase once they have bought: a dealer is told so', async () => {
    const { leadId: sold } = await project(world.dealer, { firstName: 'Dora', lastName: 'Sold' })
    const theirs = await openPage({ url: app.url })
    await signIn(
      theirs,
      await addPerson(app, world.dealer.company.id, 'owner', 'Dan Dealer'),
      `/leads/${sold}`,
    )
    await theirs.getByText('only the installer can erase them').waitFor()
    assert.equal(await theirs.getByRole('button', { name: 'Erase' }).count(), 0)
    await theirs.getByRole('button', { name: 'Export' }).waitFor()
    await theirs.context().close()
  })

  test('is kept for as long as the company says', async () => {
    await page.goto('/settings/retention')
    await page.getByText('Nothing: everything is kept.').waitFor()
    await page.getByLabel('Unsold leads').fill('12')
    await page.getByText('0 leads would be erased').waitFor()
    await page.getByLabel('Email text').fill('24')
    await page.getByText('the text of 0 emails would be removed').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Retention settings saved.').waitFor()
    await page.reload()
    await page.getByLabel('Unsold leads').waitFor()
    // Nothing would go by it, so nobody was asked; now something would.
    await app.database.rows(`update leads set updated_at = updated_at - interval '5 years' where erased_at is null
      and project_id is null`)
    await page.getByLabel('Unsold leads').fill('11')
    await page.getByRole('button', { name: 'Save' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete this data?' })
    await asked.getByText('1 lead would be erased').waitFor()
    await assertAccessible(page)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await page.getByLabel('Unsold leads').waitFor()
    assert.equal(await page.getByLabel('Unsold leads').inputValue(), '12')
  })
})
