import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { consolePages, type Stop } from '../support/console-pages.ts'
import { createWorld } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { root } from '../support/process.ts'

const timeout = 180_000
const laptop = { width: 1360, height: 850 }
const phone = { width: 390, height: 844 }
/** What may go wrong in the dark or on a phone alone. */
const ofSizeAndColour = ['color-contrast', 'target-size', 'scrollable-region-focusable']
/** The first is there only before there is anybody; the second leads to the first of the settings. */
const leftOut = ['/set-up', '/settings']

describe('every page', { skip: noBrowser }, () => {
  let app: App
  let owner: Person
  let inside: Stop[]
  let outside: Stop[]

  before(async () => {
    app = await startApp()
    const world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    ;({ inside, outside } = await consolePages(app, world, owner))
  })

  /** Goes to each and has it looked at. */
  async function walk(page: Page, stops: Stop[], look: (page: Page) => Promise<void>): Promise<void> {
    for (const [path, shown] of stops) {
      await page.goto(path)
      try {
        await shown(page)
        await look(page)
      } catch (error) {
        throw new Error(`${path}: ${(error as Error).message}`)
      }
    }
  }

  test('is visited here', async () => {
    const visited = [...inside, ...outside].map(([path]) => new URL(path, app.url).pathname)
    const missed = (await pathsOfRoutes()).filter((path) => {
      const form = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`)
      return !leftOut.includes(path) && !visited.some((at) => form.test(at))
    })
    assert.deepEqual(missed, [], 'add these to test/support/console-pages.ts')
  })

  test('is open to everybody on a laptop, in the light', { timeout }, async () => {
    const page = await openPage({ url: app.url, viewport: laptop, colorScheme: 'light' })
    await walk(page, outside, (at) => assertAccessible(at))
    await signIn(page, owner)
    await walk(page, inside, (at) => assertAccessible(at))
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
      await assertAccessible(page, ofSizeAndColour)
    }
    await walk(page, outside, look)
    await signIn(page, owner)
    await walk(page, inside, look)
    await page.context().close()
  })
})

/** The addresses that the console's routes name; those of the settings stand below theirs. */
async function pathsOfRoutes(): Promise<string[]> {
  const folder = join(root, 'web/routes')
  const paths = []
  for (const name of await readdir(folder)) {
    const source = await readFile(join(folder, name), 'utf8')
    for (const [, parent, path] of source.matchAll(/getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g))
      paths.push(parent === 'layout' ? `/settings${path}`.replace(/\/$/, '') : path!)
  }
  return paths
}
