import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { updateLead } from '../../src/domain/deals/leads/update-lead.ts'
import { type App, startApp } from '../support/app.ts'
import { noBrowser, openPage, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'

describe('who is put on a record, and taken off it, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let rep: Person
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    rep = await addPerson(app, world.installer.company.id, 'rep', 'Rita Rep')
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    await startSession(page, rep)
  })

  /** Opens a page and waits until it is told of changes. */
  async function follow(path: string): Promise<void> {
    const streamed = page.waitForResponse((answer) => answer.url().endsWith('/console/api/live'))
    await page.goto(path)
    await streamed
  }

  test('the bell rings, and leads to the lead', async () => {
    const id = await lead(world.installer, { firstName: 'Ada', lastName: 'Moreno' })
    await follow('/leads')
    await updateLead(world.installer.as(), id, { salesRepId: rep.id })
    await page.getByRole('row', { name: /Ada Moreno/ }).waitFor()
    await page.getByRole('button', { name: /^Notifications.*1/ }).click()
    await page.getByRole('link', { name: /Ada Moreno: you are now the sales rep/ }).click()
    await page.waitForURL(`**/leads/${id}`)
  })

  test('a record that is theirs no more is gone from the open list and page', async () => {
    const { leadId, projectId } = await project(world.installer, {
      firstName: 'Bo',
      lastName: 'Diaz',
      salesRepId: rep.id,
    })
    await follow('/leads')
    const row = page.getByRole('row', { name: /Bo Diaz/ })
    await row.waitFor()
    await updateLead(world.installer.as(), leadId, { salesRepId: null })
    await row.waitFor({ state: 'detached' })
    await updateLead(world.installer.as(), leadId, { salesRepId: rep.id })
    await row.waitFor()
    await follow(`/projects/${projectId}`)
    await page.getByRole('heading', { name: 'Bo Diaz' }).waitFor()
    await updateLead(world.installer.as(), leadId, { salesRepId: null })
    await page.getByText('Page not found').waitFor()
  })

  test('a proposal that the customer opens shows on the open project', async () => {
    const { projectId } = await project(world.installer, { salesRepId: rep.id })
    const proposal = (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body.links.proposal
    await follow(`/projects/${projectId}`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const headers = { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/605.1' }
    assert.equal((await app.send('GET', new URL(proposal).pathname, { headers })).status, 200)
    await page.getByText('Opened the proposal').waitFor()
  })

  test('the way back from a lead leads to the list as it was', async () => {
    await lead(world.installer, { firstName: 'Cleo', lastName: 'Fisher', salesRepId: rep.id })
    await page.goto('/leads?search=cleo&sort=made')
    await page.getByRole('link', { name: 'Cleo Fisher' }).click()
    await page.getByRole('link', { name: 'All leads' }).click()
    await page.waitForURL('**/leads?search=cleo&sort=made')
    await page.getByRole('link', { name: 'Cleo Fisher' }).waitFor()
  })
})
