import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { card, column } from '../support/board.ts'
import { noBrowser, openPage, startSession } from '../support/browser.ts'
import { createWorld, lead, project, type World } from '../support/factories.ts'
import { addPerson, type Person, signedIn } from '../support/people.ts'
import { pdf } from '../support/sample-files.ts'

const day = '2031-03-12'

describe('a dealer’s rep', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let rep: Person
  let own: { leadId: string; projectId: string }
  /** A colleague's, another dealer's, the installer's own, and another installer's. */
  const hidden: { leadId: string; projectId: string }[] = []
  const hiddenFiles: string[] = []

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    const { installer, dealer, sister, other } = world
    rep = await addPerson(app, dealer.company.id, 'rep', 'Rita Rep')
    const colleague = await addPerson(app, dealer.company.id, 'rep', 'Carl Colleague', 'carl@example.com')
    own = await project(dealer, { firstName: 'Otto', lastName: 'Sunny', salesRepId: rep.id })
    await lead(dealer, { firstName: 'Olive', lastName: 'Sunny', salesRepId: rep.id })
    hidden.push(
      await project(dealer, { firstName: 'Hidden', lastName: 'Sunny', salesRepId: colleague.id }),
      await project(sister, { firstName: 'Hidden', lastName: 'Sunny' }),
      await project(installer, { firstName: 'Hidden', lastName: 'Sunny' }),
      await project(other, { firstName: 'Hidden', lastName: 'Sunny' }),
    )
    const owner = await signedIn(app, await addPerson(app, installer.company.id, 'owner'))
    for (const { projectId } of [own, ...hidden.slice(0, 3)])
      await owner.call('PATCH', `/projects/${projectId}`, { body: { installDate: day } })
    const { body } = await app.send(
      'PUT',
      `/console/api/projects/${hidden[0]!.projectId}/files?folder=permit&name=permit.pdf`,
      { raw: pdf, headers: { cookie: owner.cookie, 'x-sunstead-console': '1' } },
    )
    hiddenFiles.push(`/console/api/projects/${hidden[0]!.projectId}/files/${body.id}`)
  })

  const nothingHere = (page: Page) => page.getByText('Page not found').waitFor()

  test('sees own records only, and every other address answers as missing', async () => {
    const page = await openPage({ url: app.url })
    await startSession(page, rep)
    const seen: string[] = []
    page.on('response', async (answer) => {
      if (answer.url().includes('/console/api/') && !answer.url().endsWith('/live'))
        seen.push(await answer.text().catch(() => ''))
    })

    await page.goto('/leads')
    await page.getByRole('link', { name: 'Olive Sunny' }).waitFor()
    await page.getByText('2 leads', { exact: true }).waitFor()
    await page.goto('/board')
    await card(page, 'Sold', 'Otto Sunny').waitFor()
    await column(page, 'Sold', 1).waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Move|Drag) / }).count(), 0)
    await page.goto('/search?q=sunny')
    await page.getByRole('link', { name: /Olive Sunny/ }).waitFor()
    await page.goto(`/calendar?day=${day}`)
    await page.getByRole('button', { name: /Otto Sunny/ }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByText('Hidden').count(), 0)

    for (const { leadId, projectId } of hidden)
      for (const path of [
        `/leads/${leadId}`,
        `/leads/${leadId}/sell`,
        `/projects/${projectId}`,
        `/projects/${leadId}`,
      ]) {
        await page.goto(path)
        await nothingHere(page)
      }
    for (const path of ['/settings', '/settings/people', '/settings/keys']) {
      await page.goto(path)
      await nothingHere(page)
    }
    assert.ok(seen.length > 10)
    assert.deepEqual(
      seen.filter((text) => text.includes('Hidden')),
      [],
      'nothing of others was sent',
    )
    await page.context().close()
  })

  test('nor does a file of another’s project answer', async () => {
    const { cookie } = await signedIn(app, rep)
    for (const path of hiddenFiles) {
      const refused = await app.send('GET', path, { headers: { cookie } })
      const missing = await app.send('GET', path.replace(/file_\w+/, 'file_none000000'), {
        headers: { cookie },
      })
      assert.deepEqual([refused.status, refused.text], [404, missing.text])
    }
  })
})
