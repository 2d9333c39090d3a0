import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn, startSession } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf } from '../support/sample-files.ts'
import { twoColours } from '../support/sample-pictures.ts'

describe('sharing from the project page', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    await startSession(page, owner)
  })

  async function upload(projectId: string, folder: string, name: string, raw: Buffer): Promise<void> {
    const { cookie } = await signedIn(app, owner)
    const query = new URLSearchParams({ folder, name })
    const { status } = await app.send('PUT', `/console/api/projects/${projectId}/files?${query}`, {
      raw,
      headers: { cookie, 'x-sunstead-console': '1' },
    })
    assert.equal(status, 201)
  }

  test('a folder is shared, opened by a stranger, listed and ended; addresses are renewed', async () => {
    const { projectId } = await project(world.installer)
    await upload(
      projectId,
      'siteSurvey',
      'Roof.png',
      await twoColours({ width: 800, height: 600 }).png().toBuffer(),
    )
    await page.goto(`/projects/${projectId}`)
    await page.getByRole('button', { name: 'Share folder Site survey' }).click()
    await page.getByLabel('Expires in').selectOption({ label: '30 days' })
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Create link' }).click()
    const address = await page.getByLabel('Link', { exact: true }).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()

    const stranger = await openPage({ url: app.url })
    await stranger.goto(new URL(address).pathname)
    await stranger.getByRole('img', { name: 'Roof.png' }).waitFor()
    await stranger.context().close()
    await page.reload()
    await page.getByText(/opened once/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Turn off the link to Folder Site survey' }).click()
    await page.getByText('Turned off by Olga Owner').waitFor()
    assert.equal((await app.send('GET', new URL(address).pathname)).status, 404)

    const before = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body.links.proposal
    await page.getByRole('button', { name: 'Replace all API links' }).click()
    await page.getByRole('button', { name: 'Replace links' }).click()
    await page.getByText('Links replaced.').waitFor()
    assert.equal((await app.send('GET', new URL(before).pathname)).status, 404)
    // The console's own page of it opens as before.
    const [proposal] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Proposal', exact: true }).click(),
    ])
    await proposal.getByRole('heading', { name: /Your solar system/ }).waitFor()
    assert.match(proposal.url(), /\/console\/api\/projects\/proj_\w+\/proposal$/)
    await proposal.close()
  })

  test('a subcontractor sees the folders of the work, on a phone, and no contract', async () => {
    const sub = await addPerson(app, world.installer.company.id, 'subcontractor', 'Sven Sub')
    const { projectId } = await project(world.installer, {}, { subcontractorId: sub.id })
    await upload(projectId, 'contract', 'Contract.pdf', pdf)
    await upload(projectId, 'planset', 'Plan set.pdf', pdf)
    const phone = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await signIn(phone, sub, `/projects/${projectId}`)
    await phone.getByText('Plan set.pdf').first().waitFor()
    assert.equal(await phone.getByText('Contract.pdf').count(), 0)
    assert.equal(await phone.getByRole('heading', { name: 'Contract' }).count(), 0)
    assert.equal(await phone.getByText('$28,728.50').count(), 0)
    assert.equal(await phone.getByRole('button', { name: 'Share proposal' }).count(), 0)
    assert.equal(await phone.getByRole('button', { name: 'Add files to Plan sets' }).count(), 0)
    await phone.getByRole('button', { name: 'Add files to Installation photos' }).waitFor()
    assert.equal(await phone.evaluate('document.documentElement.scrollWidth'), 390)
    await assertAccessible(phone)
    await phone.context().close()
  })
})
