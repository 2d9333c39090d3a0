import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, startSession } from '../support/browser.ts'
import { createWorld, lead, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'

describe('leads in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let rep: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    rep = await addPerson(app, world.installer.company.id, 'rep', 'Rita Rep')
  })

  const open = async (person: Person, options: { viewport?: { width: number; height: number } } = {}) => {
    const page = await openPage({ url: app.url, ...options })
    await startSession(page, person)
    return page
  }

  test('a lead is made, edited in place, and talked about', async () => {
    const page = await open(owner)
    await page.goto('/leads')
    await page.getByText('No leads yet').waitFor()
    await assertAccessible(page)

    await page.getByRole('button', { name: 'New lead' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New lead' })
    await dialog.getByLabel('First name').fill('Ada')
    await dialog.getByLabel('Last name').fill('Moreno')
    await page.reload()
    await page.getByRole('button', { name: 'New lead' }).first().click()
    assert.equal(await dialog.getByLabel('Last name').inputValue(), 'Moreno')
    await dialog.getByLabel('Phone').fill('(619) 555-0142')
    await dialog.getByLabel('Street').fill('1 Market St')
    await dialog.getByLabel('City').fill('San Diego')
    await dialog.getByLabel('State').fill('CA')
    await dialog.getByLabel('ZIP code').fill('92101')
    await dialog.getByLabel('Sales rep').selectOption({ label: 'Rita Rep' })
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Create lead' }).click()
    await page.getByRole('heading', { name: 'Ada Moreno' }).waitFor()

    await page.getByRole('button', { name: 'Add Email' }).press('Enter')
    await page.getByLabel('Email', { exact: true }).fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('must be an email address').waitFor()
    assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'nobody')
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Email: ada@example.com' }).waitFor()
    await page.getByRole('button', { name: 'Edit Email: ada@example.com' }).press('Enter')
    await page.getByLabel('Email', { exact: true }).fill('another@example.com')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit Email: ada@example.com' }).waitFor()

    await page.getByRole('button', { name: 'Status: New. Change' }).click()
    await page.getByRole('menuitem', { name: 'Appointment set' }).click()
    await page.getByRole('button', { name: 'Status: Appointment set. Change' }).waitFor()
    await page.getByText('Changed status from new to appointment set').waitFor()

    await page.getByLabel('Write a note').fill('Called. Wants a battery.')
    await page.getByLabel('Visible to').selectOption('Internal')
    await page.getByRole('button', { name: 'Post note' }).click()
    const feed = page.getByRole('list', { name: 'Activity' })
    await feed.getByText('Called. Wants a battery.').waitFor()
    await feed.getByText('Internal', { exact: true }).waitFor()
    await assertAccessible(page)
    const sell = page.getByRole('link', { name: 'Mark as sold' })
    assert.match((await sell.getAttribute('href')) ?? '', /^\/leads\/lead_\w+\/sell$/)

    const id = new URL(page.url()).pathname.split('/').at(-1)!
    const { body } = await app.get(`/v1/leads/${id}`, world.installer.key)
    assert.deepEqual(
      [body.customer.email, body.status, body.salesRep.name],
      ['ada@example.com', 'appointmentSet', 'Rita Rep'],
    )
    await page.context().close()
  })

  test('the list is searched, filtered, kept as a view, and many are changed at once', async () => {
    const { installer } = world
    for (const firstName of ['Bo', 'Cy']) {
      const address = {
        line1: '9 Twin Rd',
        line2: null,
        city: 'Reno',
        state: 'NV',
        postalCode: '89501',
        country: 'US',
      }
      await lead(installer, { firstName, lastName: 'Young', address })
    }
    const page = await open(owner)
    await page.goto('/leads')
    const rows = page.getByRole('row')
    await page.getByRole('link', { name: 'Bo Young' }).waitFor()
    await page.getByLabel('Search the leads').fill('young')
    await page.getByText('2 leads', { exact: true }).waitFor()
    await page.waitForURL(/search=young/)
    await page.getByLabel('Status').selectOption('New')
    await page.waitForURL(/status=new/)

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name').fill('New Youngs')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'New Youngs' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL((at) => at.search === '')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'New Youngs' }).click()
    await page.waitForURL(/search=young/)
    await page.getByText('2 leads', { exact: true }).waitFor()

    await page.getByLabel('Select all shown').check()
    await page.getByText('2 leads selected').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Assign a rep' }).click()
    await page.getByRole('menuitem', { name: 'Rita Rep' }).click()
    await page.getByText('2 leads updated.').waitFor()
    await rows.filter({ hasText: 'Cy Young' }).getByText('Rita Rep').waitFor()
    await page.getByLabel('Select Bo Young').check()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByText('1 lead', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 leads', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Bo Young' }).click()
    await page.getByText('Another lead may be the same customer').waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: 'Cy Young' }).click()
    await page.getByRole('heading', { name: 'Cy Young' }).waitFor()

    await page.goto('/leads?status=bought')
    await page.getByText('These filters aren’t valid').waitFor()
    assert.equal(await page.getByText('Loading', { exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await page.getByRole('link', { name: 'Bo Young' }).waitFor()

    // Of a word that many leads hold it is not known how many there are, until all of them are shown.
    await page.route('**/console/api/leads?*', async (route) => {
      const answer = await (await route.fetch()).json()
      return route.fulfill({ json: { ...answer, total: { count: 1, orMore: true } } })
    })
    await page.goto('/leads?search=young')
    await page.getByText('2 leads', { exact: true }).waitFor()
    await page.context().close()
  })

  test('a rep sees their own only, also on a phone', async () => {
    const unseen = await lead(world.installer, { firstName: 'Una', lastName: 'Seen' })
    const own = await lead(world.installer, { firstName: 'Otto', lastName: 'Own', salesRepId: rep.id })
    const page = await open(rep, { viewport: { width: 390, height: 844 } })
    await page.goto('/leads')
    await page.getByRole('link', { name: 'Otto Own' }).waitFor()
    assert.equal(await page.getByText('Una Seen').count(), 0)
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await assertAccessible(page)
    const sideways = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(await sideways(), 0)
    await page.goto(`/leads/${unseen}`)
    await page.getByText('Page not found').waitFor()
    await page.goto(`/leads/${own}`)
    await page.getByRole('heading', { name: 'Otto Own' }).waitFor()
    await page.getByRole('list', { name: 'Activity' }).waitFor()
    assert.equal(await sideways(), 0)
    await assertAccessible(page)
    await page.context().close()
  })
})
