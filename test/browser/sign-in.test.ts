import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { updateMember } from '../../src/domain/tenants/members/update-member.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, signOut, submitSignIn } from '../support/browser.ts'
import { createWorld, lead, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { startSmtpServer } from '../support/smtp-server.ts'

/** The newest mail that has come to this address besides those that are known. */
async function newestMail(smtp: Awaited<ReturnType<typeof startSmtpServer>>, to: string, known = 0) {
  const end = Date.now() + 60_000
  for (;;) {
    const mails = smtp.mails.filter((mail) => mail.to === to)
    // Long lines of quoted-printable are put together again.
    if (mails.length > known)
      return mails
        .at(-1)!
        .data.replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
    assert.ok(Date.now() < end, `no mail to ${to}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The page that a mail leads to. */
const pageIn = (mail: string) => new URL(/https?:\S+/.exec(mail)![0])

describe('the first run', { skip: noBrowser }, () => {
  test('sends everybody to make the first company, and its owner is in', async () => {
    const app = await startApp()
    const page = await openPage({ url: app.url })
    await page.goto('/leads')
    await page.getByRole('heading', { name: 'Welcome to Sunstead' }).waitFor()
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome to Sunstead' }).waitFor()
    await assertAccessible(page)
    await page.getByLabel('Setup code').fill(app.server.setUpCode!)
    await page.getByLabel('Company').fill('First Light')
    await page.getByLabel('Time zone').selectOption('America/Denver')
    await page.getByLabel('Your name').fill('Fiona First')
    await page.getByLabel('Your email').fill('fiona@example.com')
    // With a space at its end: a password is what was typed.
    const person = { email: 'fiona@example.com', password: 'a first password ' }
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Get started' }).click()
    await page.getByRole('button', { name: 'Account' }).getByText('First Light').waitFor()
    await page.goto('/set-up')
    await page.waitForURL(`${app.url}/`)
    await signOut(page)
    await submitSignIn(page, { ...person, password: person.password.trim() })
    await page.getByText('Wrong email or password').waitFor()
    await submitSignIn(page, person)
    await page.getByRole('button', { name: 'Account' }).getByText('First Light').waitFor()

    await signOut(page)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByText('This server doesn’t send email.').waitFor()
    await page.context().close()
    await app.stop()
  })
})

describe('signing in', { skip: noBrowser }, () => {
  let app: App
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>
  let world: World
  let company: string
  let owner: Person

  before(async () => {
    smtp = await startSmtpServer()
    app = await startApp({ env: { SMTP_URL: smtp.url } })
    world = await createWorld(app.server.deps.db)
    company = world.installer.company.id
    owner = await addPerson(app, company, 'owner', 'Olga Owner', 'olga@example.com')
  })
  after(() => smtp.close())

  test('leads on to the page that was asked for', async () => {
    const page = await openPage({ url: app.url })
    await page.goto('/calendar?view=week')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertAccessible(page)
    await submitSignIn(page, { ...owner, password: 'not the password' })
    await page.getByText('Wrong email or password').waitFor()
    await submitSignIn(page, owner)
    await page.waitForURL(/\/calendar\?view=week/)
    await page.goto('/sign-in')
    await page.waitForURL(`${app.url}/`)
    await signOut(page)
    await page.goto('/account')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().close()
  })

  test('says how long to wait after too many tries', async () => {
    const person = await addPerson(app, company, 'rep', 'Wim Wait', 'wim@example.com')
    const page = await openPage({ url: app.url })
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill(person.password)
    // With the form filled in, so that the wait is not over before it is sent.
    const tries = Array.from({ length: 7 }, () =>
      app.send('POST', '/console/auth/sign-in/email', {
        body: { email: person.email, password: 'not the password' },
        headers: { origin: app.url },
      }),
    )
    await Promise.all(tries)
    // Looked for together: it is said for as long as the wait lasts.
    await Promise.all([
      page.getByText('Too many attempts').waitFor(),
      page.getByRole('button', { name: /^Try again in \d/, disabled: true }).waitFor(),
      page.getByRole('button', { name: 'Sign in', exact: true }).click(),
    ])
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
    await page.context().close()
  })

  test('an invitation and a forgotten password lead in by mail', async () => {
    const { call } = await signedIn(app, owner)
    const body = { email: 'maria@example.com', name: 'Maria', role: 'rep' }
    assert.equal((await call('POST', '/people/invitations', { body })).status, 201)
    const page = await openPage({ url: app.url })
    const invitation = pageIn(await newestMail(smtp, 'maria@example.com'))
    await page.goto(invitation.pathname + invitation.search)
    await page.getByRole('heading', { name: 'Sunrise Solar has invited you' }).waitFor()
    await assertAccessible(page)
    await page.getByLabel('New password').fill('maria has a password')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'Account' }).getByText('Maria').waitFor()
    await signOut(page)

    await page.goto(invitation.pathname + invitation.search)
    await page.getByText('This invitation is no longer valid').waitFor()
    await assertAccessible(page)
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The page before has a field of the same name.
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('Email').fill('maria@example.com')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('a link is on its way').waitFor()
    await assertAccessible(page)
    const reset = pageIn(await newestMail(smtp, 'maria@example.com', 1))
    await page.goto(reset.pathname + reset.search)
    await page.getByLabel('New password').fill('maria has another one')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('button', { name: 'Account' }).getByText('Maria').waitFor()
    await page.context().close()
  })

  test('an installer’s owner invites people into a dealer', async () => {
    const page = await openPage({ url: app.url })
    await signIn(page, owner, '/settings/people')
    await page.getByLabel('Company').selectOption('Bright Doors')
    await page.getByText('No people yet').waitFor()
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite person' })
    await dialog.getByLabel('Name').fill('Dora Doors')
    await dialog.getByLabel('Email').fill('dora@example.com')
    assert.equal(await dialog.getByLabel('Company').inputValue(), world.dealer.company.id)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText(/^Invited until/).waitFor()
    assert.match(await newestMail(smtp, 'dora@example.com'), /to join Bright Doors/)
    await page.context().close()
  })

  test('who is deactivated is told so, at once and when signing in', async () => {
    const { db } = app.server.deps
    const person = await addPerson(app, company, 'manager', 'Gone Soon', 'gone@example.com')
    const page = await openPage({ url: app.url })
    await signIn(page, person)
    await updateMember(db, new Date(), company, person.id, { active: false })
    await page.goto('/leads')
    await page.getByRole('heading', { name: 'You no longer have access' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await submitSignIn(page, person)
    await page.getByText('your access was ended').waitFor()
    await page.context().close()
  })

  test('a session that ends loses no text, nor the company that one works for', async () => {
    const { db } = app.server.deps
    // The first company of this person is another one than they are in.
    const elsewhere = (await createCompany(db, new Date(), { name: 'Later Light' })).id
    const person = await addPerson(app, company, 'owner', 'Eve Edit', 'eve@example.com')
    await addPerson(app, elsewhere, 'owner', 'Eve Edit', 'eve@example.com')
    const page = await openPage({ url: app.url })
    await signIn(page, person)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Later Light' }).click()
    await page.getByRole('button', { name: 'Account' }).getByText('Later Light').waitFor()
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite person' })
    await dialog.getByLabel('Name').fill('Typed With Care')
    await dialog.getByLabel('Email').fill('typed@example.com')
    await db.execute(
      `delete from auth_sessions where "userId" in (select id from auth_users where email = 'eve@example.com')`,
    )
    await dialog.getByRole('button', { name: 'Send invitation' }).click()

    const again = page.getByRole('dialog', { name: 'Please sign in again' })
    await again.getByLabel('Password').fill(person.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('typed@example.com invited').waitFor()
    const invited = await app.database.rows('select name, company_id from members where email = $1', [
      'typed@example.com',
    ])
    assert.deepEqual(invited, [{ name: 'Typed With Care', company_id: elsewhere }])
    await page.context().close()
  })

  test('what is typed for one company is done in no other one', async () => {
    const { db } = app.server.deps
    const elsewhere = (await createCompany(db, new Date(), { name: 'Second Sun' })).id
    const person = await addPerson(app, company, 'owner', 'Tia Two', 'tia@example.com')
    const there = await addPerson(app, elsewhere, 'owner', 'Tia Two', 'tia@example.com')
    await addPerson(app, elsewhere, 'owner', 'Other Owner', 'other.owner@example.com')
    const page = await openPage({ url: app.url })
    await signIn(page, person, '/settings/people')
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite person' })
    await dialog.getByLabel('Name').fill('Meant For One')
    await dialog.getByLabel('Email').fill('meant@example.com')

    const other = await page.context().newPage()
    await other.goto('/leads')
    await other.getByRole('button', { name: 'Account' }).click()
    await other.getByRole('menuitem', { name: 'Second Sun' }).click()
    await other.getByRole('button', { name: 'Account' }).getByText('Second Sun').waitFor()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('You work for another company now').first().waitFor()
    assert.deepEqual(await app.database.rows(`select 1 from members where email = 'meant@example.com'`), [])

    await updateMember(db, new Date(), elsewhere, there.id, { active: false })
    await other.reload()
    await other.getByRole('heading', { name: 'You no longer have access' }).waitFor()
    await assertAccessible(other)
    await other.getByRole('button', { name: /^Switch to/ }).click()
    await other.getByRole('button', { name: 'Account' }).getByText('Tia Two').waitFor()
    await page.context().close()
  })

  test('who signs in again in another window is not asked twice', async () => {
    const leadId = await lead(world.installer)
    const page = await openPage({ url: app.url })
    await signIn(page, owner, `/leads/${leadId}`)
    await page.getByLabel('Write a note').fill('Typed in the first window')
    const other = await page.context().newPage()
    await other.goto('/account')
    await signOut(other)
    await page.getByText('Post note').dispatchEvent('click')
    const again = page.getByRole('dialog', { name: 'Please sign in again' })
    await again.waitFor()
    await submitSignIn(other, owner)
    await other.getByRole('button', { name: 'Account' }).waitFor()
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await again.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Activity' }).getByText('Typed in the first window').waitFor()
    await page.context().close()
  })

  test('a note that was typed when the session ended is saved', async () => {
    const leadId = await lead(world.installer)
    const page = await openPage({ url: app.url })
    await signIn(page, owner, `/leads/${leadId}`)
    const note = page.getByRole('textbox', { name: 'Write a note' })
    await note.fill('Long thought, quickly lost')
    await app.server.deps.db.execute('delete from auth_sessions')
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/notes') && answer.ok())
    // Not by a click: another call of the page may have found out first, and its question covers the button.
    await note.evaluate((field) =>
      (field as unknown as { form: { requestSubmit(): void } }).form.requestSubmit(),
    )
    const again = page.getByRole('dialog', { name: 'Please sign in again' })
    await again.getByLabel('Password').fill(owner.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    await saved
    await page.getByText('Long thought, quickly lost').first().waitFor()
    const kept = await app.database.rows(`select body from activities where body like 'Long thought%'`)
    assert.equal(kept.length, 1)
    await page.context().close()
  })
})
