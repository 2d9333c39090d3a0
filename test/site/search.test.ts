import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { type App, startApp } from '../support/app.ts'
import { root } from '../support/process.ts'

describe('the search of the documentation', () => {
  let app: App
  const ask = async (question: string, more = '') =>
    (await app.send('GET', `/docs/search?q=${encodeURIComponent(question)}${more}`)).text
  const linksOf = (html: string) =>
    [...html.split('id="found"')[1]!.matchAll(/<li><a href="([^"]+)"/g)].map(([, url]) => url!)

  before(async () => {
    app = await startApp()
  })

  test('finds guides, calls, fields, events and codes, what is meant first', async () => {
    const expected: [question: string, first: string][] = [
      ['idempotency', '/docs/guides/idempotency'],
      ['create a lead', '/docs/reference/company/leads#createLead'],
      ['rate_limited', '/docs/errors#rate_limited'],
      ['project.stage_changed', '/docs/reference/catalog/events#project.stage_changed'],
      ['Verify it', '/docs/guides/webhooks#verify-it'],
      ['fetch_all_adders', '/docs/reference/legacy/catalogue#fetch_all_adders'],
    ]
    for (const [question, first] of expected) assert.equal(linksOf(await ask(question))[0], first, question)
    assert.ok(linksOf(await ask('daily_output_kwh')).some((url) => url.endsWith('/records#Panel')))
  })

  test('says that nothing was found, and runs nothing that is asked for', async () => {
    assert.match(await ask('zzzz unheard-of'), /Nothing was found/)
    const hostile = await ask('<script>alert(1)</script>"')
    assert.doesNotMatch(hostile, /<script>alert/)
    assert.match(hostile, /value="&#60;script/)
    for (const question of ['', '   ', '$&', '(', '\\', 'a'.repeat(5_000), '%', '\u0000', 'lead '.repeat(50)])
      assert.doesNotMatch(await ask(question), /"error"/, question)
  })

  test('marks the words in what is around them', async () => {
    assert.match(await ask('Retry-After'), /<mark>Retry-After<\/mark>/)
  })

  test('shows what is found as it reads, not as HTML writes it', async () => {
    for (const question of ['retry-after', 'headers.get', 'const', 'Bearer'])
      assert.doesNotMatch(
        await ask(question, '&part'),
        /&(?:#38|amp);(?:#x?[\da-f]+|lt|gt|quot|amp|apos);/i,
        question,
      )
    assert.match(await ask('retry-after', '&part'), /headers\.get\(&#39;/)
    const index: { text: string }[] = JSON.parse(readFileSync(join(root, 'site/dist/search.json'), 'utf8'))
    const written = index.flatMap(({ text }) => text.match(/&(?:#x?[\da-f]+|lt|gt|quot|amp|apos);/gi) ?? [])
    assert.deepEqual(written, [])
  })

  test('answers what was found alone where a script asks', async () => {
    const part = await ask('cursor', '&part')
    assert.match(part, /^<p class="count">/)
    assert.doesNotMatch(part, /<html/)
  })
})
