import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

describe('the ladder editor', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
  })

  const stageNames = async (page: Page) => {
    const links = page.getByRole('list', { name: 'Stages' }).getByRole('link')
    return (await links.allTextContents()).map((text) => text.replace(/\d+ days?.*|sets.*/, ''))
  }

  test('a stage is made, a project enters it, and it is retired', async () => {
    const { projectId } = await project(world.installer, {
      firstName: 'Ada',
      lastName: 'Moreno',
      email: 'ada@example.com',
    })
    const page = await openPage({ url: app.url })
    await signIn(page, owner, '/settings/ladder')
    await page.getByRole('link', { name: /Site Survey/ }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Add stage' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add stage' })
    await dialog.getByLabel('Name').fill('Welcome call')
    await dialog.getByLabel('Position').selectOption('After Sold')
    await dialog.getByRole('button', { name: 'Add stage' }).click()

    await page.getByRole('heading', { name: 'Welcome call' }).waitFor()
    await page.getByLabel('Days allowed').fill('2')
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('textbox', { name: 'Item 1' }).fill('Customer called')
    await page.getByRole('button', { name: 'Add item' }).click()
    await page.getByRole('textbox', { name: 'Item 2' }).fill('Bill received')
    await page.getByRole('button', { name: 'Move item 2 up' }).click()
    await page.getByLabel('All owners').check()
    await page.getByRole('button', { name: 'Add message' }).click()
    await page.getByLabel('Subject').fill('Welcome, {firstName}')
    await page.getByLabel('Message', { exact: true }).fill('You are in {stage} at {firm}.')
    await page.getByText('there is no {firm}').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('there is no {firm}').waitFor()
    await page.getByLabel('Message', { exact: true }).fill('You are in {stage} at {company}.')
    await page.getByText('You are in Welcome call at Sunrise Solar.').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()

    await page.goto(`/projects/${projectId}`)
    await page.getByRole('button', { name: 'Move to Welcome call' }).click()
    const question = page.getByRole('dialog', { name: 'Move Ada Moreno to Welcome call?' })
    await question.getByRole('button', { name: 'Move' }).click()
    await page.getByLabel('Customer called').waitFor()
    await page.getByLabel('Bill received').waitFor()
    await page.getByText('Welcome, Ada').first().waitFor()
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await page.getByText('Ada Moreno’s project is now in Welcome call').first().waitFor()
    const mails = await app.database.rows<{ to: string; body: string }>(
      `select to_address as to, body from mails where subject <> 'New sign-in to your account' order by to_address`,
    )
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['ada@example.com', owner.email],
    )
    assert.equal(mails[0]!.body, 'You are in Welcome call at Sunrise Solar.')

    await page.goto('/settings/ladder')
    await page.getByRole('link', { name: /Welcome call.*1 project/ }).click()
    await page.getByRole('button', { name: 'Retire' }).click()
    const retire = page.getByRole('dialog', { name: 'Retire Welcome call?' })
    await retire.getByText('1 project is in it').waitFor()
    await assertAccessible(page)
    await retire.getByLabel('Move to').selectOption('Design')
    await retire.getByRole('button', { name: 'Retire stage' }).click()
    await page.getByRole('link', { name: /Design.*1 project/ }).waitFor()
    await page.getByText('Welcome call', { exact: true }).waitFor({ state: 'detached' })
    const { stage } = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body
    assert.equal(stage.name, 'Design')
    await page.context().close()
  })

  test('stages are put into order by dragging and by keys', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, '/settings/ladder?line=hi')
    const handle = (name: string) => page.getByRole('button', { name: new RegExp(`^Move ${name}:`) })
    await handle('Measure').waitFor()
    const { stages } = (await (await signedIn(app, owner)).get('/ladders')).body
    const idOf = (name: string) =>
      stages.find(
        (one: { name: string; productLine: string }) => one.name === name && one.productLine === 'hi',
      ).id
    const ends = (after: string[]) =>
      after.indexOf(idOf('Scheduled')) === 3 && after.indexOf(idOf('Measure')) === 1
    const saved = () => page.waitForResponse((answer) => answer.url().endsWith('/ladders/order'))
    const from = (await handle('Scheduled').boundingBox())!
    const to = (await handle('Measure').boundingBox())!
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y - 10, { steps: 3 })
    await page.mouse.move(to.x + 8, to.y + 8, { steps: 8 })
    await page.getByText('Scheduled is now at the position of Measure.').waitFor({ state: 'attached' })
    const dragged = saved()
    await page.mouse.up()
    await dragged
    await page.reload()
    await handle('Measure').waitFor()
    assert.deepEqual((await stageNames(page)).slice(0, 3), ['Sold', 'Scheduled', 'Measure'])
    // Quicker than they are saved, and the focus stays where it was. It ends where it was at no time before.
    const stepped = page.waitForResponse(
      (answer) => answer.url().endsWith('/ladders/order') && ends(answer.request().postDataJSON().after),
    )
    await handle('Scheduled').focus()
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await stepped
    await page.reload()
    await handle('Measure').waitFor()
    assert.deepEqual((await stageNames(page)).slice(0, 4), ['Sold', 'Measure', 'Ordered', 'Scheduled'])
    await page.context().close()
  })

  test('who edits what another has changed is told and loses nothing', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 } })
    await signIn(page, owner, '/settings/ladder')
    await page.getByRole('link', { name: /Permitting/ }).click()
    await page.getByLabel('Name').fill('City permit')
    const { get, call } = await signedIn(app, owner)
    const { stages } = (await get('/ladders')).body
    const { id, version } = stages.find(({ name }: { name: string }) => name === 'Permitting')
    await call('PATCH', `/stages/${id}`, { body: { version, daysAllowed: 45 } })
    await page.getByText('Someone else changed this in the meantime').waitFor()
    await assertAccessible(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'City permit' }).waitFor()
    assert.equal(await page.getByLabel('Days allowed').inputValue(), '45')
    await page.getByRole('link', { name: 'All stages' }).click()
    await page.getByRole('button', { name: 'Move City permit up' }).click()
    await page.getByRole('button', { name: 'Move Sold up' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await assertAccessible(page)
    await page.context().close()
  })

  test('is not there for a dealer', async () => {
    const page = await openPage({ url: app.url })
    await startSession(page, await addPerson(app, world.dealer.company.id, 'owner'))
    for (const path of ['/settings/ladder', '/settings/catalogue']) {
      await page.goto(path)
      await page.getByText('Page not found').waitFor()
    }
    await page.context().close()
  })
})
