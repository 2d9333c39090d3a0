import assert from 'node:assert/strict'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createTextPages } from '../../../src/platform/tables/text-pages.ts'
import { temporaryFolder } from '../../support/process.ts'

const folder = await temporaryFolder()
const file = await open(join(folder.path, 'texts'), 'w+')
after(async () => {
  await file.close()
  await folder.remove()
})

test('texts are found by their numbers, in any order, also when they are more than is kept in memory', async () => {
  const count = 3_001
  const text = (number: number) => (number % 7 === 0 ? '' : `Zoë "${number}"\n${'x'.repeat(3_000)}`)
  const pages = createTextPages(file)
  for (let number = 0; number < count; number++) await pages.add(text(number))
  await pages.end()
  for (let i = 0; i < 2 * count; i++) {
    const number = (i * 1_009) % count
    assert.equal(await pages.text(number), text(number))
  }
  for (const number of [count, count + 64, -1, 0.5, Number.NaN, 1e300])
    assert.equal(await pages.text(number), '')
})
