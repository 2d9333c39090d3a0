import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { addPerson } from '../support/people.ts'

describe('API keys and the request log', { skip: noBrowser }, () => {
  let app: App
  let installer: string
  let dealer: string

  before(async () => {
    app = await startApp()
    const { db } = app.server.deps
    installer = (await createCompany(db, new Date(), { name: 'Sun & Sons' })).id
    dealer = (await createCompany(db, new Date(), { name: 'Bright Doors', installer })).id
  })

  test('a key is made, used, seen in the log and revoked', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, installer, 'owner', 'Olga Owner'), '/settings/keys')
    await page.getByText('No API keys yet').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await dialog.getByLabel('Name').fill('Our CRM')
    await dialog.getByLabel('APIs').selectOption('Company-key API')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Create key' }).click()

    const shown = page.getByRole('dialog', { name: 'Your API key' })
    await shown.waitFor()
    const [secret, curl] = await shown.locator('code').allTextContents()
    assert.match(secret!, /^psk_[0-9a-f]{40}$/)
    assert.equal(curl, `curl -H "Authorization: Bearer ${secret}" \\\n  "${app.url}/v1/me"`)
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('link', { name: 'Our CRM' }).waitFor()
    assert.ok(!(await page.content()).includes(secret!))

    const call = (path: string, id: string) =>
      app.send('GET', path, { key: secret!, headers: { 'x-request-id': id } })
    assert.equal((await call('/v1/me', 'the-first-call')).status, 200)
    assert.equal((await call('/v1/leads/lead_nothing', 'the-second-call')).status, 404)
    await page.getByRole('link', { name: 'Request log' }).click()
    await page.getByRole('button', { name: 'Details of GET /v1/me' }).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('4xx')
    await page.getByRole('button', { name: 'Details of GET /v1/me' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /status=4xx/)
    await page.getByRole('button', { name: 'Details of GET /v1/leads/lead_nothing' }).press('Enter')
    const details = page.getByRole('dialog', { name: 'Call' })
    await details.getByText('the-second-call').waitFor()
    await details.getByText('/v1/leads/:id').waitFor()
    await assertAccessible(page)
    await details.getByRole('link', { name: 'Our CRM' }).click()

    await page.getByText('2 calls in the last 48 hours').waitFor()
    await page.getByText('As a table').click()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Our CRM revoked').waitFor()
    const until = performance.now() + 60_000
    while ((await call('/v1/me', 'refused')).status !== 401)
      assert.ok(performance.now() < until, 'the key still works')
    await page.getByText('Revoked', { exact: true }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    await page.getByRole('link', { name: 'All calls with this key' }).click()
    await page.getByLabel('Request ID').fill('refused')
    await page.getByRole('cell', { name: '401' }).waitFor()
    await page.context().close()
  })

  test('a key is rolled, for a dealer and on a phone', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 } })
    await signIn(page, await addPerson(app, dealer, 'admin', 'Dora Dealer'), '/settings/keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    assert.equal(await dialog.getByLabel('For', { exact: true }).count(), 0)
    await dialog.getByLabel('Name').fill('Doors')
    await dialog.getByLabel('Access').selectOption('Read only')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Your API key' })
    const old = (await shown.locator('code').first().textContent())!
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    assert.equal((await app.send('GET', '/v1/me', { key: old })).status, 200)
    await page.getByRole('link', { name: /Doors/ }).click()
    await page.getByRole('button', { name: 'Roll' }).click()
    await page.getByLabel('Keep this key working for').selectOption('1 hour')
    await page.getByRole('button', { name: 'Create new key' }).click()
    const next = (await shown.locator('code').first().textContent())!
    assert.notEqual(next, old)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await shown.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('Expiring').waitFor()
    await page.getByRole('button', { name: /GET \/v1\/me/ }).waitFor()
    await assertAccessible(page)
    for (const key of [old, next]) assert.equal((await app.send('GET', '/v1/me', { key })).status, 200)
    await page.getByRole('link', { name: 'the new key' }).click()
    await page.getByText('Expiring').waitFor({ state: 'detached' })
    await page.goto('/settings/requests')
    await page
      .getByRole('button', { name: /GET \/v1\/me/ })
      .first()
      .waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await assertAccessible(page)
    await page.context().close()
  })

  test('is not there for those who may not', async () => {
    const page = await openPage({ url: app.url })
    await startSession(page, await addPerson(app, installer, 'manager'))
    for (const path of ['/settings/keys', '/settings/requests', '/settings/keys/key_0000000000nothing']) {
      await page.goto(path)
      await page.getByText('Page not found').waitFor()
    }
    await page.context().close()
  })
})
