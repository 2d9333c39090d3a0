import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { lead } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'
import { startWebhookApp } from '../support/webhook-app.ts'
import { verify } from '../support/webhook-receiver.ts'

describe('webhooks', { skip: noBrowser }, async () => {
  if (noBrowser) return
  const { app, world, receiver, eventually } = await startWebhookApp('60')
  const installer = world.installer.company.id

  test('an endpoint is added, tested, fails, is sent again and hears it', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, installer, 'owner', 'Olga Owner'), '/settings/webhooks')
    await page.getByText('No endpoints yet').waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add endpoint' })
    await form.getByLabel('URL').fill('http://127.0.0.1/hook')
    await form.getByLabel('Description').fill('Our CRM')
    await form.getByLabel('All events').uncheck()
    await form.getByLabel('A lead was created').check()
    await assertAccessible(page)
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await form.getByText('URL: the address ').waitFor()
    await form.getByLabel('URL').fill(`${receiver.url}/hook`)
    await form.getByRole('button', { name: 'Add endpoint' }).click()

    const shown = page.getByRole('dialog', { name: 'Signing secret' })
    const secret = (await shown.locator('code').textContent())!
    assert.match(secret, /^whsec_/)
    await assertAccessible(page)
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('link', { name: 'Our CRM' }).click()
    assert.ok(!(await page.content()).includes(secret))

    receiver.behave('/hook', (response) => response.writeHead(503).end('Closed for lunch'))
    await page.getByText('No deliveries yet').first().waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Test failed. The endpoint answered 503').waitFor()
    verify(receiver.at('/hook')[0]!, secret)
    await lead(world.installer)
    await receiver.arrived('/hook', 2)
    // What came of it is written down once it is answered.
    await eventually(
      'both in the log',
      async () => (await app.database.rows('select id from webhook_deliveries')).length === 2,
    )
    await page.reload()
    await page.getByText('Failing', { exact: true }).waitFor()
    await page.getByText('0% of 2 deliveries succeeded').waitFor()
    await assertAccessible(page)

    await page.getByLabel('Status').selectOption('Pending')
    await page.waitForURL(/state=due/)
    await page.getByRole('button', { name: /Details of A lead was created/ }).press('Enter')
    const details = page.getByRole('dialog', { name: 'Delivery' })
    await details.getByText('Closed for lunch').waitFor()
    await details.getByText('"type": "lead.created"').waitFor()
    await details.getByText('webhook-id: evt_').waitFor()
    await assertAccessible(page)
    receiver.behave('/hook', (response) => response.writeHead(200).end('Thanks'))
    await details.getByRole('button', { name: 'Resend' }).click()
    await details.getByText('Thanks').waitFor()
    await details.getByText('Delivered').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Status').selectOption('All statuses')

    await page.getByRole('button', { name: 'Resend a period' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await page.getByText('2 deliveries queued').waitFor()
    await receiver.arrived('/hook', 5)
    const list = page.getByRole('region', { name: 'Deliveries' })
    await list.getByText('Failed').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('it is changed, given a new secret, turned off and deleted, on a phone', async () => {
    const page = await openPage({
      url: app.url,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await signIn(
      page,
      await addPerson(app, world.dealer.company.id, 'admin', 'Dora Dealer'),
      '/settings/webhooks',
    )
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByLabel('URL').fill(`${receiver.url}/dealer`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click()
    const old = (await page.getByRole('dialog').locator('code').textContent())!
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('link', { name: `${receiver.url}/dealer` }).click()

    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('New secret')
    await page.getByRole('button', { name: 'Create new secret' }).click()
    const next = (await page.getByRole('dialog').locator('code').textContent())!
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('messages carry two signatures').waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    const [received] = await receiver.arrived('/dealer', 1)
    for (const secret of [old, next]) verify(received!, secret)

    await choose('Edit')
    await page.getByLabel('Description').fill('Doors')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Doors' }).waitFor()
    await choose('Turn off')
    await page.getByText('Dora Dealer turned it off').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Working', { exact: true }).waitFor()
    await choose('Delete')
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    await page.context().close()
  })
})
