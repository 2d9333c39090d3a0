import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../scripts/chromium.ts'
import { browserResult, type Result } from './report.ts'
import type { SeededBoard } from './seed/boards.ts'

/** Rows that are measured in a browser, on a small board and on a large one. */
export const boardRowNames = ['board-first-cards', 'board-drag'] as const
export type BoardRowName = (typeof boardRowNames)[number]

/** What a person may have to wait for at most. */
const limitsMs: Record<BoardRowName, number> = { 'board-first-cards': 1_000, 'board-drag': 200 }
const measuresEachRound = 3

type Times = Record<BoardRowName, number[]>

/** Opens each board again and again, in turn, and drags a card; null where there is no browser. */
export async function measureBoards(
  names: readonly BoardRowName[],
  [small, large]: SeededBoard[],
  port: number,
  rounds: number,
): Promise<Result[] | null> {
  const found = await findChromium()
  if (!found) return null
  const browser = await chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  try {
    const baseURL = `http://127.0.0.1:${port}`
    const visits = []
    for (const board of [small!, large!]) {
      const state = await signIn(browser, baseURL, board)
      // Warms up what the server keeps, not what the browser does.
      await visit(browser, state)
      visits.push({ state, times: { 'board-first-cards': [], 'board-drag': [] } as Times })
    }
    for (let i = 0; i < rounds * measuresEachRound; i++) {
      for (const { state, times } of visits) {
        const { firstCardsMs, dragMs } = await visit(browser, state)
        times['board-first-cards'].push(firstCardsMs)
        times['board-drag'].push(dragMs)
      }
    }
    const [floor, ours] = visits.map(({ times }) => times)
    return names.map((name) => browserResult(name, ours![name], floor![name], limitsMs[name]))
  } finally {
    await browser.close()
  }
}

async function signIn(browser: Browser, baseURL: string, { email, password }: SeededBoard) {
  const context = await browser.newContext({ baseURL })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((at) => !at.pathname.startsWith('/sign-in'))
  const storageState = await context.storageState()
  await context.close()
  return { baseURL, storageState, viewport: { width: 1360, height: 850 } }
}

/** One visit of a browser that has seen nothing before. */
async function visit(browser: Browser, state: BrowserContextOptions) {
  const context = await browser.newContext(state)
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await page.addInitScript(watchScript)
  await page.goto('/board')
  const firstCardsMs = await page.evaluate<number>('firstCards')
  const dragMs = await drag(page)
  await context.close()
  return { firstCardsMs, dragMs }
}

/** Drags the first card of the first column to the third; how long until it stands there. */
async function drag(page: Page): Promise<number> {
  const card = page.locator('[data-card]').first()
  const id = await card.getAttribute('data-card')
  const target = page.locator('section[aria-label] > section').nth(2)
  const from = (await card.boundingBox())!
  const to = (await target.boundingBox())!
  await page.mouse.move(from.x + 60, from.y + 60)
  await page.mouse.down()
  await page.mouse.move(from.x + 80, from.y + 70, { steps: 3 })
  await page.mouse.move(to.x + 100, to.y + 200, { steps: 10 })
  await page.evaluate(`watchDrop(${JSON.stringify(id)})`)
  await page.mouse.up()
  return page.evaluate<number>('dropped')
}

// In the page: times are taken when what appeared has been painted.
const watchScript = `
  const seen = (isThere) => new Promise((resolve) => {
    const look = () => {
      if (!isThere()) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
    look()
  })
  globalThis.firstCards = seen(() => document.querySelector('[data-card]'))
  globalThis.watchDrop = (id) => {
    const columns = document.querySelectorAll('section[aria-label] > section')
    let letGo = 0
    addEventListener('mouseup', () => { letGo = performance.now() }, { capture: true, once: true })
    globalThis.dropped = seen(() => columns[2].querySelector('[data-card="' + id + '"]')).then((at) => at - letGo)
  }
`
