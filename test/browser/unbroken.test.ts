import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { follow, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, lead, project, system, type World } from '../support/factories.ts'
import { plan, post, site } from '../support/invoices.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { assertUnbroken } from '../support/unbroken.ts'

const email = 'maximiliana.featherstonehaugh-cholmondeley@north-county-solar-installers.example.com'
const street = '12345-67 North Featherstonehaugh-Cholmondeley Boulevard'
const address = {
  ...{ line1: street, line2: null, city: 'Rancho Santa Margarita' },
  ...{ state: 'CA', postalCode: '92688-1234', country: 'US' },
}
const hard = { firstName: 'Maximiliana', lastName: 'Featherstonehaugh-Cholmondeley', email }
const note = `Call +1 (619) 555-0142 or write to ${email}. She pays $1,234,567.89 for ${street}, not -$98,765.43.`

/** Hard data on every page that shows some: at the width of a phone, of a tablet and of a laptop. */
describe('amounts, addresses and numbers stay whole', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let paths: [path: string, text: string | RegExp, open?: (page: Page) => Promise<unknown>][]

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    owner = await addPerson(app, installer.company.id, 'owner', 'Olga Owner')
    const { call } = await signedIn(app, owner)
    const phone = '+1 (619) 555-0142'
    const leadId = await lead(installer, { ...hard, phone, address, notes: note })
    await call('PATCH', `/leads/${leadId}`, {
      body: { utility: { monthlyBill: '1234567.89' }, email: `other.${email}` },
    })
    const adders = [{ name: 'Main panel upgrade 200 A for the whole home', quantity: 1, total: '13100.00' }]
    const { projectId } = await project(installer, { ...hard, address }, { system: { ...system, adders } })
    await call('PATCH', `/projects/${projectId}`, { body: { contractPrice: '1234567.89', notes: note } })
    await call('POST', `/leads/${leadId}/notes`, { body: { body: note } })
    const home = await site(app.database, installer, { name: `${hard.firstName} ${hard.lastName}` })
    await plan(installer, home)
    await call('PATCH', `/monitoring/${home}`, {
      body: { address: `${street}, Ladera Ranch, CA 92694-0001` },
    })
    const customer = { name: `${hard.firstName} ${hard.lastName}`, email, address: street }
    const made = await post(app, installer.key, '', {
      customer,
      line_items: [{ description: note, quantity: 1, unit: 'each', unit_price: 1234567.89 }],
    })
    assert.equal(made.status, 201, made.text)
    await call('POST', '/people/invitations', { body: { email, name: 'Maximiliana', role: 'rep' } })
    paths = [
      ['/', hard.lastName],
      ['/board', hard.lastName],
      ['/leads', hard.lastName],
      [`/leads/${leadId}`, 'She pays'],
      [`/projects/${projectId}`, 'She pays'],
      ['/search?q=maximiliana', hard.lastName],
      ['/monitoring', street],
      [`/monitoring/${home}`, street],
      ['/billing', hard.lastName],
      [`/billing/invoices/${made.body.id}`, 'She pays'],
      ['/billing?part=plans', street],
      ['/settings/people', 'Invited until'],
      ['/settings/audit', 'Monthly bill'],
      ['/settings/mail', email, (page) => page.getByRole('button', { name: /invited you/ }).click()],
    ]
  })

  test('on a phone, a tablet and a laptop', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 900 } })
    await signIn(page, owner)
    const wrong: string[] = []
    /** At every width, once this is there. */
    const look = async (what: string, shown: Locator) => {
      for (const width of [390, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await shown.filter({ visible: true }).first().waitFor()
        await assertUnbroken(page, `${what} at ${width} px`)
      }
    }
    for (const [path, text, open] of paths) {
      try {
        await follow(page, path)
        await look(path, page.getByText(text))
        if (!open) continue
        await open(page)
        await look(`${path}, opened,`, page.getByRole('dialog').getByText('expecting'))
      } catch (error) {
        wrong.push(`${path}: ${(error as Error).message}`)
      }
    }
    assert.equal(wrong.length, 0, wrong.join('\n\n'))
    await page.context().close()
  })
})
