import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { propose } from '../../src/domain/agents/propose.ts'
import { createInvoice } from '../../src/domain/billing/invoices/create-invoice.ts'
import { revokeKey } from '../../src/domain/tenants/keys/end-key.ts'
import { agentOf } from '../support/agents.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'

describe('what agents propose', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let agent: Awaited<ReturnType<typeof agentOf>>

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    agent = await agentOf(world, world.installer)
  })

  const proposed = async (firstName: string, stage = 'Design', reason: string | null = null) => {
    const { projectId } = await project(world.installer, { firstName, lastName: 'Roof' })
    const { id } = await propose(agent.as(), { kind: 'move', project: projectId, stage }, { reason })
    return { id, projectId }
  }
  const stageOf = async (projectId: string) =>
    (await app.get(`/v1/projects/${projectId}`, world.installer.key)).body.stage.name

  test('comes to open windows at once, and is decided once, in two of them', async () => {
    const { id: company } = world.installer.company
    const page = await openPage({ url: app.url })
    await signIn(page, await addPerson(app, company, 'owner', 'Olga Owner'), '/approvals')
    await page.getByText('Nothing to approve').waitFor()
    const second = await openPage({ url: app.url })
    await signIn(second, await addPerson(app, company, 'manager', 'Maya Manager'), '/approvals')
    await second.getByText('Nothing to approve').waitFor()

    const { projectId } = await proposed('Rita', 'Design', 'The survey is done.')
    const approve = 'Approve: Move Rita Roof’s project from Sold to Design'
    for (const window of [page, second]) {
      await window.getByRole('button', { name: approve }).waitFor()
      await window.getByRole('link', { name: 'Approvals 1 waiting' }).waitFor()
    }
    await page.getByText('The survey is done.').waitFor()
    await page.getByText('If you approve').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: approve }).press('Enter')
    await page.getByText('Approved: Move Rita Roof’s project from Sold to Design.').waitFor()
    await second.getByText('Nothing to approve').waitFor()
    await page.getByText('Nothing to approve').waitFor()
    assert.equal(await stageOf(projectId), 'Design')
    await page.getByText('Decided', { exact: true }).click()
    await page.getByText(/^Olga Owner, /).waitFor()
    await assertAccessible(page)
    await page.getByRole('link', { name: /^See the result/ }).click()
    await page.getByText('Moved from Sold to Design, as Ada (agent) proposed').first().waitFor()
    await page.context().close()
    await second.context().close()
  })

  test('approved by mistake, a move is undone', async () => {
    const page = await openPage({ url: app.url })
    await signIn(
      page,
      await addPerson(app, world.installer.company.id, 'admin', 'Ugo Umkehr', 'ugo@example.com'),
      '/approvals',
    )
    const { projectId } = await proposed('Uma')
    await page.getByRole('button', { name: /^Approve: Move Uma/ }).click()
    await page.getByText('Approved: Move Uma Roof’s project from Sold to Design.').waitFor()
    assert.equal(await stageOf(projectId), 'Design')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone: Move Uma Roof’s project from Sold to Design.').waitFor()
    assert.equal(await stageOf(projectId), 'Sold')
    await page.context().close()
  })

  test('a bill leads to what would be billed', async () => {
    const page = await openPage({ url: app.url })
    await signIn(
      page,
      await addPerson(app, world.installer.company.id, 'owner', 'Bea Biller', 'bea@example.com'),
      '/approvals',
    )
    const { projectId } = await project(world.installer, { firstName: 'Bella', lastName: 'Bill' })
    const customer = { name: 'Bella Bill', email: null, address: null }
    const lineItems = [{ description: 'Inspection', quantity: '1', unit: 'h', unitPrice: '90.00' }]
    const invoice = { customer, lineItems }
    await propose(agent.as(), { kind: 'draftInvoice', invoice, project: projectId })
    await page
      .getByRole('link', { name: /^Open the project: Draft an invoice of \$90.00 for Bella Bill/ })
      .click()
    await page.getByRole('heading', { name: 'Bella Bill' }).first().waitFor()
    const draft = await createInvoice(world.installer.as(), invoice)
    await propose(agent.as(), { kind: 'finalizeInvoice', invoice: draft.id })
    await page.goto(`${app.url}/approvals`)
    await page.getByRole('link', { name: /^Open the invoice: Finalize the draft/ }).click()
    await page.getByText('Inspection').first().waitFor()

    await page.goto(`${app.url}/approvals`)
    await page.getByRole('button', { name: /^Approve: Draft an invoice/ }).click()
    await page.getByText('Approved: Draft an invoice of $90.00 for Bella Bill.').waitFor()
    await page.getByText('Decided', { exact: true }).click()
    await page.getByRole('link', { name: /^See the result: Draft an invoice/ }).click()
    await page.waitForURL(/\/billing\/invoices\/inv_/)
    await page.context().close()
  })

  test('is declined on a phone, with a reason, and says what can’t be approved', async () => {
    const page = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    const admin = await addPerson(app, world.installer.company.id, 'admin', 'Anna Admin')
    const { projectId } = await proposed('Nora')
    const outdated = await proposed('Olaf')
    await signIn(page, admin, '/approvals')
    await page.getByRole('button', { name: /^Approve: Move Olaf/ }).waitFor()
    const move = { key: world.installer.key, body: { stage: 'NTP' } }
    await app.call('POST', `/v1/projects/${outdated.projectId}/stage`, move)
    await page.getByText('The record has changed since this was proposed').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Approve: Move Olaf/ }).count(), 0)
    await assertAccessible(page)

    await page.getByRole('button', { name: /^Decline: Move Nora/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Decline this proposal?' })
    assert.equal(await dialog.getByRole('button', { name: 'Decline' }).isDisabled(), true)
    await dialog.getByLabel('Reason').fill('Not before the permit')
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined: Move Nora Roof’s project from Sold to Design.').waitFor()
    await page.getByRole('button', { name: /^Decline: Move Nora/ }).waitFor({ state: 'detached' })
    assert.equal(await stageOf(projectId), 'Sold')

    await proposed('Paul')
    await page.getByRole('button', { name: /^Approve: Move Paul/ }).waitFor()
    await revokeKey(app.database.db, new Date(), agent.key.id)
    await page.reload()
    await page.getByText('The agent’s key was revoked').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: /^Approvals \(\d\)/ }).waitFor()
    await page.context().close()
  })

  test('a key for an agent is made, and shown as one', async () => {
    const page = await openPage({ url: app.url })
    const owner = await addPerson(app, world.dealer.company.id, 'owner', 'Dora Dealer')
    await signIn(page, owner, '/settings/keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create key' })
    await dialog.getByLabel('Name', { exact: true }).fill('Assistant')
    await dialog.getByLabel('For an agent').check()
    await dialog.getByLabel('Agent’s name').fill('Ada')
    assert.equal(await dialog.getByLabel('Asks for approval').isChecked(), true)
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('cell', { name: /Assistant.*Ada/ }).waitFor()
    await page.getByRole('cell', { name: /^Asks for approval/ }).waitFor()
    await page.getByRole('link', { name: 'Assistant' }).click()
    await page.getByText('Asks for approval').waitFor()
    await page.context().close()
  })
})
