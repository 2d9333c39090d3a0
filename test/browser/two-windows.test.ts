import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { billing } from '../../web/texts/en/billing.ts'
import { calendar } from '../../web/texts/en/calendar.ts'
import { catalogue } from '../../web/texts/en/catalogue.ts'
import { common } from '../../web/texts/en/common.ts'
import { company } from '../../web/texts/en/company.ts'
import { editing } from '../../web/texts/en/editing.ts'
import { lead as leadTexts } from '../../web/texts/en/lead.ts'
import { leads } from '../../web/texts/en/leads.ts'
import { monitoring } from '../../web/texts/en/monitoring.ts'
import { people } from '../../web/texts/en/people.ts'
import { webhooks } from '../../web/texts/en/webhooks.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, startSession } from '../support/browser.ts'
import { untilOnDay } from '../support/calendar-page.ts'
import { createWorld, lead, member, project, type World } from '../support/factories.ts'
import { site } from '../support/invoices.ts'
import { addPerson, signedIn } from '../support/people.ts'
import { webhookIn } from '../support/watched.ts'

/** The page is told of nothing meanwhile: the server is the first to know, and the person still chooses. */
describe('two windows, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let page: Page
  let other: Awaited<ReturnType<typeof signedIn>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { id } = world.installer.company
    other = await signedIn(app, await addPerson(app, id, 'admin', 'Ada Admin'))
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 900 } })
    await page.route('**/console/api/live', (route) => route.abort())
    await startSession(page, await addPerson(app, id, 'owner', 'Olga Owner'))
  })

  const call = async (method: 'PATCH' | 'PUT' | 'POST', path: string, body: object) => {
    const answer = await other.call(method, path, { body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const save = (within: Locator, name: string = common.save) => within.getByRole('button', { name }).click()

  /** Is told what it is now, keeps its own by pressing the button, and saves it then. */
  async function keeps(within: Locator, label: string, now: string, saving: string = common.save) {
    await save(within, saving)
    await within.getByText(editing.now(label, now)).waitFor()
    await assertAccessible(page)
    await within.getByRole('button', { name: editing.keepMine }).click()
    await save(within, saving)
  }

  test('a webhook endpoint and a billing plan', async () => {
    const { webhookId } = await webhookIn(app.database, world.installer)
    await page.goto(`/settings/webhooks/${webhookId}`)
    await page.getByRole('button', { name: webhooks.more }).click()
    await page.getByRole('menuitem', { name: common.edit }).click()
    const form = page.getByRole('dialog', { name: webhooks.edit })
    await form.getByLabel(webhooks.description).fill('Mine')
    await call('PATCH', `/webhooks/${webhookId}`, { description: 'Theirs', events: ['lead.created'] })
    await keeps(form, webhooks.description, 'Theirs')
    await form.waitFor({ state: 'detached' })
    const saved = (await other.get(`/webhooks/${webhookId}`)).body
    // What the other changed beside it stays theirs.
    assert.deepEqual([saved.description, saved.events], ['Mine', ['lead.created']])

    const home = await site(app.database, world.installer, { name: 'Two windows' })
    const plan = {
      ...{ kind: 'ppa', rate: '0.12', escalatorPercent: '0', startDate: '2026-01-01', currency: 'USD' },
      ...{ customer: { name: 'Ada', email: null, address: null }, paymentTermDays: 30 },
    }
    await call('PUT', `/billing/plans/${home}`, plan)
    await page.goto('/billing?part=plans')
    await page.getByRole('button', { name: billing.changePlanFor('Two windows') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(billing.rateKwh).fill('0.15')
    await call('PUT', `/billing/plans/${home}`, { ...plan, rate: '0.13', paymentTermDays: 14 })
    await keeps(dialog, billing.rateKwh, '0.13', billing.savePlan)
    await dialog.waitFor({ state: 'detached' })
    const { installations } = (await other.get('/billing/plans?search=windows')).body
    assert.deepEqual([installations[0].plan.rate, installations[0].plan.paymentTermDays], ['0.15', 14])
  })

  test('an installation, a company and a colleague', async () => {
    const home = await site(app.database, world.installer, { name: 'Before' })
    await page.goto(`/monitoring/${home}`)
    await page.getByRole('button', { name: common.edit, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: monitoring.editTitle })
    await dialog.getByLabel(monitoring.name).fill('Mine')
    await assertAccessible(page)
    await call('PATCH', `/monitoring/${home}`, { name: 'Theirs', address: '9 Their St' })
    await keeps(dialog, monitoring.name, 'Theirs')
    await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
    await page.getByText('9 Their St').waitFor()

    const dealer = `/companies/${world.dealer.company.id}`
    await page.goto(`/settings/company/${world.dealer.company.id}`)
    const main = page.getByRole('main')
    await main.getByLabel(company.name, { exact: true }).fill('Mine & Sons')
    await call('PATCH', dealer, { name: 'Theirs & Sons' })
    await save(main, company.save)
    await main.getByText(editing.now(company.name, 'Theirs & Sons')).waitFor()
    await main.getByRole('button', { name: editing.takeTheirs }).click()
    assert.equal(await main.getByLabel(company.name, { exact: true }).inputValue(), 'Theirs & Sons')
    assert.equal((await other.get(dealer)).body.name, 'Theirs & Sons')

    const rita = await member(world, world.installer, 'Rita Rep')
    await page.goto('/settings/people')
    await page.getByRole('button', { name: people.actionsOf('Rita Rep') }).click()
    await page.getByRole('menuitem', { name: people.edit }).click()
    const person = page.getByRole('dialog')
    await person.getByLabel(people.phone).fill('222')
    await call('PATCH', `/people/${rita.id}`, { phone: '333' })
    await keeps(person, people.phone, '333')
    await person.waitFor({ state: 'detached' })
  })

  test('an entry of the catalogue is compared field by field', async () => {
    const body = { name: 'Snow guard', productLine: 'solar', unit: 'each', unitPrice: '12.50' }
    const { id } = await call('POST', '/adders', body)
    const read = async () =>
      (await other.get('/adders')).body.items.find((item: { id: string }) => item.id === id)
    await page.goto('/settings/catalogue')
    const open = () =>
      page
        .getByRole('button', { name: /^Snow guard/ })
        .first()
        .click()
    await open()
    const dialog = page.getByRole('dialog', { name: 'Snow guard' })
    await dialog.getByLabel(catalogue.unitPrice).fill('14')
    await call('PATCH', `/adders/${id}`, { version: 1, unitPrice: '13', brand: 'Their brand' })
    await keeps(dialog, catalogue.unitPrice, '13')
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([(await read()).unitPrice, (await read()).brand], ['14', 'Their brand'])

    // Others changed something beside it: nobody is asked, it is only told and saved by the next press.
    await open()
    await dialog.getByLabel(catalogue.unitPrice).fill('15')
    await call('PATCH', `/adders/${id}`, { version: 3, brand: 'Another brand' })
    await save(dialog)
    await dialog.getByRole('alert').waitFor()
    assert.equal(await dialog.getByRole('button', { name: editing.keepMine }).count(), 0)
    await save(dialog)
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual([(await read()).unitPrice, (await read()).brand], ['15', 'Another brand'])
  })

  test('what is set where it stands: a day of the calendar and a lead’s status', async () => {
    const { projectId } = await project(world.installer, { firstName: 'Ida', lastName: 'Install' })
    const path = `/projects/${projectId}`
    await call('PATCH', path, { installDate: '2031-03-12' })
    await page.goto('/calendar?view=month&day=2031-03-12')
    await page.getByRole('button', { name: 'Ida Install' }).click()
    await page.getByRole('dialog').getByLabel(calendar.day).fill('2031-03-18')
    await call('PATCH', path, { installDate: '2031-03-14' })
    await page.getByRole('dialog').getByRole('button', { name: calendar.move, exact: true }).click()
    const told = page.getByRole('alert').filter({ hasText: 'Mar 14, 2031' })
    await told.waitFor()
    await untilOnDay(page, 'Ida Install', '2031-03-14')
    await told.getByRole('button', { name: editing.keepMine }).click()
    await untilOnDay(page, 'Ida Install', '2031-03-18')
    await page.getByText(calendar.moved('Ida Install', 'Tue, Mar 18')).waitFor()

    const leadId = await lead(world.installer, { firstName: 'Lea', lastName: 'Lead' })
    await page.goto(`/leads/${leadId}`)
    await page.getByRole('button', { name: leadTexts.changeStatus(leads.statuses.new) }).click()
    await call('PATCH', `/leads/${leadId}`, { status: 'lost' })
    await page.getByRole('menuitem', { name: leads.statuses.contacted }).click()
    const now = page
      .getByRole('alert')
      .filter({ hasText: editing.inPlace(leads.status, leads.statuses.lost) })
    await now.getByRole('button', { name: editing.keepMine }).click()
    await now.waitFor({ state: 'detached' })
    await page.waitForFunction(
      // biome-ignore lint/suspicious/noExplicitAny: it is a global of the page
      (words) => (globalThis as any).document.querySelector('main header').textContent.includes(words),
      leads.statuses.contacted,
    )
    assert.equal((await other.get(`/leads/${leadId}`)).body.status, 'contacted')
  })
})
