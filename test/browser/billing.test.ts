import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, type World } from '../support/factories.ts'
import { invoiceIn, made, plan, site } from '../support/invoices.ts'
import { addPerson } from '../support/people.ts'

describe('billing', { skip: noBrowser }, () => {
  let app: App
  let world: World

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
  })

  const part = (page: Page, name: string) => page.getByText(name, { exact: true }).click()

  test('plan, monthly run, draft edited, finalised, PDF, paid; a held month says why', async () => {
    const { installer } = world
    const home = await site(app.database, installer, { name: 'Moreno residence' })
    const gaps = await site(app.database, installer, { name: 'Quist residence' })
    await made(app.database, installer, home, '2026-03-01', '2026-03-31', 40)
    await made(app.database, installer, gaps, '2026-03-01', '2026-03-28', 40)
    await plan(installer, gaps)
    const page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, installer.company.id, 'manager', 'Mara Manager'))
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByText('No invoices yet').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Go to plans' }).click()

    await page.getByRole('button', { name: 'Set a plan for Moreno residence' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set a plan for Moreno residence' })
    await dialog.getByLabel('Rate per kWh').fill('a lot')
    await dialog.getByLabel('Annual escalator, %').fill('2.9')
    await dialog.getByLabel('Billing start date').fill('2026-01-01')
    await dialog.getByLabel('Name').fill('Ada Moreno')
    await dialog.getByRole('button', { name: 'Save plan' }).click()
    await dialog.getByRole('alert').waitFor()
    await assertAccessible(page)
    await dialog.getByLabel('Rate per kWh').fill('0.125')
    await dialog.getByRole('button', { name: 'Save plan' }).click()
    await page.getByText('$0.125 per kWh').waitFor()
    await assertAccessible(page)

    await part(page, 'Billing runs')
    await page.getByText('No run was started by hand yet').waitFor()
    await page.getByLabel('Month').selectOption('March 2026')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Start the run' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText('of the daylight readings received').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Held 1' }).click()
    await page.getByRole('link', { name: 'Moreno residence' }).waitFor({ state: 'detached' })
    await page.getByText('Not billed (1)').click()
    await page.getByText(/March 2026: 9[\d.]+% of the daylight readings received/).waitFor()
    const link = page.getByRole('link', { name: 'Quist residence' })
    assert.equal(await link.getAttribute('href'), `/monitoring/${gaps}`)
    await assertAccessible(page)

    await part(page, 'Invoices')
    await page.getByRole('link', { name: 'Draft' }).click()
    await page.getByRole('heading', { name: 'Draft invoice' }).waitFor()
    await page.getByRole('cell', { name: '$155.00' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Description of line 2').fill('Thank you')
    await page.getByLabel('Price of line 2').fill('-5.005')
    await page.getByText('Total $149.99').waitFor()
    await assertAccessible(page)
    await page.reload()
    assert.equal(await page.getByLabel('Description of line 2').inputValue(), 'Thank you', 'typed text stays')
    await page.getByLabel('Due date').fill('2030-01-31')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Draft saved.').waitFor()
    await page.getByText('Edited by hand').waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'Finalize' }).click()
    await page.getByText('for $149.99').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Finalize' }).click()
    await page.getByRole('heading', { name: /^Invoice \d+-000001$/ }).waitFor()
    const pdf = page.getByRole('link', { name: 'Open PDF' })
    assert.equal(await pdf.getAttribute('target'), '_blank')
    const answer = await page.request.get((await pdf.getAttribute('href'))!)
    assert.equal(answer.headers()['content-type'], 'application/pdf')
    assert.match(answer.headers()['content-disposition']!, /^inline/)
    assert.ok((await answer.body()).subarray(0, 5).equals(Buffer.from('%PDF-')))

    await page.getByRole('button', { name: 'Record a payment' }).click()
    const pay = page.getByRole('dialog', { name: 'Record a payment' })
    await pay.getByLabel('Amount').fill('1000')
    await pay.getByRole('button', { name: 'Record payment' }).click()
    await pay.getByText('149.99 USD remain').waitFor()
    await pay.getByLabel('Amount').fill('49.99')
    await pay.getByLabel('Method').selectOption('Check')
    await pay.getByLabel('Reference').fill('1042')
    await pay.getByLabel('Date received').fill('2026-02-03')
    await assertAccessible(page)
    await pay.getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Payment of $49.99 recorded.').waitFor()
    await page.getByText('Feb 3, 2026, Check 1042, recorded by Mara Manager').waitFor()
    await page.getByRole('button', { name: 'Record a payment' }).click()
    assert.equal(await pay.getByLabel('Amount').inputValue(), '100.00')
    await pay.getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Paid on', { exact: true }).waitFor()
    assert.equal(await page.getByRole('listitem').filter({ hasText: 'recorded by Mara Manager' }).count(), 2)
    assert.equal(await page.getByRole('button', { name: 'Void' }).count(), 0)
    await assertAccessible(page)
    await page.context().close()
  })

  test('an invoice is voided on a phone in the dark; what is refused shows how it stands', async () => {
    const { dealer } = world
    await invoiceIn(app, dealer.key, 'open')
    const other = await invoiceIn(app, dealer.key, 'draft')
    const viewport = { width: 390, height: 844 }
    const page = await openPage({ url: app.url, viewport, colorScheme: 'dark' })
    await signIn(page, await addPerson(app, dealer.company.id, 'owner', 'Dora Dealer'))
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Billing' }).click()
    await page.getByRole('list', { name: 'Invoices', exact: true }).waitFor()
    await assertNoSideways(page)
    await assertAccessible(page)
    await page.getByLabel('Status', { exact: true }).selectOption('Open')
    await page.getByRole('link', { name: /1002-000001/ }).click()
    await page.getByRole('button', { name: 'Void' }).click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Void invoice' }).click()
    await page.getByText(/voided\.$/).waitFor()
    await assertNoSideways(page)
    await page.goto(`/billing/invoices/${other}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await finalizedElsewhere(other)
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await page.getByText('This invoice is open').waitFor()
    await page.getByRole('button', { name: 'Show the latest version' }).click()
    await page.getByRole('button', { name: 'Record a payment' }).waitFor()
    await page.goto('/billing?part=plans')
    await page.getByText('No installations yet').waitFor()
    await page.goto('/billing?part=unbilled')
    await page.getByText('All months are billed').waitFor()
    await page.goto('/billing?status=lost')
    await page.getByText('The filters in the URL aren’t valid').waitFor()
    await assertNoSideways(page)
    await page.context().close()
  })

  /** Somebody else is quicker. */
  const finalizedElsewhere = (id: string) =>
    app.send('POST', `/catalog/v1/billing/invoices/${id}/finalize`, { key: world.dealer.key })

  test('a part-paid invoice is voided: a credit that the next one uses, or a refund that is recorded', async () => {
    const { other } = world
    const customer = { name: 'Nia Castillo', email: 'nia@example.com' }
    const partPaid = async () => {
      const body = { customer, line_items: [{ description: 'Cleaning', unit_price: 100 }] }
      const id = await invoiceIn(app, other.key, 'open', body)
      await app.send('POST', `/catalog/v1/billing/invoices/${id}/pay`, {
        key: other.key,
        body: { amount: 40 },
      })
      return id
    }
    const [first, second] = [await partPaid(), await partPaid()]
    const page = await openPage({ url: app.url })
    await signIn(
      page,
      await addPerson(app, other.company.id, 'manager', 'Mina Clerk'),
      `/billing/invoices/${first}`,
    )
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByText('$40.00 was paid on this invoice. What should happen to it?').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Void invoice' }).click()
    await page
      .getByText('The $40.00 paid on this invoice became a credit: $0.00 refunded, $40.00 left.')
      .waitFor()
    await assertAccessible(page)

    await page.goto(`/billing/invoices/${second}`)
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByLabel(/^Refund/).check()
    await page.getByLabel('Method').selectOption('ACH')
    await page.getByLabel('Reference').fill('TRX-7')
    await page.getByRole('button', { name: 'Void invoice' }).click()
    await page.getByText('$40.00 refunded, $0.00 left.').waitFor()

    const draft = await invoiceIn(app, other.key, 'draft', {
      customer,
      line_items: [{ description: 'Cleaning', unit_price: 30 }],
    })
    await page.goto(`/billing/invoices/${draft}`)
    await page.getByText('$30.00 credit from').waitFor()
    await page.getByText('-$30.00').waitFor()
    await assertAccessible(page)

    await page.goto('/billing?part=credits')
    await page.getByText('$10.00 left').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Record a refund to Nia Castillo' }).click()
    const refund = page.getByRole('dialog')
    await refund.getByLabel('Amount').fill('11')
    await refund.getByRole('button', { name: 'Record refund' }).click()
    await refund.getByText('Only 10.00 USD of this credit is left').waitFor()
    await refund.getByLabel('Amount').fill('10')
    await assertAccessible(page)
    await refund.getByRole('button', { name: 'Record refund' }).click()
    await page.getByText('Refund of $10.00 recorded.').waitFor()
    await page.getByText('No credits yet').waitFor()
    await page.getByLabel('Show').selectOption('All credits')
    await page.getByText('ACH TRX-7').waitFor()
    await assertAccessible(page)
    await page.context().close()
  })

  test('who does not run the company finds nothing there', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, world.installer.company.id, 'rep'))
    assert.equal(await page.getByRole('link', { name: 'Billing' }).count(), 0)
    await page.goto('/billing')
    await page.getByText('Page not found').waitFor()
    await page.context().close()
  })
})

async function assertNoSideways(page: Page): Promise<void> {
  const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  assert.ok(beyond <= 0, `${beyond} pixels too wide`)
}
