import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'
import { within } from '../../src/platform/within.ts'
import { atFileEnd, atWorkerEnd } from './endings.ts'

const found = await findChromium()

/** For `{ skip }`: false where a browser is there, else the reason. */
export const noBrowser = found
  ? false
  : 'no Chromium comes with the dependencies for this kind of machine, and none is installed: install one, or name it in CHROMIUM'

const closeMs = 10_000
let running: Promise<Browser> | null = null

/** One for all the files of a worker: each window has its own cookies and storage. */
function launch(): Promise<Browser> {
  if (running) return running
  const launched = chromium.launch({
    executablePath: found!.path,
    env: { ...process.env, ...found!.env } as Record<string, string>,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    // A worker that is told to end does: the browser ends with the pipe to it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  running = launched
  void launched.then((browser) => browser.on('disconnected', () => (running = null)))
  // One that was lost with a test that failed does not say that it is closed.
  atWorkerEnd(async () => within(closeMs, (await launched).close()))
  return launched
}

export interface Visit extends BrowserContextOptions {
  url: string
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const urls = new WeakMap<BrowserContext, string>()

/** A window of its own, signed in as nobody. An error in the page, or a call to another host, fails the file. */
export async function openPage({ url, ...options }: Visit): Promise<Page> {
  const browser = await launch()
  const context = await browser.newContext({ baseURL: url, locale: 'en-US', ...options })
  // What is there at once costs nothing to wait for, and a machine with more to do than it can is only slow.
  context.setDefaultTimeout(60_000)
  urls.set(context, url)
  const page = await context.newPage()
  const host = new URL(url).host
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)))
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol.startsWith('http') && asked.host !== host)
      complaints.push(`asked another host: ${request.url()}`)
  })
  const close = async () => {
    const said = [...complaints]
    // What the page asks for just then would fail when everything has been told. One that has crashed asks for nothing.
    await page.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {})
    await context.close()
    assert.deepEqual(said, [])
  }
  atFileEnd(close, { first: true })
  return page
}

/**
 * Makes a window that was used as good as new, but for who is signed in: a page in another window takes twice the work,
 * as all of the console is read and compiled again.
 */
export async function renew(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().setOffline(false)
  await page.evaluate('sessionStorage.clear(), localStorage.clear()')
  await page.goto('about:blank')
}

interface Credentials {
  email: string
  password: string
}

/** Lets a window be somebody's without the form, which has tests of its own. Nothing is shown by it. */
export async function startSession(page: Page, { email, password }: Credentials): Promise<void> {
  const origin = urls.get(page.context())!
  const sent = { data: { email, password }, headers: { origin } }
  const answer = await page.request.post('/console/auth/sign-in/email', sent)
  assert.equal(answer.status(), 200, await answer.text())
}

/** The same, and opens a page of the console. */
export async function signIn(page: Page, person: Credentials, path = '/'): Promise<void> {
  await startSession(page, person)
  await page.goto(path)
  await page.getByRole('heading').first().waitFor()
}

/**
 * Goes there as a link does, by way of a page that is not there, so that nothing of the one before is taken for it:
 * loading the console again, and axe into it, takes longer than looking. That it can be loaded there is asked for too.
 */
export async function follow(page: Page, path: string): Promise<void> {
  const answer = await page.request.get(path)
  assert.equal(answer.status(), 200)
  assert.match(await answer.text(), /<div id="root">/)
  await page.evaluate(`history.pushState(null, '', '/not-there')`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
}

/** Fills in the form that is shown, whatever comes of it. */
export async function submitSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  // The page may say so before it is loaded again, which would break off where the test goes next.
  const loaded = page.waitForEvent('load')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await loaded
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails where axe finds something serious on the page as it stands; where rules are named, by these alone. */
export async function assertAccessible(page: Page, rules?: string[]): Promise<void> {
  // By the protocol and not by a script tag: the page's policy allows no such thing.
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axeSource)
  const violations = await page.evaluate(
    async (options) => {
      // biome-ignore lint/suspicious/noExplicitAny: it is a global of the page
      const { axe } = globalThis as any
      // What a rule finds is never worse than the rule says: a third of the work would be for what fails nothing.
      const weak = axe._audit.rules.filter(({ impact }: { impact: string | null }) =>
        ['minor', 'moderate'].includes(impact ?? ''),
      )
      const off = weak.map(({ id }: { id: string }) => [id, { enabled: false }])
      const found = await axe.run({ ...options, rules: Object.fromEntries(off) })
      return found.violations
    },
    { runOnly: rules ?? everyRule, resultTypes: ['violations'] },
  )
  const serious = violations.filter(({ impact }: { impact: string }) =>
    ['serious', 'critical'].includes(impact),
  )
  assert.deepEqual(
    serious.map(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) => ({
      id,
      nodes: nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary}`),
    })),
    [],
  )
}
