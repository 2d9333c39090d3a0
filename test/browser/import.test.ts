import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from '../support/app.ts'
import { assertAccessible, noBrowser, openPage, startSession } from '../support/browser.ts'
import { createWorld, lead, type World } from '../support/factories.ts'
import { addPerson } from '../support/people.ts'

const header = 'External ID,First Name,Last Name,Mail,Street,City,State,Zip'
const row = (id: string, { last = 'Moreno', mail = 'ada@example.com', street = '1 Elm St' } = {}) =>
  `${id},Ada,${last},${mail},${street},Boston,MA,02108`

describe('importing a file', { skip: noBrowser }, () => {
  let app: App
  let world: World
  let page: Page

  before(async () => {
    app = await startApp()
    world = await createWorld(app.database.db)
    page = await openPage({ url: app.url, viewport: { width: 1360, height: 850 }, acceptDownloads: true })
    await startSession(page, await addPerson(app, world.installer.company.id, 'owner', 'Olga Owner'))
  })

  const choose = async (name: string, rows: string[]) => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a file' }).click()
    const buffer = Buffer.from(`${[header, ...rows].join('\r\n')}\r\n`)
    await (await choosing).setFiles({ name, mimeType: 'text/csv', buffer })
  }
  const count = (word: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(word, { exact: true }) })
      .locator('dd')
  const isCounted = async (word: string, times: number) => {
    assert.equal(await count(word).textContent(), String(times), word)
  }
  const newest = async () => (await app.get('/v1/leads?limit=50', world.installer.key)).body.data

  test('three bad rows are shown, mended, imported and undone', async () => {
    await lead(world.installer, { externalId: 'b-4', firstName: 'Ada', lastName: 'Old' })
    await page.goto('/settings/import')
    await page.getByText('No imports yet').waitFor()
    await assertAccessible(page)

    await choose('notes.csv', [])
    await page.getByText('notes.csv has a header and no rows below it.').waitFor()

    const bad = [
      row('b-1'),
      row('b-2', { last: '' }),
      row('b-3', { mail: 'nobody' }),
      row('b-4', { last: 'New' }),
      row('b-5', { street: '' }),
    ]
    await choose('leads.csv', bad)
    await page.getByRole('heading', { name: 'Match columns' }).waitFor()
    assert.equal(await page.getByLabel('Field for First Name').inputValue(), 'firstName')
    assert.equal(await page.getByLabel('Field for Mail').inputValue(), 'email')
    await assertAccessible(page)
    await page.getByLabel('Field for Mail').selectOption({ label: 'Co-borrower’s email' })
    await page.getByLabel('Field for Mail').selectOption({ label: 'Email' })
    await page.getByRole('button', { name: 'Check file' }).click()

    await page.getByRole('heading', { name: 'What will happen' }).waitFor()
    await isCounted('new', 2)
    await isCounted('updated', 1)
    await isCounted('with errors', 2)
    const problems = page.getByRole('table').filter({ hasText: 'What to fix' })
    assert.deepEqual((await problems.getByRole('row').allTextContents()).slice(1), [
      '3Last Nameis required ',
      '4Mailleft out: “nobody” is not an email address Imported anyway',
      '6Streetis required ',
    ])
    await assertAccessible(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download all as CSV' }).click()
    const file = await (await downloading).path()
    assert.match(await readFile(file, 'utf8'), /\r\n6,Street,is required,no\r\n$/)
    assert.equal((await newest()).length, 1)

    await page.getByRole('link', { name: 'All imports' }).click()
    await choose('leads, mended.csv', ['b-1', 'b-2', 'b-3', 'b-5'].map((id) => row(id)).concat(bad[3]!))
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('button', { name: 'Import 5 rows' }).click()
    await page.getByRole('heading', { name: 'Results' }).waitFor()
    await isCounted('new', 4)
    await isCounted('updated', 1)
    assert.equal((await newest()).length, 5)
    await assertAccessible(page)

    const since = new Date(
      Math.max(...(await newest()).map((l: { updatedAt: string }) => Date.parse(l.updatedAt))),
    )
    await page.getByRole('button', { name: 'Undo this import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
    await dialog.getByText('4 leads it created will be archived').waitFor()
    await dialog.getByText('1 lead it updated keeps its new values').waitFor()
    await assertAccessible(page)
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('4 leads archived.').waitFor()
    const changed = await app.get(`/v1/leads?updatedSince=${since.toISOString()}`, world.installer.key)
    assert.deepEqual(
      changed.body.data
        .map((l: { externalId: string; archived: boolean }) => [l.externalId, l.archived])
        .sort(),
      ['b-1', 'b-2', 'b-3', 'b-5'].map((id) => [id, true]),
    )
    await page.getByRole('link', { name: 'All imports' }).click()
    await page
      .getByRole('link', { name: /leads, mended\.csv/ })
      .getByText('Undone')
      .waitFor()
  })

  test('the same rows under another name are noticed, and made again only when that is meant', async () => {
    const makes = async (name: string) => {
      await page.goto('/settings/import')
      await choose(name, [row('', { last: 'Twice' })])
      await page.getByRole('button', { name: 'Check file' }).waitFor()
    }
    await makes('leads.csv')
    assert.equal(await page.getByText('These rows were imported before').count(), 0)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByRole('heading', { name: 'Results' }).waitFor()
    await makes('leads (1).csv')
    await page.getByText(/These rows were imported before, .* by Olga Owner, as leads\.csv/).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('1 lead would be created a second time.').waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Import 1 row again' }).click()
    await page.getByRole('heading', { name: 'Results' }).waitFor()
    await isCounted('new', 1)
  })

  test('is dropped onto the page, and fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/settings/import')
    await page.getByText('Drop a CSV or XLSX file here').waitFor()
    const contents = `${header}\n${row('d-1')}\n`
    // A text, as the page's own names are none of the test's.
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([${JSON.stringify(contents)}], 'dropped.csv', { type: 'text/csv' }))
      return transfer
    })()`)
    const zone = page.getByText('Drop a CSV or XLSX file here')
    await zone.dispatchEvent('dragenter', { dataTransfer: dropped })
    await zone.dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('heading', { name: 'First rows' }).waitFor()
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    assert.ok(width <= 390, `${width} px wide`)
  })
})
