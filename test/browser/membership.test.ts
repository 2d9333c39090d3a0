import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { saveLimit } from '../../src/domain/deals/storage/queries.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'

const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

describe('working with more than one company', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let other: Person
  let pia: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    other = await addPerson(app, world.other.company.id, 'owner', 'Otto Other')
    pia = await addPerson(app, world.installer.company.id, 'admin', 'Pia Both', 'pia@example.com')
    await app.database.rows(`update auth_users set "emailVerified" = true where email = $1`, [pia.email])
  })

  async function invite(again?: 'again'): Promise<void> {
    const { call } = await signedIn(app, other)
    const { id } = world.other.company
    const body = { name: pia.name, email: pia.email, role: 'admin', company: id }
    const [member] = again
      ? await app.database.rows<{ id: string }>(
          'select id from members where company_id = $1 and email = $2',
          [id, pia.email],
        )
      : []
    const { status, text } = member
      ? await call('POST', `/people/${member.id}/invitation`)
      : await call('POST', '/people/invitations', { body })
    assert.equal(status, member ? 200 : 201, text)
  }

  const fits = async (page: Page) =>
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390, 'the page is too wide')

  test('who is invited is told on every page, and says no or yes there', async () => {
    await invite()
    const page = await openPage({ url: app.url, ...phone })
    await signIn(page, pia)
    const notice = page.getByRole('region', { name: 'Invitations' })
    await notice.getByText('Other Power has invited you').waitFor()
    await assertAccessible(page)
    await fits(page)
    await notice.getByRole('button', { name: 'Decline: Other Power' }).click()
    await page.getByText('Other Power will be told that you declined.').waitFor()
    await notice.waitFor({ state: 'detached' })

    await invite('again')
    await page.reload()
    await page.goto('/leads')
    await notice.getByRole('button', { name: 'Accept: Other Power' }).click()
    await page.getByText('You’ve joined Other Power.').waitFor()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Other Power' }).click()
    await page.waitForURL('/')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByText('Pia Both, Admin').waitFor()
    await page.context().close()
  })

  test('what is kept is shown against what may be, and that it is nearly full', async () => {
    const page = await openPage({ url: app.url, ...phone })
    await startSession(page, owner)
    const { id, installerId } = world.installer.company
    await page.goto('/settings')
    const meter = page.getByRole('meter', { name: 'Storage' })
    await meter.waitFor()
    assert.equal(await meter.getAttribute('aria-valuenow'), '0')
    await app.database.rows(
      `insert into storage_usage (installer_id, company_id, bytes) values ($1, $2, 95000000)
        on conflict (installer_id, company_id) do update set bytes = excluded.bytes`,
      [installerId, id],
    )
    await saveLimit(app.database.db, { installerId, companyId: id, limitBytes: 100_000_000 })
    await page.reload()
    await page.getByText('95 MB of 100 MB used').waitFor()
    assert.equal(await meter.getAttribute('aria-valuenow'), '95')
    await page.getByText('Nearly full. Remove files').waitFor()
    await assertAccessible(page)
    await fits(page)
    await page.context().close()
  })

  test('somebody leaves one company and goes on in the other; the last owner stays', async () => {
    const page = await openPage({ url: app.url, ...phone })
    await signIn(page, pia, '/account')
    await page.getByRole('button', { name: 'Leave Other Power' }).click()
    const asked = page.getByRole('dialog', { name: 'Leave Other Power?' })
    await asked.getByText('To come back, you need a new invitation.').waitFor()
    await assertAccessible(page)
    await fits(page)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave Other Power' }).click()
    await asked.getByRole('button', { name: 'Leave Other Power' }).click()
    await page.waitForURL('/')
    await page.goto('/account')
    await page.getByRole('button', { name: 'Leave Sunrise Solar' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Leave Other Power' }).count(), 0)

    // The only one that is left: out, and nobody signs in by it any more.
    await page.getByRole('button', { name: 'Leave Sunrise Solar' }).click()
    await page.getByText('signed out everywhere').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Leave Sunrise Solar' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().close()

    const last = await openPage({ url: app.url })
    await signIn(last, other, '/account')
    await last.getByRole('button', { name: 'Leave Other Power' }).click()
    await last.getByRole('dialog').getByRole('button', { name: 'Leave Other Power' }).click()
    await last.getByRole('alert').getByText('is the last owner').waitFor()
    await last.reload()
    await last.getByRole('button', { name: 'Leave Other Power' }).waitFor()
    await last.context().close()
  })

  test('an owner resets a colleague’s lost second factor, by name and after a warning', async () => {
    const { company } = world.installer
    const lou = await addPerson(app, company.id, 'admin', 'Lou Lost', 'lou@example.com')
    await app.database.rows(
      `insert into auth_passkeys (id, name, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
        select 'pk', 'Key', 'x', id, 'c', 0, 'singleDevice', false from auth_users where email = $1`,
      [lou.email],
    )
    const page = await openPage({ url: app.url, ...phone })
    await signIn(page, owner, '/settings/people')
    await page.getByRole('button', { name: 'Actions for Olga Owner' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Reset second factor' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions for Lou Lost' }).click()
    await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
    const asked = page.getByRole('dialog', { name: 'Reset Lou Lost’s second factor?' })
    await asked.getByText('Talk to them first').waitFor()
    await assertAccessible(page)
    await fits(page)
    await asked.getByRole('button', { name: 'Verified, reset it' }).click()
    await page.getByText('Lou Lost can now sign in with their password').waitFor()
    const left = await app.database.rows(
      `select p.id from auth_passkeys p join auth_users u on u.id = p."userId" where u.email = $1`,
      [lou.email],
    )
    assert.deepEqual(left, [])
    await page.goto('/settings/audit')
    await page.getByText('reset the second factor of').first().waitFor()
    await page.context().close()
  })
})
