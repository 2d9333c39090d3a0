import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { common } from '../../web/texts/en/common.ts'
import { connection } from '../../web/texts/en/connection.ts'
import { editing } from '../../web/texts/en/editing.ts'
import { keys } from '../../web/texts/en/keys.ts'
import { leads } from '../../web/texts/en/leads.ts'
import { project as projects } from '../../web/texts/en/project.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, renew, signIn } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

describe('forms, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let other: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    const admin = await addPerson(app, world.installer.company.id, 'admin', 'Ada Admin')
    other = await signedIn(app, admin)
  })

  const count = async (lastName: string) =>
    (await app.database.rows('select id from leads where last_name = $1', [lastName])).length

  const used = new Map<object, Page>()

  /** In one window for all tests of its size. */
  async function opened(path: string, options: object): Promise<Page> {
    const before = used.get(options)
    if (before) await renew(before)
    const page = before ?? (await openPage({ url: app.url, ...options }))
    used.set(options, page)
    await signIn(page, owner, path)
    return page
  }

  /** The form of a new lead, filled in. */
  async function newLead(page: Page, lastName: string) {
    await page.getByRole('button', { name: leads.make }).first().click()
    const dialog = page.getByRole('dialog', { name: leads.make })
    const typed = {
      firstName: 'Ada',
      lastName,
      line1: '1 Elm St',
      city: 'Reno',
      state: 'NV',
      postalCode: '89501',
    }
    for (const [name, text] of Object.entries(typed))
      await dialog.getByLabel(leads[name as keyof typeof typed]).fill(text)
    return { dialog, send: dialog.getByRole('button', { name: leads.making }) }
  }

  for (const [size, options] of Object.entries(sizes)) {
    test(`two quick taps make one lead and one key, which is shown (${size})`, async () => {
      const lastName = `Tapped-${size}`
      const page = await opened('/leads', options)
      const { send } = await newLead(page, lastName)
      // Both before the page has drawn anything again.
      await send.evaluate((button: { click(): void }) => [button.click(), button.click(), button.click()])
      await page.getByRole('heading', { name: `Ada ${lastName}` }).waitFor()
      assert.equal(await count(lastName), 1)
      await page.goto('/settings/keys')
      await page.getByRole('button', { name: keys.make }).click()
      const dialog = page.getByRole('dialog', { name: keys.make })
      await dialog.getByLabel(keys.name, { exact: true }).fill(lastName)
      const make = dialog.getByRole('button', { name: keys.make })
      await make.evaluate((button: { click(): void }) => [button.click(), button.click()])
      const shown = page.getByRole('dialog', { name: keys.secretTitle })
      await shown.getByText(/^psk_/).first().waitFor()
      const made = (await other.get('/keys')).body.keys.filter(
        ({ name }: { name: string }) => name === lastName,
      )
      assert.equal(made.length, 1)
    })

    test(`an answer that is lost on its way is asked for again, and nothing is done twice (${size})`, async () => {
      const lastName = `Unheard-${size}`
      const page = await opened('/leads', options)
      const { send } = await newLead(page, lastName)
      let lost = 0
      await page.route('**/console/api/leads', async (route: Route) => {
        if (route.request().method() !== 'POST' || lost++ > 0) return route.continue()
        await route.fetch()
        await route.abort('connectionreset')
      })
      await send.click()
      await page.getByRole('heading', { name: `Ada ${lastName}` }).waitFor()
      assert.ok(lost > 1)
      assert.equal(await count(lastName), 1)
    })

    test(`offline it is said, what was typed stays, and is sent when back (${size})`, async () => {
      const lastName = `Offline-${size}`
      const page = await opened('/leads', options)
      const { dialog, send } = await newLead(page, lastName)
      await page.context().setOffline(true)
      await page.getByText(connection.kept).waitFor()
      await send.click()
      await page.getByText(connection.waiting(1)).waitFor()
      assert.equal(await dialog.getByLabel(leads.lastName).inputValue(), lastName)
      await assertAccessible(page)
      // Not after all: it stays as it was typed.
      await page.getByRole('button', { name: connection.dontSend }).click()
      await dialog.getByText(connection.notSent).waitFor()
      assert.equal(await dialog.getByLabel(leads.lastName).inputValue(), lastName)
      await send.click()
      await page.getByText(connection.waiting(1)).waitFor()
      assert.equal(await count(lastName), 0)
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: `Ada ${lastName}` }).waitFor()
      await page.getByText(connection.kept).waitFor({ state: 'detached' })
      assert.equal(await count(lastName), 1)
    })

    test(`a server that is away behind a proxy is waited for, and nothing is lost by it (${size})`, async () => {
      const lastName = `Gateway-${size}`
      const page = await opened('/leads', options)
      const { send } = await newLead(page, lastName)
      const badGateway = (route: Route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
      await page.route('**/*', badGateway)
      await send.click()
      await page.getByText(connection.waitingAway(1)).waitFor()
      await assertAccessible(page)
      await page.unroute('**/*', badGateway)
      await page.getByRole('heading', { name: `Ada ${lastName}` }).waitFor()
      assert.equal(await count(lastName), 1)
      // A page whose script does not come is not given up for the proxy's own.
      await page.route('**/*', badGateway)
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Board' })
        .dispatchEvent('click')
      await page.getByRole('alert').getByText(connection.notLoadedAway).waitFor()
      await assertAccessible(page)
      await page.unroute('**/*', badGateway)
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    })

    test(`a proxy’s word for a server that is back already is no answer (${size})`, async () => {
      const lastName = `Blip-${size}`
      const page = await opened('/leads', options)
      const { send } = await newLead(page, lastName)
      let refused = 0
      await page.route('**/console/api/leads', async (route: Route) => {
        if (route.request().method() !== 'POST' || refused++ > 0) return route.continue()
        // It was done, and the answer did not come in time.
        await route.fetch()
        await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504</h1>' })
      })
      await send.click()
      await page.getByRole('heading', { name: `Ada ${lastName}` }).waitFor()
      assert.ok(refused > 1)
      assert.equal(await count(lastName), 1)
    })

    test(`a page that was not loaded says so offline, and opens when back (${size})`, async () => {
      const id = await lead(world.installer, { firstName: 'Not', lastName: `Loaded-${size}` })
      const page = await opened('/leads', options)
      const place = (name: string) =>
        page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
      await page.getByText(`Loaded-${size}`).first().waitFor()
      await page.context().setOffline(true)
      // Its script is not there yet.
      await place('Calendar').dispatchEvent('click')
      await page.getByRole('alert').getByText(connection.notLoaded).waitFor()
      // What was there before still is.
      await place('Leads').click()
      await page.getByText(`Loaded-${size}`).first().waitFor()
      await place('Calendar').dispatchEvent('click')
      await page.getByRole('alert').getByText(connection.notLoaded).waitFor()
      await assertAccessible(page)
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: 'Calendar', level: 1 }).waitFor()
      // The script is there, what it shows is not.
      await page.goto(`/leads/${id}`)
      await page.getByRole('heading', { name: `Not Loaded-${size}` }).waitFor()
      await place('Leads').click()
      await page.getByText(`Loaded-${size}`).first().waitFor()
      await page.context().setOffline(true)
      const { leadId } = (await other.call('POST', '/leads', { body: plain(`Later-${size}`) })).body
      await page.evaluate(
        `history.pushState({}, '', '/leads/${leadId}'); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await page.getByRole('alert').getByText(connection.notLoaded).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('heading', { name: `Ada Later-${size}` }).waitFor()
    })

    test(`two windows on a lead: the second is told, and chooses (${size})`, async () => {
      const id = await lead(world.installer, { firstName: 'Two', lastName: 'Windows', phone: '111' })
      const page = await opened(`/leads/${id}`, options)
      const theirs = (body: object) => other.call('PATCH', `/leads/${id}`, { body })
      const phone = async () => (await other.get(`/leads/${id}`)).body.customer.phone
      const box = page.getByRole('textbox', { name: leads.phone })
      await page.getByRole('button', { name: `Edit ${leads.phone}: 111` }).click()
      await box.fill('222')
      await theirs({ phone: '333' })
      await page.getByText(editing.now(leads.phone, '333')).waitFor()
      await box.press('Enter')
      assert.equal(await phone(), '333')
      await assertAccessible(page)
      await page.getByRole('button', { name: editing.keepMine }).click()
      await page.getByRole('button', { name: `Edit ${leads.phone}: 222` }).waitFor()
      assert.equal(await phone(), '222')
      // Before the page has heard of it, the server has.
      await page.route('**/console/api/live', (route) => route.abort())
      await page.reload()
      // The page moves down where it says that it is not live: who clicked beside it clicks again.
      while (!(await box.isVisible())) {
        const edit = page.getByRole('button', { name: `Edit ${leads.phone}: 222` })
        await Promise.race([edit.click({ timeout: 5_000 }).catch(() => {}), box.waitFor()])
      }
      await box.fill('444')
      await theirs({ phone: '555' })
      await box.press('Enter')
      await page.getByText(editing.now(leads.phone, '555')).waitFor()
      await page.getByRole('button', { name: editing.takeTheirs }).click()
      await page.getByRole('button', { name: `Edit ${leads.phone}: 555` }).waitFor()
      assert.equal(await phone(), '555')
    })

    test(`two windows on a project: its notes and its contract (${size})`, async () => {
      const { projectId } = await project(world.installer, { firstName: 'Pia', lastName: 'Twice' })
      const page = await opened(`/projects/${projectId}`, options)
      const theirs = (body: object) => other.call('PATCH', `/projects/${projectId}`, { body })
      const read = async () => (await other.get(`/projects/${projectId}`)).body
      await page.getByRole('button', { name: projects.addNotes }).click()
      await page.getByRole('textbox', { name: projects.notes }).fill('Mine')
      await theirs({ notes: 'Theirs' })
      await page.getByText(editing.now(projects.notes, 'Theirs')).waitFor()
      await page.getByRole('button', { name: editing.keepMine }).click()
      await page.getByRole('button', { name: common.save }).click()
      await page.getByRole('button', { name: projects.editNotes }).waitFor()
      assert.equal((await read()).notes.project, 'Mine')

      await page.getByRole('button', { name: projects.editContract }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(projects.price).fill('30000')
      await theirs({ contractPrice: '31000.00', contractSignedOn: '2026-02-02' })
      await dialog.getByText(editing.now(projects.price, '$31,000.00')).waitFor()
      await dialog.getByRole('button', { name: common.save }).click()
      assert.equal((await read()).contract.price, '31000.00')
      await dialog.getByRole('button', { name: editing.keepMine }).click()
      await dialog.getByRole('button', { name: common.save }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual((await read()).contract, { price: '30000.00', signedOn: '2026-02-02' })
    })
  }
})

const plain = (lastName: string) => ({
  firstName: 'Ada',
  lastName,
  address: { line1: '1 Elm St', city: 'Reno', state: 'NV', postalCode: '89501' },
})
