import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { writeNote } from '../../src/domain/deals/activities/write-note.ts'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { type App, startApp } from '../support/app.ts'
import { noBrowser, openPage, signIn } from '../support/browser.ts'
import { send, site } from '../support/energy.ts'
import { createWorld, keyFor, lead, project, type World } from '../support/factories.ts'
import { importIn } from '../support/imports.ts'
import { addPerson, type Person } from '../support/people.ts'

/** As a busy browser does: what an observer saw is handed over late, all of it at once. */
const tellLate = `
  const Observer = IntersectionObserver
  globalThis.IntersectionObserver = class extends Observer {
    constructor(tell, options) {
      let late = []
      super((entries) => {
        if (late.length === 0) setTimeout(() => tell(late.splice(0), this), 150)
        late.push(...entries)
      }, options)
    }
  }`

/** Every list that may be long: it goes on by itself, and who comes back is where they were, on the row they left. */
describe('long lists, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let leadId: string
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer } = world
    owner = await addPerson(app, installer.company.id, 'owner', 'Olga Owner')
    page = await openPage({ url: app.url, viewport: { width: 1440, height: 900 } })
    await page.addInitScript(tellLate)
    await signIn(page, owner)
    for (let i = 0; i < 60; i++) await keyFor(world, installer, { name: `Key ${i}` })
    for (let i = 0; i < 70; i++) await project(installer, { firstName: `Card${i}`, lastName: 'Board' })
    for (let i = 0; i < 25; i++) await importIn(app.database, installer, 'done')
    for (let i = 0; i < 105; i++)
      await addMember(world.db, new Date(), {
        company: installer.company.id,
        role: 'rep',
        name: `Rep ${i}`,
        email: `rep-${i}@example.com`,
      })
    leadId = await lead(installer, { firstName: 'Nora', lastName: 'Notes' })
    for (let i = 0; i < 110; i++) await writeNote(installer.as(), { lead: leadId }, { body: `Note ${i}.` })
    const { panels } = await site(app.database, installer, 'UTC', 1, 0.4)
    const from = Date.parse('2026-05-04T00:00:00Z')
    const readings = Array.from({ length: 70 }, (_, n) => ({
      panel_id: panels[0]!,
      timestamp: new Date(from + n * 3_600_000).toISOString(),
      kwh: 300 + n,
    }))
    await send(app, installer.key, readings)
  })

  /** Turns the wheel over an element until so many are there. */
  async function scrollOn(over: Locator, rows: Locator, count: number) {
    const box = (await over.boundingBox())!
    const until = Date.now() + 60_000
    while ((await rows.count()) < count) {
      assert.ok(Date.now() < until, `${await rows.count()} of ${count} are there`)
      await page.mouse.move(box.x + box.width / 2, Math.min(box.y + box.height / 2, 500))
      await page.mouse.wheel(0, 2_500)
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    }
  }
  const inSight = (row: Locator) =>
    row.evaluate((one) => {
      const { top, bottom } = (one as unknown as { getBoundingClientRect(): DOMBox }).getBoundingClientRect()
      return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
    })
  /** Leaves by a row, by keyboard, and goes back: there it is, and the keyboard with it. */
  async function leaveAndReturn(row: Locator, to: RegExp) {
    await row.scrollIntoViewIfNeeded()
    await row.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(to)
    await page.locator('main h1, main h2').first().waitFor()
    await page.goBack()
    await row.waitFor()
    const until = Date.now() + 60_000
    const isBack = async () =>
      (await inSight(row)) && (await row.evaluate((one) => (one as unknown as Focusable).matches(':focus')))
    while (!(await isBack())) {
      assert.ok(Date.now() < until, `back at the row that was left: in sight ${await inSight(row)}`)
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    }
  }

  const lists: [name: string, path: string, row: RegExp, count: number, to: RegExp][] = [
    ['API keys', '/settings/keys', /^Key \d+$/, 60, /settings\/keys\/key_/],
    ['imports', '/settings/import', /leads\.csv/, 25, /settings\/import\/imp_/],
    ['quarantined readings', '/monitoring/quarantine', /^Roof$/, 70, /monitoring\/inst_/],
    ['the audit log', '/settings/audit', /^Card\d+ Board$/, 70, /(leads|projects)\//],
  ]
  for (const [name, path, row, count, to] of lists)
    test(name, async () => {
      await page.goto(path)
      const rows = page.getByRole('main').getByRole('link', { name: row })
      await rows.first().waitFor()
      await scrollOn(page.getByRole('main'), rows, count)
      await leaveAndReturn(rows.nth(count - 3), to)
    })

  test('a column of the board', async () => {
    await page.goto('/board')
    const cards = page.getByRole('link', { name: /^Card\d+ Board$/ })
    await cards.first().waitFor()
    await scrollOn(page.getByRole('region', { name: /^Sold/ }), cards, 70)
    await leaveAndReturn(page.getByRole('link', { name: 'Card5 Board', exact: true }), /projects\//)
  })

  test('people, and the activity of a lead', async () => {
    await page.goto('/settings/people')
    const people = page.getByText(/^Rep \d+$/)
    await people.first().waitFor()
    await scrollOn(page.getByRole('main'), people, 105)
    await page.goto(`/leads/${leadId}`)
    const notes = page.getByText(/^Note \d+\.$/)
    await notes.first().waitFor()
    await scrollOn(page.getByRole('main'), notes, 110)
  })
})

interface Focusable {
  matches(selector: string): boolean
}
interface DOMBox {
  top: number
  bottom: number
}
