import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage } from '../support/browser.ts'
import { assertLaidOut } from '../support/layout.ts'
import { root } from '../support/process.ts'

const paths: string[] = JSON.parse(readFileSync(join(root, 'site/dist/pages.json'), 'utf8'))
const laptop = { width: 1440, height: 850 }
const phone = { width: 390, height: 844 }
const ofSizeAndColour = ['color-contrast', 'target-size', 'scrollable-region-focusable']
const extra = ['/docs/search?q=lead', '/docs/search']

describe('the documentation', { skip: noBrowser }, () => {
  let app: App

  before(async () => {
    app = await startApp()
  })

  /** What the page complains of is an error too. */
  async function open(options: { viewport: typeof laptop; colorScheme: 'light' | 'dark' }): Promise<Page> {
    const page = await openPage({ url: app.url, ...options })
    page.on('console', (message) => {
      if (message.type() === 'error') throw new Error(message.text())
    })
    return page
  }

  /** What is wrong anywhere is told together. */
  async function walk(page: Page, look: (path: string) => Promise<void>): Promise<void> {
    const wrong: string[] = []
    for (const path of [...paths, ...extra]) {
      try {
        await page.goto(path)
        await look(path)
      } catch (error) {
        wrong.push(`${path}: ${(error as Error).message}`)
      }
    }
    assert.equal(wrong.length, 0, wrong.join('\n\n'))
  }

  test('every page is open to everybody on a laptop, in the light', async () => {
    const page = await open({ viewport: laptop, colorScheme: 'light' })
    await walk(page, async () => {
      assert.equal(await page.locator('h1').count(), 1)
      assert.match(await page.title(), / · Sunstead docs$/)
      await assertLaidOut(page, laptop.width)
      await assertAccessible(page)
    })
  })

  test('every page fits a phone, in the dark', async () => {
    const page = await open({ viewport: phone, colorScheme: 'dark' })
    await walk(page, async (path) => {
      assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
      await assertLaidOut(page, phone.width)
      // The reference of the others is made of the same parts.
      if (!/reference\/(catalog|legacy)/.test(path)) await assertAccessible(page, ofSizeAndColour)
    })
  })

  test('on a phone the menu opens, leads on, and closes by a key', async () => {
    const page = await open({ viewport: phone, colorScheme: 'light' })
    await page.goto('/docs')
    const menu = page.getByRole('navigation', { name: 'Documentation' })
    await assert.doesNotReject(menu.waitFor({ state: 'hidden' }))
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await menu.getByRole('link', { name: 'Idempotency' }).click()
    await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
  })

  test('the search finds while one types, is reached by a key, and works without a script', async () => {
    const page = await open({ viewport: laptop, colorScheme: 'light' })
    await page.goto('/docs/guides/sync')
    await page.keyboard.press('/')
    await page.keyboard.type('signature')
    await page.keyboard.press('Enter')
    await page.locator('.found').waitFor()
    await page.getByRole('searchbox', { name: 'Search for' }).fill('Retry-After')
    await page.getByText('for “Retry-After”').waitFor()
    assert.match(page.url(), /q=Retry-After$/)
    await page.locator('.found a').first().click()
    await page.getByRole('heading', { level: 1 }).waitFor()

    const plain = await openPage({ url: app.url, javaScriptEnabled: false })
    await plain.goto('/docs')
    await plain.getByRole('searchbox').fill('cursor')
    await plain.keyboard.press('Enter')
    await plain.locator('.found').waitFor()
  })

  test('code is copied as it stands there', async () => {
    const page = await openPage({ url: app.url, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/docs/quickstart')
    const block = page.locator('figure.code').nth(1)
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(copied, `curl -s "${app.url}/v1/me" -H "Authorization: Bearer $SUNSTEAD_KEY"`)
  })

  test('the theme is chosen here as in the console, and paper is light', async () => {
    const page = await open({ viewport: laptop, colorScheme: 'light' })
    await page.goto('/docs')
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    const button = page.getByRole('button', { name: /^Theme/ })
    await button.click()
    await button.click()
    assert.equal(await theme(), 'dark')
    assert.equal(await page.evaluate(`localStorage.getItem('sunstead-theme')`), 'dark')
    await page.goto('/docs/errors')
    assert.equal(await theme(), 'dark')
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    assert.equal(await theme(), 'light')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.places').isVisible(), false)
    assert.ok((await page.pdf({ format: 'Letter' })).length > 10_000)
  })

  test('a place on a page is reached by its address and by the list beside it', async () => {
    const page = await open({ viewport: laptop, colorScheme: 'light' })
    await page.goto('/docs/errors#rate_limited')
    const heading = page.locator('#rate_limited')
    assert.ok(await heading.evaluate(isInView))
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: /unavailable/ })
      .click()
    await page.waitForFunction(`location.hash === '#unavailable'`)
  })
})

/** Runs in the page. */
function isInView(element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight
}
