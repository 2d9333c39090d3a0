import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { card, carryTo, column, dragTo } from '../support/board.ts'
import { noBrowser, openPage, signIn, submitSignIn } from '../support/browser.ts'
import { untilOnDay } from '../support/calendar-page.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { elf } from '../support/sample-files.ts'
import { stock } from '../support/stock.ts'

const name = 'Ada Moreno'

describe('from the first call to the day of the install', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    await stock(world.installer)
  })

  test('a customer is sold a system, and the project goes up its ladder', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    const hosts = new Set<string>()
    page.context().on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto('/sign-in')
    await submitSignIn(page, owner)
    await page.waitForURL(`${app.url}/`)

    await makeLead(page)
    await talk(page)
    const projectId = await sell(page)
    const read = async () => (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    const settled = async (holds: (project: Awaited<ReturnType<typeof read>>) => boolean) => {
      while (!holds(await read()));
    }

    await page.getByRole('navigation').getByRole('link', { name: 'Board' }).click()
    await card(page, 'Sold', name).waitFor()
    await dragTo(page, name, 'Sold', 'Site Survey')
    await page.getByText(`${name} is now in Site Survey.`).waitFor()
    assert.equal((await read()).stage.name, 'Site Survey')
    let stage = 'Site Survey'
    for (const next of ['Design', 'Permitting', 'NTP', 'Install Scheduled']) {
      await carryTo(page, name, stage, [next])
      await card(page, next, name).waitFor()
      await page.getByText(`${name} is now in ${next}.`).waitFor()
      stage = next
    }
    await column(page, 'Install Scheduled', 1).waitFor()
    assert.equal((await read()).stage.name, 'Install Scheduled')

    await card(page, 'Install Scheduled', name).press('Enter')
    const checklist = page.getByRole('list', { name: 'Checklist: Install Scheduled' })
    for (const item of ['Crew assigned', 'Material ordered', 'Customer confirmed the day']) {
      const ticked = page.waitForResponse((answer) => answer.url().endsWith('/checklist') && answer.ok())
      await checklist.getByLabel(item).check()
      await ticked
    }
    await page.reload()
    await checklist.getByRole('checkbox', { checked: true }).nth(2).waitFor()

    await page.getByRole('button', { name: 'Install date: Choose a date' }).click()
    await page.getByRole('dialog', { name: 'Install date' }).locator('table :focus').waitFor()
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await settled(({ milestones }) => milestones.installScheduled > new Date().toISOString())
    const day: string = (await read()).milestones.installScheduled
    await page.goto(`/calendar?day=${day}`)
    await untilOnDay(page, name, day)

    assert.deepEqual([...hosts], [new URL(app.url).host], 'no request leaves for another host')
    await page.context().close()
  })

  test('a file of a type that is not taken is said to be one, and nothing of it is left', async () => {
    const { projectId } = await project(world.installer)
    const page = await openPage({ url: app.url })
    await signIn(page, owner, `/projects/${projectId}`)
    const before = await app.storedFiles()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files to Site survey' }).click()
    await (await choosing).setFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer: elf })
    await page
      .getByRole('list', { name: 'Uploads' })
      .getByText('plan.pdf is a program; only documents, pictures, audio and video are taken.')
      .waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Add files to Site survey' }).waitFor()
    assert.equal(await page.getByText('plan.pdf').count(), 0)
    const { files } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.deepEqual(Object.values(files).flat(), [])
    assert.deepEqual(await app.storedFiles(), before)
    await page.context().close()
  })

  test('a rep on a phone finds a lead, writes a note, and goes on by the bar below', async () => {
    const rep = await addPerson(app, world.installer.company.id, 'rep', 'Rita Rep')
    await lead(world.installer, { firstName: 'Otto', lastName: 'Own', salesRepId: rep.id })
    const phone = { width: 390, height: 844 }
    const page = await openPage({ url: app.url, viewport: phone, hasTouch: true, isMobile: true })
    const fits = async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width, page.url())
    await signIn(page, rep)
    const bar = page.getByRole('navigation', { name: 'Main' })
    const { y } = (await bar.boundingBox())!
    assert.ok(y > phone.height / 2, 'the bar is below')

    await bar.getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('combobox', { name: 'Search leads and projects' }).fill('otto')
    await page.getByRole('option', { name: /Otto Own/ }).tap()
    await page.getByRole('heading', { name: 'Otto Own' }).waitFor()
    await page.getByLabel('Write a note').fill('Nobody home')
    await page.getByRole('button', { name: 'Post note' }).tap()
    await page.getByRole('list', { name: 'Activity' }).getByText('Nobody home').waitFor()
    await fits()
    for (const place of ['Board', 'Leads', 'Calendar', 'Home']) {
      await bar.getByRole('link', { name: place }).tap()
      await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
      await fits()
    }
    await page.context().close()
  })
})

async function makeLead(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Leads' }).click()
  await page.getByRole('button', { name: 'New lead' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New lead' })
  await dialog.getByLabel('First name').fill('Ada')
  await dialog.getByLabel('Last name').fill('Moreno')
  await dialog.getByLabel('Street').fill('1 Market St')
  await dialog.getByLabel('City').fill('San Diego')
  await dialog.getByLabel('State').fill('CA')
  await dialog.getByLabel('ZIP code').fill('92101')
  await dialog.getByRole('button', { name: 'Create lead' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

async function talk(page: Page): Promise<void> {
  const feed = page.getByRole('list', { name: 'Activity' })
  await page.getByLabel('Write a note').fill('Called. Wants a battery.')
  await page.getByRole('button', { name: 'Post note' }).click()
  await feed.getByText('Called. Wants a battery.').waitFor()
  await page.getByRole('button', { name: 'Reply to Olga Owner' }).click()
  await page.getByLabel('Reply to Olga Owner').fill('On Friday')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await feed.getByRole('list', { name: 'Replies' }).getByText('On Friday').waitFor()
}

/** Marks the lead as sold, and answers its project's id. */
async function sell(page: Page): Promise<string> {
  const next = () => page.getByRole('button', { name: 'Next' }).click()
  const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor()
  await page.getByRole('link', { name: 'Mark as sold' }).click()
  await step('System')
  await page.getByLabel('Number of panels').fill('22')
  await next()
  await step('Price')
  await page.getByLabel('Price per watt before adders').fill('2.95')
  await next()
  await step('Financing')
  await next()
  await step('Contract')
  await next()
  await step('Review')
  await page.getByRole('button', { name: 'Mark as sold' }).click()
  await page.waitForURL(/\/projects\/proj_/)
  return new URL(page.url()).pathname.split('/').at(-1)!
}
