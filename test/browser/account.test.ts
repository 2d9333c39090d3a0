import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createOTP } from '@better-auth/utils/otp'
import type { Page } from 'playwright-core'
import readQr from 'qr/decode.js'
import sharp from 'sharp'
import { createCompany } from '../../src/domain/tenants/companies/create-company.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, signOut, submitSignIn } from '../support/browser.ts'
import { addPerson, password, signedIn } from '../support/people.ts'

describe('an account', { skip: noBrowser }, () => {
  let app: App
  let company: string
  let url: string

  before(async () => {
    app = await startApp({ env: { HOST: 'localhost' } })
    // Passkeys belong to a name: a number has none.
    url = app.url.replace('127.0.0.1', 'localhost')
    company = (await createCompany(app.server.deps.db, new Date(), { name: 'Sun & Sons' })).id
  })

  test('asks for codes once they are turned on', async () => {
    const person = await addPerson(app, company, 'owner', 'Cora Codes', 'cora@example.com')
    const page = await openPage({ url })
    await signIn(page, person, '/account')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const scan = page.getByRole('dialog', { name: 'Add Sunstead to your app' })
    const picture = scan.getByRole('img', { name: /QR code/ })
    await picture.waitFor()
    await assertAccessible(page)
    const secret = (await scan.locator('code').textContent())!.replaceAll(' ', '')
    assert.equal(new URL(await readByCamera(await picture.screenshot())).searchParams.get('secret'), secret)
    const otp = createOTP(decoded(secret))
    await scan.getByRole('textbox', { name: 'Code' }).fill(await otp.totp())
    await scan.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('list', { name: 'Backup codes' }).waitFor()
    const codes = await page
      .getByRole('list', { name: 'Backup codes' })
      .getByRole('listitem')
      .allTextContents()
    assert.ok(codes.length >= 8)
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    await signOut(page)
    await submitSignIn(page, person)
    await page.getByLabel('Code from your authenticator app').fill('000000')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This code is wrong').waitFor()
    // The one that turned codes on was used: the app's next one.
    const next = await otp.hotp(Math.floor(Date.now() / 30_000) + 1)
    await page.getByLabel('Code from your authenticator app').fill(next)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.waitForURL(`${url}/`)
    await signOut(page)
    await submitSignIn(page, person)
    await page.getByLabel('Code from your authenticator app').fill(codes[0]!)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.waitForURL(`${url}/`)
    await page.context().close()
  })

  test('has passkeys, where the server has a name', async () => {
    const person = await addPerson(app, company, 'rep', 'Paul Passkey', 'paul@example.com')
    const page = await openPage({ url })
    await addAuthenticator(page)
    await signIn(page, person, '/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Work laptop')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('Work laptop').waitFor()
    await assertAccessible(page)
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${url}/`)
    await page.goto('/account')
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByText('Passkey removed').waitFor()
    await page.context().close()
  })

  test('gets no further without the second factor that its company requires', async () => {
    const strict = (await createCompany(app.server.deps.db, new Date(), { name: 'Strict Solar' })).id
    const owner = await addPerson(app, strict, 'owner', 'Sara Strict', 'sara@example.com')
    const page = await openPage({ url, viewport: { width: 390, height: 844 } })
    await signIn(page, owner, '/settings/company')
    await page.getByRole('button', { name: 'Require it' }).click()
    const asked = page.getByRole('dialog', { name: 'Require a second factor?' })
    await asked.getByText('before they can continue').waitFor()
    await assertAccessible(page)
    await asked.getByRole('button', { name: 'Require it' }).click()
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await assertAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/leads')
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    await assertAccessible(page)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const scan = page.getByRole('dialog', { name: 'Add Sunstead to your app' })
    const otp = createOTP(decoded((await scan.locator('code').textContent())!.replaceAll(' ', '')))
    await scan.getByRole('textbox', { name: 'Code' }).fill(await otp.totp())
    await scan.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'I’ve saved them' }).click()
    await page.getByRole('heading', { name: 'You’re all set' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Account' }).waitFor()
    await page.context().close()

    // By a passkey as well, which is then to be used.
    const admin = await addPerson(app, strict, 'admin', 'Paula Passkey', 'paula@example.com')
    const other = await openPage({ url })
    await addAuthenticator(other)
    await signIn(other, admin)
    await other.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await other.getByRole('button', { name: 'Add a passkey' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()
    await other.getByRole('heading', { name: 'You’re all set' }).waitFor()
    await other.getByRole('button', { name: 'Continue' }).click()
    await signOut(other)
    await submitSignIn(other, admin)
    await other.getByRole('heading', { name: 'Sign in with your second factor' }).waitFor()
    await assertAccessible(other)
    await other.getByRole('button', { name: 'Sign in again' }).click()
    await other.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await other.getByRole('button', { name: 'Account' }).waitFor()
    await other.context().close()
  })

  test('changes its password and ends its other sessions', async () => {
    const person = await addPerson(app, company, 'manager', 'Pia Password', 'pia@example.com')
    const elsewhere = await signedIn(app, person)
    const page = await openPage({ url, viewport: { width: 390, height: 844 } })
    await signIn(page, person, '/account')
    await page.getByRole('button', { name: /^Sign out Unknown browser/ }).click()
    await page.getByText('That device is signed out').waitFor()
    assert.equal((await elsewhere.get('/session')).status, 401)
    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password').fill('a changed password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Wrong password').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
    await signedIn(app, { email: person.email, password: 'a changed password' })
    await page.context().close()
  })
})

/** A device that holds passkeys and knows its person. */
async function addAuthenticator(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
}

async function readByCamera(png: Buffer): Promise<string> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return readQr({ width: info.width, height: info.height, data })
}

/** The secret as the app gets it, back from base 32. */
function decoded(base32: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = ''
  for (const letter of base32) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2))).toString()
}
