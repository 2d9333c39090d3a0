import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findAlerts } from '../../src/domain/sites/alerts/find-alerts.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { type Sent, send, site } from '../support/energy.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { watchedIn } from '../support/watched.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('monitoring', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let manager: Person
  let installation: string
  const midnight = Math.floor(Date.now() / dayMs) * dayMs

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    manager = await addPerson(app, world.installer.company.id, 'manager', 'Mara Manager')
    const made = await site(app.database, world.installer, 'UTC', 6)
    installation = made.installation
    await app.database.rows(`update installations set name = 'Mission Library' where id = $1`, [installation])
    const { id, installerId } = world.installer.company
    await app.database.rows(
      `insert into installation_counts (installer_id, company_id, region, installations) values ($1, $2, 'XX', 1)`,
      [installerId, id],
    )
    await app.database.rows(
      `update panels p set name = 'Panel ' || array_position($2::text[], p.id) where installation_id = $1`,
      [installation, made.panels],
    )
    // Four weeks up to yesterday: one day is missing, and the third panel has made nothing since three days.
    const readings: Sent[] = []
    for (let day = 28; day >= 1; day--) {
      if (day === 10) continue
      for (let hour = 8; hour < 16; hour++)
        for (const [panel, panel_id] of made.panels.entries())
          readings.push({
            panel_id,
            timestamp: new Date(midnight - day * dayMs + hour * hourMs).toISOString(),
            kwh: panel === 2 && day <= 3 ? 0 : 1,
          })
    }
    await send(app, world.installer.key, readings)
  })

  test('readings are seen, an alert is found, acknowledged and resolved', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, manager)
    await page.getByRole('link', { name: 'Monitoring' }).click()
    await page.getByText('1 installation, no open alerts').waitFor()
    await page.getByText('OK', { exact: true }).waitFor()
    await page.getByRole('img', { name: /in the last 30 days, 3 days without data/ }).waitFor()
    await assertAccessible(page)
    await findAlerts(
      app.server.deps.db,
      world.installer.company.installerId,
      new Date(midnight - dayMs + 20 * hourMs),
    )
    await page.getByText('Medium · Outage').or(page.getByText('High · Outage')).waitFor()
    await page.getByLabel('Customer or address').fill('nobody')
    await page.getByText('No installations match').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'Mission Library' }).click()

    await page.getByText('Panel 3: no production').waitFor()
    await page.getByRole('img', { name: 'Panel 3: 89 percent of the median panel' }).waitFor()
    await page.getByText('Check', { exact: true }).waitFor()
    const chart = page.getByRole('slider', { name: /Energy over time/ })
    await page.getByText('1,272 kWh, 1 day without data').waitFor()
    await chart.focus()
    await chart.press('Home')
    for (let day = 0; day < 2; day++) await chart.press('ArrowRight')
    assert.match((await chart.getAttribute('aria-valuetext'))!, /: 48 kWh$/)
    await page.getByText('As a table').click()
    await page.getByRole('cell', { name: 'No data' }).waitFor()
    await assertAccessible(page)

    // Whatever the pointer does meanwhile, the keyboard stays where it was.
    await chart.hover()
    await page.getByText('As a table').hover()
    assert.match((await chart.getAttribute('aria-valuetext'))!, /: 48 kWh$/)
    await chart.press('Enter')
    await page.waitForURL(/by=hourly/)
    await chart.press('Home')
    for (let hour = 0; hour < 9; hour++) await chart.press('ArrowRight')
    await page.waitForFunction(() =>
      /9 AM.*: 6 kWh$/.test(
        // biome-ignore lint/suspicious/noExplicitAny: this runs in the page
        (globalThis as any).document.querySelector('[role=slider]').getAttribute('aria-valuetext'),
      ),
    )
    await page.getByRole('radio', { name: 'Month' }).check({ force: true })
    await page.waitForURL(/by=monthly/)
    await page.getByLabel('Compare with previous year').check()
    await page.waitForURL(/compare=year/)
    await page.getByText('no data for the previous year').waitFor()

    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('Acknowledged by Mara Manager').waitFor()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('No open alerts').waitFor()
    await page.getByText('History').click()
    await page.getByText('Resolved by Mara Manager').waitFor()
    await assertAccessible(page)
    await page.context().close()
  })

  test('fits a phone, in the dark, from the menu', async () => {
    const page = await openPage({
      url: app.url,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    })
    await signIn(page, manager)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Monitoring' }).click()
    const fits = async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await page.getByRole('link', { name: /Mission Library/ }).waitFor()
    await fits()
    await assertAccessible(page)
    await page.getByRole('link', { name: /Mission Library/ }).click()
    await page.getByText('1,272 kWh').waitFor()
    await page.getByText('Panel comparison').waitFor()
    await fits()
    await assertAccessible(page)
    await page.context().close()
  })

  test('where none of theirs was met among very many, it asks before it looks further', async () => {
    const page = await openPage({ url: app.url })
    // As of a member who is on tens of thousands, for whom the server looks at a part at a time.
    const asked: (string | null)[] = []
    await page.route(/\/console\/api\/monitoring\?/, async (route) => {
      const url = new URL(route.request().url())
      const after = url.searchParams.get('after')
      asked.push(after)
      // The first look further fails.
      if (after === 'third' && asked.filter((one) => one === 'third').length === 1)
        return route.fulfill({ status: 400, json: { error: { code: 'invalid', message: 'Not now.' } } })
      if (after !== 'third')
        return route.fulfill({ json: { installations: [], next: after === null ? 'second' : 'third' } })
      url.searchParams.delete('after')
      return route.fulfill({ response: await route.fetch({ url: url.href }) })
    })
    await signIn(page, manager, '/monitoring?sort=size')
    await page.getByText('None of yours among the first 22,000 looked at.').waitFor()
    assert.equal(await page.getByText('No installations').count(), 0)
    // Another order may begin with theirs.
    await page.getByRole('columnheader', { name: 'Installation' }).waitFor()
    await assertAccessible(page)
    // It goes on by itself once, and then waits.
    await page.waitForTimeout(500)
    assert.ok(asked.includes('second') && !asked.includes('third'), `${asked}`)
    await page.getByRole('button', { name: 'Look further' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Couldn’t load more.').waitFor()
    assert.equal(await page.locator(':focus').textContent(), 'Try again')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Mission Library' }).waitFor()
    assert.equal(await page.getByText('None of yours').count(), 0)
    await page.context().close()
  })

  test('is for who is on the project what was built there, from the project on', async () => {
    const { company } = world.installer
    const subcontractor = await addPerson(app, company.id, 'subcontractor', 'Sam Sub')
    const { projectId } = await project(world.installer, {}, { subcontractorId: subcontractor.id })
    const { installationId } = await watchedIn(app.database, world.installer, projectId)
    const page = await openPage({ url: app.url })
    await signIn(page, subcontractor)
    await page.getByRole('link', { name: 'Monitoring' }).click()
    await page.getByText('1 installation, 1 open alert').waitFor()
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('link', { name: 'View production' }).click()
    await page.waitForURL(`**/monitoring/${installationId}`)
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('Acknowledged by Sam Sub').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resolve' }).count(), 0)
    await assertAccessible(page)
    await page.goto(`/monitoring/${installation}`)
    await page.getByText('Page not found').waitFor()
    await page.context().close()
  })
})
