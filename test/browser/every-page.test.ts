import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { invoiceIn, plan, site } from '../support/invoices.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { stock } from '../support/stock.ts'

const timeout = 90_000
const laptop = { width: 1360, height: 850 }
const phone = { width: 390, height: 844 }
const day = '2031-03-12'

/** A page, and what is there when it is. */
type Stop = [path: string, shown: (page: Page) => Promise<unknown>]

describe('every page', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let inside: Stop[]
  let outside: Stop[]

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    owner = await addPerson(app, installer.company.id, 'owner', 'Olga Owner')
    await stock(installer)
    const leadId = await lead(installer, { firstName: 'Bo', lastName: 'Young' })
    await lead(installer, { firstName: 'Bo', lastName: 'Young', phone: '+1 619 555 0142' })
    const { projectId } = await project(installer, { firstName: 'Ada', lastName: 'Moreno' })
    const home = await site(app.database, installer)
    await plan(installer, home)
    const invoiceId = await invoiceIn(app, installer.key, 'open')
    const { call } = await signedIn(app, owner)
    await call('PATCH', `/projects/${projectId}`, { body: { installDate: day } })
    await call('POST', `/leads/${leadId}/notes`, { body: { body: 'Called. Wants a battery.' } })
    await call('POST', '/people/invitations', {
      body: { email: 'maria@example.com', name: 'Maria', role: 'rep' },
    })
    const [mail] = await app.database.rows<{ body: string }>('select body from mails limit 1')
    const invitation = new URL(/https?:\S+/.exec(mail!.body)![0])
    const { links } = (await app.get(`/v1/projects/${projectId}`, installer.key)).body

    const heading = (name: string | RegExp) => (page: Page) =>
      page.getByRole('heading', { name, level: 1 }).waitFor()
    inside = [
      [
        '/',
        (page) =>
          page
            .getByRole('link', { name: /Bo Young/ })
            .first()
            .waitFor(),
      ],
      ['/board', (page) => page.getByRole('link', { name: 'Ada Moreno' }).waitFor()],
      ['/leads', (page) => page.getByRole('link', { name: 'Bo Young' }).first().waitFor()],
      [`/leads/${leadId}`, (page) => page.getByText('Wants a battery').waitFor()],
      [`/leads/${leadId}/sell`, (page) => page.getByLabel('Number of panels').waitFor()],
      [`/projects/${projectId}`, (page) => page.getByRole('heading', { name: 'Schedule' }).waitFor()],
      [`/calendar?view=month&day=${day}`, (page) => page.getByText('Ada Moreno').first().waitFor()],
      [`/calendar?view=week&day=${day}`, (page) => page.getByText('Ada Moreno').first().waitFor()],
      [
        '/search?q=moreno',
        (page) =>
          page
            .getByRole('link', { name: /Ada Moreno/ })
            .first()
            .waitFor(),
      ],
      ['/account', (page) => page.getByLabel('Current password').waitFor()],
      ['/settings/company', (page) => page.getByRole('heading', { name: 'Dealers' }).waitFor()],
      [
        `/settings/company/${world.dealer.company.id}`,
        (page) => page.getByRole('button', { name: 'Suspend' }).waitFor(),
      ],
      ['/settings/audit', (page) => page.getByText('invited', { exact: false }).first().waitFor()],
      [
        '/settings/mail',
        (page) =>
          page
            .getByRole('button', { name: /invites you/ })
            .first()
            .waitFor(),
      ],
      [
        '/settings/mail?view=samples',
        (page) => page.getByRole('heading', { name: 'Invitation', exact: true }).waitFor(),
      ],
      ['/monitoring', (page) => page.getByText('No data yet').first().waitFor()],
      ['/settings/webhooks', (page) => page.getByText('There are no endpoints yet').waitFor()],
      ['/settings/people', (page) => page.getByText('Not signed in yet', { exact: true }).waitFor()],
      ['/billing', (page) => page.getByText('1001-000001').waitFor()],
      ['/billing?part=plans', (page) => page.getByText('$0.12 per kWh').waitFor()],
      ['/billing?part=unbilled', (page) => page.getByText('Every month is billed').waitFor()],
      ['/billing?part=runs', (page) => page.getByRole('button', { name: 'Start the run' }).waitFor()],
      [`/billing/invoices/${invoiceId}`, heading('Invoice 1001-000001')],
      ['/leads/lead_none000000', (page) => page.getByText('There is nothing here').waitFor()],
    ]
    outside = [
      ['/sign-in', heading('Sign in')],
      ['/forgot-password', heading('Forgot your password?')],
      ['/reset-password?token=none', heading('This link does not work any more')],
      [invitation.pathname + invitation.search, heading('Welcome, Maria')],
      [new URL(links.proposal).pathname, heading(/Your solar system/)],
    ]
  })

  /** Goes to each and has it looked at. */
  async function walk(page: Page, stops: Stop[], look: (page: Page) => Promise<void>): Promise<void> {
    for (const [path, shown] of stops) {
      await page.goto(path)
      await shown(page)
      await look(page).catch((error) => {
        throw new Error(`${path}: ${error.message}`)
      })
    }
  }

  test('is open to everybody on a laptop, in the light', { timeout }, async () => {
    const page = await openPage({ url: app.url, viewport: laptop, colorScheme: 'light' })
    await walk(page, outside, assertAccessible)
    await signIn(page, owner)
    await walk(page, inside, assertAccessible)
    await page.context().close()
  })

  test('and on a phone, in the dark, where nothing scrolls sideways but boards and tables', {
    timeout,
  }, async () => {
    const page = await openPage({
      url: app.url,
      viewport: phone,
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    })
    const look = async () => {
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.equal(width, phone.width, 'the page is too wide')
      await assertAccessible(page)
    }
    await walk(page, outside, look)
    await signIn(page, owner)
    await walk(page, inside, look)
    await page.context().close()
  })
})
