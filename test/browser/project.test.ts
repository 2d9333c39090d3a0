import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'
import { elf, pdf } from '../support/sample-files.ts'
import { twoColours } from '../support/sample-pictures.ts'

describe('the project page', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let surveyor: Person
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    surveyor = await addPerson(app, world.installer.company.id, 'surveyor', 'Sam Surveyor')
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    await startSession(page, owner)
  })

  const read = async (id: string) => (await app.get(`/v1/projects/${id}`, world.installer.key)).body
  const open = async (id: string) => {
    await page.goto(`/projects/${id}`)
    await page.getByRole('heading', { name: 'Schedule' }).waitFor()
  }
  const stage = () => page.getByRole('list', { name: 'Progress' }).locator('[aria-current=step]')
  /** Until the server has it, and not only the page. */
  const settled = async (id: string, holds: (project: Awaited<ReturnType<typeof read>>) => boolean) => {
    while (!holds(await read(id)));
  }

  test('a project goes up its ladder by button, menu and keyboard, and has its checklist ticked', async () => {
    const { projectId, leadId } = await project(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
    // By its lead's id it is the same page.
    await page.goto(`/projects/${leadId}`)
    await page.waitForURL(`**/projects/${projectId}`)
    await page.getByRole('heading', { name: 'Ada Moreno', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Move to Site Survey' }).click()
    await page.getByText('Moved to Site Survey.').waitFor()
    assert.equal((await read(projectId)).stage.name, 'Site Survey')

    await page.getByLabel('Roof photos taken').check()
    const checklist = page.getByRole('list', { name: 'Checklist: Site Survey' })
    await checklist.getByText('Olga Owner, this minute').waitFor()
    await page.getByText('1 of 3 done').waitFor()

    await page.getByRole('button', { name: 'Move', exact: true }).focus()
    await page.keyboard.press('Enter')
    // What is typed before the menu is there goes nowhere.
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.type('Design')
    await page.locator('[role^=menuitem]:focus', { hasText: 'Design' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Moved to Design.').waitFor()
    assert.match((await stage().textContent()) ?? '', /Design/)
    assert.equal((await read(projectId)).stage.name, 'Design')
    await assertAccessible(page)
  })

  test('a move that is refused falls back and says why', async () => {
    const { projectId } = await project(world.installer)
    await open(projectId)
    const refused = { error: { code: 'invalid', message: 'The ladder was changed meanwhile.' } }
    await page.route('**/stage', (route) => route.fulfill({ status: 400, json: refused }), { times: 1 })
    await page.getByRole('button', { name: 'Move to Site Survey' }).click()
    await page.getByRole('alert').getByText('The ladder was changed meanwhile.').waitFor()
    await page.getByRole('button', { name: 'Move to Site Survey' }).waitFor()
    assert.match((await stage().textContent()) ?? '', /Sold/)
  })

  test('days are chosen on a calendar, people from a menu, and the contract is edited', async () => {
    const { projectId } = await project(world.installer)
    await open(projectId)
    await page.getByRole('button', { name: 'Install date: Choose a date' }).click()
    const dialog = page.getByRole('dialog', { name: 'Install date' })
    await dialog.getByRole('button', { name: 'Today' }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await settled(projectId, ({ milestones }) => milestones.installScheduled > new Date().toISOString())

    await page.getByLabel('Notice to proceed granted').check()
    await settled(projectId, ({ ntpGranted }) => ntpGranted)

    await page.getByRole('button', { name: 'Change site surveyor' }).click()
    await page.getByRole('menuitem', { name: 'Sam Surveyor' }).click()
    await settled(projectId, ({ siteSurveyor }) => siteSurveyor?.name === 'Sam Surveyor')

    await page.getByRole('button', { name: 'Edit contract and financing' }).click()
    await page.getByLabel('Financing', { exact: true }).selectOption('Loan')
    await page.getByLabel('Contract price').fill('$31,500')
    await page.getByLabel('APR (%)').fill('six')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText(/APR must be a percentage such as 5\.99/)
      .waitFor()
    await page.getByLabel('APR (%)').fill('6')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('$31,500.00', { exact: true }).first().waitFor()
    const { contract, financing } = await read(projectId)
    assert.deepEqual([contract.price, financing.type, financing.aprPercent], [31_500, 'loan', 6])
  })

  test('files are added by choosing and dropping, each refused one with its reason, pictures are looked at', async () => {
    const { projectId } = await project(world.installer)
    await open(projectId)
    const picture = await twoColours({ width: 640, height: 480 }).png().toBuffer()
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files to Site survey' }).click()
    await (await choosing).setFiles([
      { name: 'roof.png', mimeType: 'image/png', buffer: picture },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: elf },
      { name: 'again.png', mimeType: 'image/png', buffer: picture },
    ])
    const uploads = page.getByRole('list', { name: 'Uploads' })
    await uploads
      .getByText('plan.pdf is a program; only documents, pictures, audio and video are taken.')
      .waitFor()
    await uploads.getByText(/This folder already has the file/).waitFor()
    await page.getByRole('button', { name: /^(roof|again)\.png/ }).click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    await page.keyboard.press('Escape')

    const dropped = await page.evaluateHandle((text) => {
      // biome-ignore lint/suspicious/noExplicitAny: these are the page's own
      const { DataTransfer, File } = globalThis as any
      const data = new DataTransfer()
      data.items.add(new File([text], 'permit.pdf', { type: 'application/pdf' }))
      return data
    }, pdf.toString('latin1'))
    await page
      .getByRole('button', { name: 'Add files to Permits' })
      .dispatchEvent('drop', { dataTransfer: dropped })
    const document = page.getByRole('link', { name: /permit\.pdf/ })
    await document.waitFor()
    const { files } = await read(projectId)
    assert.deepEqual([files.siteSurvey.length, files.permit.length], [1, 1])
    await assertAccessible(page)
    // It opens in a tab of its own, in the browser's viewer.
    assert.equal(await document.getAttribute('target'), '_blank')
    const opened = await page.request.get((await document.getAttribute('href'))!)
    assert.match(opened.headers()['content-disposition']!, /^inline/)

    await page.getByRole('button', { name: 'Remove permit.pdf', exact: true }).click()
    const asked = page.getByRole('dialog', { name: 'Remove this file?' })
    await assertAccessible(page)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Remove permit.pdf', exact: true }).click()
    await asked.getByRole('button', { name: 'Remove file' }).click()
    await page.getByText('permit.pdf was removed.').waitFor()
    await document.waitFor({ state: 'detached' })
    await page.getByText('Removed permit.pdf from Permits').waitFor()
    assert.deepEqual((await read(projectId)).files.permit, [])
  })

  test('a session that ends mid-edit loses no text', async () => {
    const { projectId } = await project(world.installer)
    await open(projectId)
    await page.getByRole('button', { name: 'Add notes' }).click()
    await page.getByLabel('Notes', { exact: true }).fill('Dog in the yard, call first')
    await page.reload()
    assert.equal(await page.getByLabel('Notes', { exact: true }).inputValue(), 'Dog in the yard, call first')
    await page.context().clearCookies()
    // The question may be there before the press: another call may have found out first.
    await page.getByRole('button', { name: 'Save', includeHidden: true }).dispatchEvent('click')
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
    await dialog.getByLabel('Password').fill(owner.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await settled(projectId, ({ notes }) => notes.project === 'Dog in the yard, call first')
    await page.getByRole('button', { name: 'Edit notes' }).waitFor()
  })

  test('a surveyor on a phone sees their project without what only runners do, and no other project is there', async () => {
    const { projectId } = await project(world.installer, {}, { siteSurveyorId: surveyor.id })
    const { projectId: other } = await project(world.installer)
    const phone = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await signIn(phone, surveyor, `/projects/${projectId}`)
    await phone.getByRole('button', { name: 'Add files to Site survey' }).waitFor()
    assert.equal(await phone.getByRole('button', { name: /^Move/ }).count(), 0)
    assert.equal(await phone.getByRole('button', { name: /^Install date/ }).count(), 0)
    const wide = await phone.evaluate('document.documentElement.scrollWidth')
    assert.equal(wide, 390, 'nothing scrolls sideways')
    await assertAccessible(phone)
    await phone.goto(`/projects/${other}`)
    await phone.getByText('Page not found').waitFor()
    await phone.context().close()
  })
})
