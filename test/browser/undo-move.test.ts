import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { patchStage } from '../../src/domain/tenants/ladders/patch-stage.ts'
import { type App, startApp } from '../support/app.ts'
import { card, column, dragTo } from '../support/board.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, project, type World } from '../support/factories.ts'
import { addPerson, type Person } from '../support/people.ts'

describe('a move that is told to people, in the browser', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let owner: Person

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    owner = await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner')
    const [stage] = await app.database.rows<{ id: string }>(
      `select id from stages where installer_id = $1 and product_line = 'solar' and name = 'Site Survey'`,
      [world.installer.company.id],
    )
    await patchStage(world.db, new Date(), world.installer.company.id, stage!.id, {
      alerts: ['owner'],
      messages: [{ subject: 'We come to see your roof', body: 'Dear {firstName}' }],
    })
  })

  const stageOf = async (id: string) =>
    (await app.get(`/v1/projects/${id}`, world.installer.key)).body.stage.name
  const mailsTo = async (leadId: string) =>
    (
      await app.database.rows<{ to: string }>(
        `select to_address as "to" from mails where lead_id = $1 order by to_address`,
        [leadId],
      )
    ).map(({ to }) => to)
  const sold = (lastName: string) =>
    project(world.installer, { firstName: 'Ada', lastName, email: `${lastName.toLowerCase()}@example.com` })

  test('on the board it is asked about, can be left, told to some, and undone', async () => {
    const { projectId, leadId } = await sold('Board')
    const page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 } })
    await signIn(page, owner, '/board')
    await card(page, 'Sold', 'Ada Board').waitFor()

    await dragTo(page, 'Ada Board', 'Sold', 'Site Survey')
    const dialog = page.getByRole('dialog', { name: 'Move Ada Board to Site Survey?' })
    await dialog.getByText('“We come to see your roof”').waitFor()
    await dialog.getByLabel('Alert Olga Owner').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await column(page, 'Site Survey', 0).waitFor()
    assert.deepEqual([await stageOf(projectId), await mailsTo(leadId)], ['Sold', []])

    await dragTo(page, 'Ada Board', 'Sold', 'Site Survey')
    await dialog.getByLabel('Email Ada Board (board@example.com)').uncheck()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Ada Board is now in Site Survey.').waitFor()
    assert.deepEqual([await stageOf(projectId), await mailsTo(leadId)], ['Site Survey', [owner.email]])

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Ada Board is now in Sold.').waitFor()
    await card(page, 'Sold', 'Ada Board').waitFor()
    assert.deepEqual([await stageOf(projectId), await mailsTo(leadId)], ['Sold', []])

    // Where nobody is told, nothing is asked.
    await dragTo(page, 'Ada Board', 'Sold', 'Design')
    await page.getByText('Ada Board is now in Design.').waitFor()
    assert.equal(await stageOf(projectId), 'Design')
    await page.context().close()
  })

  test('on a phone the project’s own button does the same', async () => {
    const { projectId, leadId } = await sold('Phone')
    const page = await openPage({
      url: app.url,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await signIn(page, owner, `/projects/${projectId}`)
    const button = page.getByRole('button', { name: 'Move to Site Survey' })
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Move Ada Phone to Site Survey?' })
    await dialog.getByLabel('Email Ada Phone (phone@example.com)').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button.click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Moved to Site Survey.').waitFor()
    assert.deepEqual(await mailsTo(leadId), [owner.email, 'phone@example.com'].toSorted())
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: back in Sold.').waitFor()
    await button.waitFor()
    assert.deepEqual([await stageOf(projectId), await mailsTo(leadId)], ['Sold', []])
    await page.context().close()
  })
})
