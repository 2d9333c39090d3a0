import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, renew, signIn, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

const windows = {
  laptop: { viewport: { width: 1360, height: 850 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('good manners of the console', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let rep: Person
  let dealer: Person
  let dealersLeadId: string
  let leadId: string
  let projectId: string

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { id } = world.installer.company
    owner = await addPerson(app, id, 'owner', 'Olga Owner')
    rep = await addPerson(app, id, 'rep', 'Rita Rep')
    dealer = await addPerson(app, world.dealer.company.id, 'owner', 'Dora Dealer')
    dealersLeadId = await lead(world.dealer, { firstName: 'Del', lastName: 'Dealt' })
    leadId = await lead(world.installer, {
      firstName: 'Iñaki',
      lastName: 'Núñez',
      email: 'inaki.with-a-long-name.of-many-parts@a-house-with-a-long-name.example.com',
      salesRepId: rep.id,
    })
    ;({ projectId } = await project(world.installer, { firstName: 'Ada', lastName: 'O’Brien' }))
  })

  const titled = (page: Page, title: string) =>
    page.waitForFunction(
      // biome-ignore lint/suspicious/noExplicitAny: it is a global of the page
      (wanted) => (globalThis as any).document.title === wanted,
      title,
    )

  test('an unknown address shows a page to people and JSON to programs', async () => {
    const get = (path: string, headers = {}) => app.send('GET', path, { headers })
    for (const path of ['/nowhere', '/a/b/c?d=e', '/v2/leads']) {
      const answer = await get(path, html)
      assert.equal(answer.status, 404, path)
      assert.match(String(answer.headers['content-type']), /^text\/html/, path)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
    }
    const programs = [
      '/v1/nowhere',
      '/legacy/nowhere',
      '/catalog/v1/nowhere',
      '/catalog/v2',
      '/console/api/nowhere',
    ]
    for (const path of programs) {
      const answer = await get(path, html)
      assert.ok(answer.status === 404 || answer.status === 401, `${path} ${answer.status}`)
      assert.match(String(answer.headers['content-type']), /^application\/json/, path)
    }
    assert.match(String((await get('/nowhere')).headers['content-type']), /^application\/json/)
    const posted = await app.send('POST', '/nowhere', { headers: html })
    assert.match(String(posted.headers['content-type']), /^application\/json/)

    const page = await openPage({ url: app.url, ...windows.phone })
    assert.equal((await page.goto('/nowhere'))!.status(), 404)
    await page.getByText('Page not found').waitFor()
    await titled(page, 'Page not found · Sunstead')
    await assertAccessible(page)
    await page.context().close()
  })

  test('the search opens by / and by Ctrl or Cmd with K, and finds without accents', async () => {
    const page = await openPage({ url: app.url, ...windows.laptop })
    await signIn(page, owner, '/leads')
    const dialog = page.getByRole('dialog', { name: 'Search' })
    const button = page.getByRole('button', { name: 'Search', exact: true })
    assert.equal(await button.getAttribute('aria-keyshortcuts'), '/ Control+K Meta+K')
    assert.equal(await button.getAttribute('title'), 'Press / or Ctrl K on any page')
    for (const keys of ['/', 'Control+k', 'Meta+k']) {
      await page.keyboard.press(keys)
      await dialog.waitFor()
      await page.keyboard.press('Control+k')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    // Also from within a field, where / is typed.
    await page.getByRole('searchbox').first().focus()
    await page.keyboard.press('Control+k')
    await dialog.getByRole('combobox').fill('nunez')
    await dialog.getByRole('option', { name: /Núñez/ }).waitFor()
    await dialog.getByRole('combobox').fill('obrien')
    await dialog.getByRole('option', { name: /O’Brien/ }).click()
    await titled(page, 'Ada O’Brien · Project · Sunstead')
    await page.goBack()
    await titled(page, 'Leads · Sunstead')
    await page.goto(`/leads/${leadId}`)
    await titled(page, 'Iñaki Núñez · Lead · Sunstead')
    await page.goto('/settings/keys')
    await titled(page, 'API keys · Sunstead')
    await page.context().close()
  })

  for (const [kind, size] of Object.entries(windows)) {
    test(`Back closes a dialog first, and nothing lies over a secret (${kind})`, async () => {
      const page = await openPage({ url: app.url, ...size, permissions: ['clipboard-write'] })
      await startSession(page, owner)
      // The first page of its document, where Back would leave it.
      await page.goto('/settings/keys')
      const make = page.getByRole('button', { name: 'Create key' }).first()
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      await make.click()
      await dialog.waitFor()
      await back(page)
      await dialog.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).pathname, '/settings/keys')

      await make.click()
      await dialog.getByLabel('Name').fill(`Key of the ${kind}`)
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const shown = page.getByRole('dialog', { name: 'Your API key' })
      await shown.waitFor()
      // What is shown only once is left by its own button alone.
      await back(page)
      const copy = shown.getByRole('button', { name: /Copy/ }).first()
      await copy.click()
      await shown.getByText('Copied').first().waitFor()
      for (const code of await shown.locator('code').all()) await assertUncovered(code)
      await assertAccessible(page)
      await shown.getByRole('button', { name: 'I’ve saved it' }).click()
      await shown.waitFor({ state: 'detached' })

      // In the console's own history, Back without a dialog goes back.
      await page.goto(`/projects/${projectId}`)
      await page.locator('main a[href^="/leads/"]').first().click()
      await page.waitForURL(/\/leads\//)
      await back(page)
      await page.waitForURL(/\/projects\//)
      await page.context().close()
    })

    test(`who can fill the catalogue is led there (${kind})`, async () => {
      const page = await openPage({ url: app.url, ...size })
      for (const [person, says] of [
        [owner, 'Add them to the catalogue'],
        [rep, 'Ask an admin to add them.'],
        // Who owns a dealer has nobody there to ask.
        [dealer, 'Ask the installer to add them.'],
      ] as const) {
        await page.context().clearCookies()
        await signIn(page, person, `/leads/${person === dealer ? dealersLeadId : leadId}/sell`)
        if (person !== dealer) await titled(page, 'Iñaki Núñez · Mark as sold · Sunstead')
        await page.getByText(says).waitFor()
        assert.equal(await page.getByText('Ask an admin').count(), person === rep ? 1 : 0)
        if (person === owner) {
          await page.getByRole('link', { name: says }).click()
          await page.waitForURL(/\/settings\/catalogue/)
        }
        await renew(page)
      }
      await page.context().close()
    })
  }

  test('an email breaks at its @ and dots alone, and no page grows by it', async () => {
    const page = await openPage({ url: app.url, ...windows.phone })
    await signIn(page, owner, `/leads/${leadId}`)
    const field = page.getByRole('button', { name: /inaki\.with-a-long-name/ }).first()
    await field.waitFor()
    const lines = await field.evaluate((button) => {
      const rows = new Map<number, string>()
      for (const piece of button.querySelectorAll('.inline-block')) {
        const top = Math.round(piece.getBoundingClientRect().top)
        rows.set(top, (rows.get(top) ?? '') + piece.textContent)
      }
      return [...rows.values()]
    })
    assert.ok(lines.length > 1, lines.join(' | '))
    for (const line of lines.slice(1)) assert.match(line, /^[@.]/)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.context().close()
  })

  test('a password link and an invitation say until when they work', async () => {
    const token = 'a-token-of-the-test'
    await app.database.rows(
      `insert into auth_verifications (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
        select 'v1', $1, id, now() + interval '30 minutes', now(), now() from auth_users where email = $2 returning id`,
      [createHash('sha256').update(`reset-password:${token}`).digest('base64url'), rep.email],
    )
    const page = await openPage({ url: app.url, ...windows.phone })
    await page.goto(`/reset-password?token=${token}`)
    await page.getByText(/This link works once, until .+ \d{1,2}:\d{2}\s[AP]M\./).waitFor()
    await titled(page, 'Choose a new password · Sunstead')
    await assertAccessible(page)

    const { call, get } = await signedIn(app, owner)
    const body = { email: 'ina@example.com', name: 'Ina', role: 'rep' }
    assert.equal((await call('POST', '/people/invitations', { body })).status, 201)
    const [mail] = (await get('/mails?to=ina@example.com')).body.mails
    const link = new URL(/https?:\S+\/invitation\S+/.exec((await get(`/mails/${mail.id}`)).body.body)![0])
    await page.goto(link.pathname + link.search)
    await page.getByText(/You can accept until .+ \d{1,2}:\d{2}\s[AP]M\./).waitFor()
    await page.context().close()
  })
})

/** As the browser's own button: it is not waited for, since no page need follow. */
const back = (page: Page) => page.evaluate('history.back()')

/** Fails where something lies over it. */
async function assertUncovered(shown: Locator): Promise<void> {
  await shown.scrollIntoViewIfNeeded()
  const covered = await shown.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const points = [0.05, 0.5, 0.95].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [left + x * width, top + y * height]),
    )
    return points
      .map(([x, y]) => element.ownerDocument.elementFromPoint(x!, y!))
      .filter((at) => at !== element)
      .map((at) => at?.outerHTML.slice(0, 80))
  })
  assert.deepEqual(covered, [])
}
