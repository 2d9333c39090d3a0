import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runKind } from '../../src/domain/billing/runs/run.ts'
import { importKind } from '../../src/domain/data/imports/import.ts'
import { createLongJob } from '../../src/domain/journal/long-jobs/create-long-job.ts'
import { putOffLongJob } from '../../src/domain/journal/long-jobs/queries.ts'
import { reassignmentKind } from '../../src/domain/tenants/reassignments/reassignment.ts'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, signIn } from '../support/browser.ts'
import { createWorld, member, type World } from '../support/factories.ts'
import { importIn } from '../support/imports.ts'
import { addPerson } from '../support/people.ts'

const held = new Date('2099-01-01')

describe('long work, on its page', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    page = await openPage({ url: app.url, viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await signIn(page, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  })

  /** One of which 3 of 9 are done, and which the server leaves alone. */
  async function halfDone(kind: string, subjectId: string, input: object = {}) {
    const { db, actor, now } = world.installer.as()
    const asked = { kind, subjectId, companyId: actor.companyId, input, total: 9, heldUntil: held }
    const job = (await createLongJob(db, actor, now, asked))!
    await app.database.rows('update long_jobs set done = 3 where id = $1', [job.id])
    return job
  }

  /** It shows how far it is, is stopped, and says so. */
  async function stopped(label: string, then: string) {
    const bar = page.getByRole('progressbar', { name: label })
    await bar.waitFor()
    assert.equal(await bar.getAttribute('value'), '33')
    await page.getByText('what is done so far stays').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText(then, { exact: true }).first().waitFor()
    await bar.waitFor({ state: 'detached' })
    await assertAccessible(page)
  }

  test('an import', async () => {
    const id = await importIn(app.database, world.installer, 'running')
    await halfDone(importKind, id)
    await page.goto(`/settings/import/${id}`)
    await stopped('3 of 9 rows', 'Stopped')
  })

  test('a billing run, which says when it is tried again', async () => {
    const run = await halfDone(runKind, world.installer.company.id, { month: '2026-01-01' })
    await putOffLongJob(app.database.db, { ...run, notBefore: held, failure: 'It is tried again by itself.' })
    await page.goto(`/billing?part=runs&run=${run.id}`)
    await page.getByRole('alert').getByText('It is tried again by itself.').waitFor()
    await stopped('3 of 9 plans', 'Stopped')
    const [event] = await app.database.rows<{ actor_name: string }>(
      `select actor_name from events where subject_id = $1 and type = 'plan.run_stopped'`,
      [run.id],
    )
    assert.equal(event?.actor_name, 'Olga Owner')
  })

  test('reassigned work', async () => {
    const from = await member(world, world.installer, 'Fran From')
    const to = await member(world, world.installer, 'Tina To')
    await halfDone(reassignmentKind, from.id, { toMemberId: to.id })
    await page.goto('/settings/people')
    await page.getByRole('button', { name: 'Actions for Fran From' }).click()
    await page.getByRole('menuitem', { name: 'Reassign work' }).click()
    await stopped('Reassigning: 3 of 9', 'Stopped')
  })
})
