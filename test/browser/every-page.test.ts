import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { addMember } from '../../src/domain/tenants/members/add-member.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, follow, noBrowser, openPage, startSession } from '../support/browser.ts'
import { consolePages, type Stop } from '../support/console-pages.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { assertLaidOut, assertMenusFit } from '../support/layout.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { root } from '../support/process.ts'

const laptop = { width: 1440, height: 850 }
const tablet = { width: 820, height: 1180 }
const screen = { width: 2200, height: 1200 }
const phone = { width: 390, height: 844 }
/** What may go wrong in the dark or on a phone alone. */
const ofSizeAndColour = ['color-contrast', 'target-size', 'scrollable-region-focusable']
/** The first is there only before there is anybody; the second leads to the first of the settings. */
const leftOut = ['/set-up', '/settings']

describe('every page', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let inside: Stop[]
  let outside: Stop[]

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    await fillBoard()
    ;({ inside, outside } = await consolePages(app, world, owner))
    // So many that a menu of them is longer than any screen.
    for (let i = 0; i < 40; i++)
      await addMember(app.server.deps.db, new Date(), {
        company: world.installer.company.id,
        role: 'rep',
        name: `Rep Number ${i}`,
        email: `rep-${i}@example.com`,
      })
  })

  /** More cards than fit, in columns that are far to the right too, with all that a card may say. */
  async function fillBoard(): Promise<void> {
    const { call } = await signedIn(app, owner)
    for (let i = 0; i < 16; i++) {
      const { projectId } = await project(world.installer, { firstName: `Card ${i}`, lastName: 'Board' })
      await call('PATCH', `/projects/${projectId}`, { body: { installDate: '2031-03-12' } })
      if (i > 7) await call('POST', `/projects/${projectId}/stage`, { body: { stage: 'Complete' } })
    }
  }

  type Go = (page: Page, path: string) => Promise<unknown>
  const load: Go = (page, path) => page.goto(path)

  /** Goes to each and has it looked at. What is wrong anywhere is told together. */
  async function walk(page: Page, stops: Stop[], go: Go, look: (page: Page) => Promise<void>): Promise<void> {
    const wrong: string[] = []
    let here = false
    for (const [path, shown] of stops) {
      try {
        await (here ? go : load)(page, path)
        await shown(page)
        await assertTitled(page)
        await look(page)
        here = true
      } catch (error) {
        wrong.push(`${path}: ${(error as Error).message}`)
        here = false
      }
    }
    assert.equal(wrong.length, 0, wrong.join('\n\n'))
  }

  test('is visited here', async () => {
    const visited = [...inside, ...outside].map(([path]) => new URL(path, app.url).pathname)
    const missed = (await pathsOfRoutes()).filter((path) => {
      const form = new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`)
      return !leftOut.includes(path) && !visited.some((at) => form.test(at))
    })
    assert.deepEqual(missed, [], 'add these to test/support/console-pages.ts')
  })

  test('is open to everybody on a laptop, in the light, and on a phone, in the dark, and fits what is between and beyond', async () => {
    const page = await openPage({ url: app.url, viewport: laptop, colorScheme: 'light' })
    const become = await devicesOf(page)
    const menus = { laptop: new Set<string>(), phone: new Set<string>() }
    // Each page is loaded once and changes under way, as a window does that is drawn smaller.
    const look = async () => {
      await assertAccessible(page)
      await assertLaidOut(page, laptop.width)
      await assertMenusFit(page, menus.laptop)
      try {
        for (const size of [screen, tablet]) {
          await become(size)
          await assertLaidOut(page, size.width)
        }
        await become(phone)
        // Nothing scrolls sideways but boards and tables.
        await assertLaidOut(page, phone.width)
        await assertAccessible(page, ofSizeAndColour)
        await assertMenusFit(page, menus.phone)
      } finally {
        await become(laptop)
      }
    }
    await walk(page, outside, load, look)
    await startSession(page, owner)
    await walk(page, inside, follow, look)
    for (const opened of Object.values(menus))
      assert.ok(opened.size > 8, `only these menus were opened: ${[...opened].join(', ')}`)
    await page.context().close()
  })
})

/** It is given its title a moment after it is drawn; what is not there has none. */
async function assertTitled(page: Page): Promise<void> {
  const until = performance.now() + 60_000
  while ((await page.title()) === 'Sunstead' && performance.now() < until) await wait(20)
  assert.match(await page.title(), /^(?!Sunstead$)./, 'it has no title of its own')
}

/** Runs in the page: until it is drawn again. A colour on its way from the light to the dark is neither. */
const settled = `(async () => {
  for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done))
  const ending = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map((one) => one.finished))
})()`

/** Makes a window one of another size; a phone's is in the dark. Each change draws everything again: none is idle. */
async function devicesOf(page: Page): Promise<(size: typeof laptop) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  let wasPhone = false
  return async (size) => {
    const isPhone = size === phone
    if (isPhone !== wasPhone) {
      await page.emulateMedia({ colorScheme: isPhone ? 'dark' : 'light' })
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone })
    }
    const metrics = { ...size, deviceScaleFactor: 1, mobile: isPhone }
    await session.send('Emulation.setDeviceMetricsOverride', metrics)
    if (isPhone !== wasPhone) await page.evaluate(settled)
    wasPhone = isPhone
  }
}

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
