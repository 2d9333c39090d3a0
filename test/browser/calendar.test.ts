import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { untilOnDay } from '../support/calendar-page.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

// The middle of a month, so that days around it are in the same view.
const day = (number: number) => `2031-03-${String(number).padStart(2, '0')}`
const at = `?day=${day(12)}`

describe('the calendar', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let rep: Person
  let install: string

  before(async () => {
    app = await startApp()
    world = await createWorld(app.server.deps.db)
    const { installer } = world
    owner = await addPerson(app, installer.company.id, 'owner')
    rep = await addPerson(app, installer.company.id, 'rep')
    const salesRepEmail = rep.email
    install = (await project(installer, { firstName: 'Ida', lastName: 'Install', salesRepEmail })).projectId
    const survey = (await project(installer, { firstName: 'Sven', lastName: 'Survey' })).projectId
    const { call } = await signedIn(app, owner)
    await call('PATCH', `/projects/${install}`, { body: { installDate: day(12) } })
    await call('PATCH', `/projects/${survey}`, { body: { surveyDate: day(13) } })
  })

  const cell = (page: Page, number: number) => page.locator(`[data-date="${day(number)}"]`)
  const entry = (page: Page, name: string) => page.getByRole('button', { name })
  const installDate = async () =>
    (await app.get(`/v1/projects/${install}`, world.installer.key)).body.milestones.installScheduled

  test('an entry is dragged to another day, and back by the toast', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, `/calendar${at}`)
    await untilOnDay(page, 'Ida Install', day(12))
    await untilOnDay(page, 'Sven Survey', day(13))
    await assertAccessible(page)

    const [from, to] = [await entry(page, 'Ida Install').boundingBox(), await cell(page, 20).boundingBox()]
    await page.mouse.move(from!.x + 20, from!.y + 8)
    await page.mouse.down()
    await page.mouse.move(to!.x + 40, to!.y + 40, { steps: 10 })
    await page.mouse.up()
    await page.getByText('Ida Install: moved to Thu, Mar 20').waitFor()
    await untilOnDay(page, 'Ida Install', day(20))
    assert.equal(await installDate(), day(20))

    const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Undo' }).click()
    await untilOnDay(page, 'Ida Install', day(12))
    await undone
    assert.equal(await installDate(), day(12))
    await page.context().close()
  })

  test('the same without a mouse; filters and views are in the address', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, `/calendar${at}`)
    await entry(page, 'Ida Install').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Ida Install' })
    await dialog.getByLabel('Date').fill(day(18))
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await untilOnDay(page, 'Ida Install', day(18))
    await page.getByText('moved to Tue, Mar 18').waitFor()
    assert.equal(await installDate(), day(18))

    await page.getByLabel('Show').selectOption('Site surveys')
    await entry(page, 'Ida Install').waitFor({ state: 'detached' })
    assert.match(page.url(), /kind=survey/)
    await page.getByText('Week', { exact: true }).click()
    await page.getByRole('heading', { name: 'Mar 9 – 15, 2031' }).waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByText('Nothing scheduled for these dates').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Mar 16 – 22, 2031' }).waitFor()
    await page.getByLabel('Show').selectOption('Everything')
    await entry(page, 'Ida Install').waitFor()
    await assertAccessible(page)
    await page.context().close()
  })

  test('on a phone it is a list; who may not move has nothing to move with', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, hasTouch: true })
    await signIn(page, rep, `/calendar${at}`)
    await entry(page, 'Ida Install').click()
    const dialog = page.getByRole('dialog', { name: 'Ida Install' })
    await dialog.getByRole('link', { name: 'Open project' }).waitFor()
    assert.equal(await dialog.getByLabel('Date').count(), 0)
    assert.equal(await dialog.getByRole('button', { name: 'Move' }).count(), 0)
    await dialog.getByRole('button', { name: 'Close' }).click()
    assert.equal(await page.getByText('Sven Survey').count(), 0)
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    assert.equal(wide, false)
    await assertAccessible(page)
    await page.context().close()
  })

  test('it is subscribed from the account page', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, rep, '/calendar')
    await page.getByRole('link', { name: 'Subscribe' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const address = await page.getByRole('dialog').getByLabel('Your calendar link').inputValue()
    const feed = await app.send('GET', new URL(address).pathname)
    assert.equal(feed.status, 200)
    assert.match(feed.text, /BEGIN:VCALENDAR/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: 'Remove link' }).click()
    await page.getByText('Link removed').waitFor()
    assert.equal((await app.send('GET', new URL(address).pathname)).status, 404)
    await page.context().close()
  })
})
