import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'

describe('a company’s own matters', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let rita: Person
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { id } = world.installer.company
    owner = await addPerson(app, id, 'owner', 'Olga Owner')
    rita = await addPerson(app, id, 'rep', 'Rita Rep', 'rita@example.com')
    await addPerson(app, id, 'rep', 'Tina To', 'tina@example.com')
    page = await openPage({ url: app.url })
    await startSession(page, owner)
  })

  const saved = (text: string | RegExp) => page.getByText(text).first().waitFor()
  const entry = (text: RegExp) => page.getByRole('listitem').filter({ hasText: text }).first()

  test('renamed, with a logo: the proposal shows both', async () => {
    const { projectId } = await project(world.installer)
    await page.goto('/settings')
    await page.getByLabel('Name').fill('Sunrise & Sons')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await saved('Company saved.')
    const picture = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#c60' } })
      .jpeg()
      .toBuffer()
    const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }
    await page.locator('input[type=file]').setInputFiles(svg)
    await page.getByRole('alert').getByText('Give a PNG, JPEG or WebP file').waitFor()
    const jpeg = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: picture }
    await page.locator('input[type=file]').setInputFiles(jpeg)
    await page.getByRole('img', { name: 'Logo of Sunrise & Sons' }).waitFor()
    await assertAccessible(page)

    const { links } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const proposal = await openPage({ url: app.url })
    await proposal.goto(new URL(links.proposal).pathname)
    const logo = proposal.getByRole('img', { name: 'Sunrise & Sons' })
    await logo.waitFor()
    const width = await logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)
    assert.equal(width, 640)
    await assertAccessible(proposal)
    await proposal.context().close()
  })

  test('a person gets another role, and leaves with their work in good hands', async () => {
    const leadIds = await Promise.all([1, 2, 3].map(() => lead(world.installer, { salesRepId: rita.id })))
    const hers = await openPage({ url: app.url })
    await signIn(hers, rita, '/leads')
    await hers.getByRole('link', { name: /Last/ }).first().waitFor()

    await page.goto('/settings/people')
    const row = page.getByRole('listitem').filter({ hasText: 'Rita Rep' })
    await row.getByRole('button', { name: 'Actions for Rita Rep' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Role').selectOption('Setter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('Setter').waitFor()

    await row.getByRole('button', { name: 'Actions for Rita Rep' }).click()
    await page.getByRole('menuitem', { name: 'Deactivate' }).click()
    await page.getByText('3 records to reassign.').waitFor()
    await page.getByLabel('Open work').selectOption('Tina To (Sales rep)')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('3 records reassigned to Tina To.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await row.getByText('Deactivated', { exact: true }).waitFor()
    for (const id of leadIds)
      assert.equal((await app.get(`/v1/leads/${id}`, world.installer.key)).body.salesRep.name, 'Tina To')

    await hers.goto('/leads')
    await hers.getByRole('heading', { name: 'Sign in' }).waitFor()
    await hers.context().close()
  })

  test('a dealer that is suspended: its key answers 401', async () => {
    await page.goto('/settings/company')
    await page.getByRole('link', { name: /Bright Doors/ }).click()
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend Bright Doors?' })
    await dialog.getByText('its API keys stop working at once').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Suspended', { exact: true }).waitFor()
    const end = Date.now() + 60_000
    while ((await app.get('/v1/me', world.dealer.key)).status !== 401) assert.ok(Date.now() < end)
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
  })

  test('the audit log tells each of it, from what to what', async () => {
    await page.goto('/settings/audit')
    await entry(/Olga Owner updated the company.*Name.*Sunrise Solar.*Sunrise & Sons/).waitFor()
    await entry(/Olga Owner suspended the company.*Status.*active.*suspended/).waitFor()
    await page.getByLabel('Category').selectOption('People')
    await entry(/Olga Owner changed Rita Rep.*Role.*Sales rep.*Setter/).waitFor()
    await entry(/Olga Owner deactivated Rita Rep.*Can sign in.*yes.*no/).waitFor()
    await entry(/reassigned the work of Rita Rep.*Work.*Rita Rep.*Tina To/).waitFor()
    assert.match(page.url(), /kind=member/)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.evaluate(() => fetch('/console/api/adders.csv'))
    await page.getByLabel('Category').selectOption('Security')
    await entry(/Olga Owner exported the adders and products.*127\.0\.0\.1 · Chrome on Linux/).waitFor()
    await entry(/Olga Owner deactivated Rita Rep/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Clear' }).click()
    const leadId = await lead(world.installer, { firstName: 'Wanda', lastName: 'Found' })
    await page.getByLabel('Record').fill('wanda')
    await page.getByRole('button', { name: /Wanda Found/ }).click()
    await page.getByRole('button', { name: 'Only Wanda Found' }).waitFor()
    assert.match(page.url(), new RegExp(`record=${leadId}`))
    await entry(/created the lead Wanda Found/).waitFor()
  })

  test('an invitation is readable where no mail is sent', async () => {
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Invite person' }).click()
    await page.getByLabel('Name').fill('Maria')
    await page.getByRole('textbox', { name: 'Email' }).fill('maria@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.locator('#content').getByText('maria@example.com', { exact: true }).waitFor()
    await page.goto('/settings/mail')
    await page.getByText(/No mail server is set/).waitFor()
    await page.getByRole('button', { name: /Sunrise & Sons has invited you to Sunstead/ }).click()
    await page.getByText(/\/invitation\?token=/).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('Templates').click()
    await page.getByRole('heading', { name: 'Webhook turned off' }).waitFor()
    await assertAccessible(page)
    await page.context().close()
  })
})
