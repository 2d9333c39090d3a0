import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { patchStage } from '../../src/domain/tenants/ladders/patch-stage.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { stock } from '../support/stock.ts'

describe('mark as sold, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let rep: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    rep = await addPerson(app, installer.company.id, 'rep', 'Rita Rep')
    await stock(installer)
  })

  const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click()
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, exact: true, level: 2 }).waitFor()

  test('a rep sells a system step by step, and the project is there', async () => {
    const leadId = await lead(world.installer, { firstName: 'Ada', salesRepId: rep.id })
    const page = await openPage({ url: app.url })
    await signIn(page, rep, `/leads/${leadId}/sell`)
    await heading(page, 'System')
    await next(page)
    // What is missing is said, and is where one goes on.
    await page.getByText('Enter a whole number of 1 or more.').first().waitFor()
    const panels = page.getByLabel('Number of panels')
    await page.waitForFunction(`document.activeElement?.getAttribute('aria-invalid') === 'true'`)
    await panels.fill('22')
    await page.getByLabel(/^Trenching/).check()
    await page.getByLabel('Quantity of Trenching').fill('40')
    await page.getByText('$1,520.20').first().waitFor()
    await page.getByText('14,432 kWh/year').waitFor()
    await assertAccessible(page)
    await next(page)

    await heading(page, 'Price')
    await page.getByLabel('Price per watt before adders').fill('2.95')
    await page.getByText('$28,129.20').first().waitFor()
    // A reload loses nothing.
    await page.reload()
    await heading(page, 'Price')
    assert.equal(await page.getByLabel('Price per watt before adders').inputValue(), '2.95')
    await assertAccessible(page)
    await next(page)

    await heading(page, 'Financing')
    await page.getByRole('radio', { name: 'Loan' }).check({ force: true })
    await next(page)
    await page.getByText('Enter a percentage, for example 5.99.').waitFor()
    await page.getByLabel('APR, %').fill('5.99')
    await page.getByLabel('Term in years').fill('25')
    await page.getByText('$181.06').first().waitFor()
    await assertAccessible(page)
    await next(page)

    await heading(page, 'Contract')
    await page.getByLabel('Notes for the project').fill('Gate code 4410')
    await assertAccessible(page)
    await next(page)

    await heading(page, 'Review')
    await page.getByText('Gate code 4410').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Mark as sold' }).click()
    await page.waitForURL(/\/projects\/proj_/)
    const projectId = new URL(page.url()).pathname.split('/').at(-1)!
    const read = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.deepEqual(
      [read.leadId, read.contract.price, read.financing.monthlyPayment, read.system.inverters.count],
      [leadId, 28129.2, 181.06, 22],
    )
    assert.equal(read.notes.project, 'Gate code 4410')

    // Who comes back is shown the way to the project.
    await page.goto(`/leads/${leadId}/sell`)
    await page.getByRole('link', { name: 'Open project' }).waitFor()
    await page.context().close()
  })

  test('products are sold on a phone, whoever is told can be left out, and the sale is undone', async () => {
    const [sold] = await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = $1 and product_line = 'hi' and name = 'Sold'`,
      [world.installer.company.id],
    )
    await patchStage(world.db, new Date(), world.installer.company.id, sold!.id, {
      alerts: ['salesRep'],
      messages: [{ subject: 'Welcome, {firstName}', body: 'You are in {stage}.' }],
    })
    const email = 'bea.moreno@example.com'
    const leadId = await lead(world.installer, {
      ...{ productLine: 'hi', salesRepId: rep.id, firstName: 'Bea', lastName: 'Moreno', email },
    })
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await signIn(page, rep, `/leads/${leadId}/sell`)
    await page.getByText('Step 1 of 5: Products').waitFor()
    await next(page)
    await page.getByText('Choose at least one product.').waitFor()
    await page.getByLabel(/^Roof/).check()
    await page.getByLabel('Quantity of Roof').fill('1,800')
    await page.getByText('$11,610.00').first().waitFor()
    const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    assert.ok(wider <= 0, `${wider} px too wide`)
    await assertAccessible(page)
    for (const step of ['Price', 'Financing', 'Contract', 'Review']) {
      await next(page)
      await heading(page, step)
    }
    await page.getByText('“Welcome, Bea”').waitFor()
    await page.getByLabel('Alert Rita Rep').uncheck()
    const customer = page.getByLabel(`Email Bea Moreno (${email})`)
    await customer.scrollIntoViewIfNeeded()
    await assertAccessible(page)
    const beside = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    assert.ok(beside <= 0, `${beside} px too wide`)
    const mails = async () =>
      (
        await app.database.rows<{ to: string }>('select to_address as "to" from mails where lead_id = $1', [
          leadId,
        ])
      ).map(({ to }) => to)
    await page.getByRole('button', { name: 'Mark as sold' }).click()
    await page.waitForURL(/\/projects\/proj_/)
    assert.deepEqual(await mails(), [email])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(new RegExp(`/leads/${leadId}$`))
    await page.getByText('Sale undone. The lead is as it was.').waitFor()
    assert.deepEqual(await mails(), [])
    const read = (await app.get(`/v1/leads/${leadId}`, world.installer.key)).body
    assert.deepEqual([read.status, read.project], ['new', null])
    await page.context().close()
  })

  test('a lead of somebody else is not there, and one that is only seen is not sold', async () => {
    const foreign = await lead(world.other)
    const seen = await lead(world.installer, { setterId: rep.id })
    const page = await openPage({ url: app.url })
    await signIn(page, rep, `/leads/${foreign}/sell`)
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await page.goto(`/leads/${seen}/sell`)
    await page.getByText('Only owners, admins, managers and the lead’s own rep may sell it.').waitFor()
    await page.context().close()
  })

  test('the proposal is read on a phone, in the dark and on paper', async () => {
    const { projectId } = await project(world.installer, { firstName: 'Ada' })
    const { links } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await openPage({ url: app.url, colorScheme, viewport: { width: 390, height: 844 } })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(new URL(links.proposal).pathname)
      await page.getByRole('heading', { name: 'Your solar system, Ada' }).waitFor()
      const wider = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      assert.ok(wider <= 0, `${wider} px too wide`)
      await assertAccessible(page)
      for (const format of ['A4', 'Letter']) {
        const pdf = (await page.pdf({ format, printBackground: true })).toString('latin1')
        const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
        assert.ok(sheets >= 1 && sheets <= 2, `${sheets} sheets of ${format}`)
      }
      assert.deepEqual(complaints, [])
      await page.context().close()
    }
  })
})
