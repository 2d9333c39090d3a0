import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { BoardResponse } from '../../src/api/console/board.ts'
import { type App, startApp } from '../support/app.ts'
import { card, carryTo, column, dragTo } from '../support/board.ts'
import { assertAccessible, noBrowser, openPage, renew, signIn } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

describe('the board, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let rep: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer, dealer } = world
    owner = await addPerson(app, installer.company.id, 'owner')
    rep = await addPerson(app, installer.company.id, 'rep', 'Rita Rep')
    for (let i = 1; i <= 40; i++) await project(dealer, { firstName: `Many${i}`, lastName: 'Pages' })
    await project(installer, { firstName: 'Hugo', lastName: 'Home', productLine: 'hi' })
  })

  const stageOf = async (id: string) =>
    (await app.get(`/v1/projects/${id}`, world.installer.key)).body.stage.name
  const made = async (firstName: string, more: object = {}) =>
    (await project(world.installer, { firstName, lastName: 'Card', ...more })).projectId

  let used: Page | null = null

  /** In one window for all tests but those of a phone. */
  async function opened(): Promise<Page> {
    if (used) await renew(used)
    used ??= await openPage({ url: app.url })
    return show(used)
  }

  async function show(page: Page): Promise<Page> {
    await signIn(page, owner, '/board')
    await column(page, 'Sold').waitFor()
    return page
  }

  test('a card is dragged to another stage, and totals follow', async () => {
    const id = await made('Dragged')
    const page = await opened()
    await column(page, 'Design', 0).waitFor()
    await assertAccessible(page)
    await dragTo(page, 'Dragged Card', 'Sold', 'Design')
    await card(page, 'Design', 'Dragged Card').waitFor()
    await column(page, 'Design', 1).waitFor()
    await page.getByText('Dragged Card is now in Design.').waitFor()
    assert.equal(await stageOf(id), 'Design')
    // And back, by the message.
    await page.getByRole('button', { name: 'Undo' }).click()
    await card(page, 'Sold', 'Dragged Card').waitFor()
    await page.getByText('Dragged Card is now in Sold.').waitFor()
    assert.equal(await stageOf(id), 'Sold')
  })

  test('a card is moved by its menu, and the keyboard goes on from where it is', async () => {
    const id = await made('Menu')
    const page = await opened()
    await column(page, 'Sold').getByRole('button', { name: 'Move Menu Card to another stage' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Site Survey' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('menuitem', { name: 'Permitting' }).press('Enter')
    await card(page, 'Permitting', 'Menu Card').waitFor()
    await page.getByText('Menu Card is now in Permitting.').waitFor()
    assert.equal(await stageOf(id), 'Permitting')
    await page.waitForFunction(
      `document.activeElement?.getAttribute('aria-label') === 'Move Menu Card to another stage'`,
    )
  })

  test('a card is carried from column to column by keyboard, and said where it is', async () => {
    const id = await made('Carried')
    const page = await opened()
    await carryTo(page, 'Carried Card', 'Sold', ['Site Survey', 'Design'])
    await card(page, 'Design', 'Carried Card').waitFor()
    await page.getByText('Carried Card is now in Design.').waitFor()
    assert.equal(await stageOf(id), 'Design')
  })

  test('a move that is refused falls back, and it is said why', async () => {
    const id = await made('Refused')
    const page = await opened()
    await page.route(`**/projects/${id}/stage`, (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/json',
        body: JSON.stringify({ error: { code: 'invalid', message: 'The crew is on strike.' } }),
      }),
    )
    await dragTo(page, 'Refused Card', 'Sold', 'Site Survey')
    await page.getByRole('alert').getByText('The crew is on strike.').waitFor()
    await card(page, 'Sold', 'Refused Card').waitFor()
    await column(page, 'Site Survey', 0).waitFor()
    assert.equal(await stageOf(id), 'Sold')
  })

  test('filters are in the address, and every card of a long column comes by scrolling', async () => {
    await made('Rita', { salesRepId: rep.id })
    const page = await opened()
    await page.getByLabel('Search the board').fill('many1')
    await column(page, 'Sold', 11).waitFor()
    await page.waitForURL(/search=many1/)
    await page.reload()
    await column(page, 'Sold', 11).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Sales rep').selectOption('Rita Rep')
    await column(page, 'Sold', 1).waitFor()
    await card(page, 'Sold', 'Rita Card').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Search the board').fill('pages')
    await column(page, 'Sold', 40).waitFor()
    await card(page, 'Sold', 'Many40 Pages').waitFor()
    const last = card(page, 'Sold', 'Many1 Pages')
    const toEnd = (list: unknown) => {
      const shown = list as { scrollTop: number; scrollHeight: number }
      shown.scrollTop = shown.scrollHeight
    }
    while (!(await last.count())) await column(page, 'Sold').getByRole('list').evaluate(toEnd)
    await last.waitFor()
    await page.getByRole('radio', { name: 'Home improvement' }).check({ force: true })
    await page.getByText('No projects match these filters').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await card(page, 'Sold', 'Hugo Home').waitFor()
  })

  test('where none was met among very many, it asks before it looks further', async () => {
    await made('Farther')
    const page = await openPage({ url: app.url })
    // As in a stage of tens of thousands, of which the server looks at a part at a time.
    const next = 'zzzzzzzz.proj_zzzzzzzzzz'
    await page.route(/\/console\/api\/board(\?|$)/, async (route) => {
      const answer = await route.fetch()
      const board: BoardResponse = await answer.json()
      const sold = board.columns.find(({ stage }) => stage.name === 'Sold')!
      Object.assign(sold, { cards: [], next, total: { count: 0, orMore: true } })
      await route.fulfill({ response: answer, json: board })
    })
    await page.route(
      /\/console\/api\/board\/\w+\?/,
      (route) => route.fulfill({ json: { cards: [], next } }),
      {
        times: 1,
      },
    )
    await signIn(page, owner, '/board')
    const sold = page.getByRole('region', { name: /^Sold, … projects/ })
    await sold.getByText('No others among the next 20,000 looked at.').waitFor()
    await assertAccessible(page)
    await sold.getByRole('button', { name: 'Look further' }).click()
    await sold.getByRole('link', { name: 'Farther Card', exact: true }).waitFor()
    await page.context().close()
  })

  test('a rep sees their own cards and moves none', async () => {
    await made('Own', { salesRepId: rep.id })
    const page = await openPage({ url: app.url })
    await signIn(page, rep, '/board')
    await card(page, 'Sold', 'Own Card').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Many1 Pages' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^(Move|Drag) / }).count(), 0)
    await page.context().close()
  })

  test('the first visit fetches little script, and all of it packed', async (t) => {
    const page = await openPage({ url: app.url })
    const { cookie } = await signedIn(app, owner)
    const cookies = cookie.split('; ').map((one) => one.split('=') as [string, string])
    await page.context().addCookies(cookies.map(([name, value]) => ({ name, value, url: app.url })))
    const scripts: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return
      scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto('/board', { waitUntil: 'networkidle' })
    await column(page, 'Sold').waitFor()
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${Math.round(bytes / 1024)} KB of script in ${scripts.length} files`)
    assert.ok(scripts.length > 0 && bytes <= 250 * 1024, `${bytes} bytes`)
    await page.context().close()
  })

  test('on a phone one column and a bit is seen, and only the board scrolls sideways', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const page = await show(await openPage({ url: app.url, ...phone }))
    const [sold, next] = [
      await column(page, 'Sold').boundingBox(),
      await column(page, 'Site Survey').boundingBox(),
    ]
    assert.ok(sold!.x >= 0 && sold!.x + sold!.width < 390)
    assert.ok(next!.x < 390 && next!.x + next!.width > 390)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await assertAccessible(page)
    await page.context().close()
  })
})
