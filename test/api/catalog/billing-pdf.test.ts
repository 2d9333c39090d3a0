import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractText } from 'unpdf'
import { updateCompany } from '../../../src/domain/tenants/companies/update-company.ts'
import { startApp } from '../../support/app.ts'
import { createWorld, keyFor } from '../../support/factories.ts'
import { draftBody, invoiceIn, invoicesPath, post, site } from '../../support/invoices.ts'

const app = await startApp()
const world = await createWorld(app.database.db)
const { installer, dealer } = world
const { key } = installer

async function pdf(id: string, by = key) {
  const answer = await app.get(`${invoicesPath}/${id}.pdf`, by)
  const { text } = await extractText(answer.bytes, { mergePages: true })
  return { answer, text: text.replace(/\s+/g, ' ') }
}

test('an invoice is sent as PDF under its number; a draft under its id', async () => {
  const home = await site(app.database, installer)
  const id = await invoiceIn(app, key, 'open', { ...draftBody, installation_id: home })
  const { number } = (await app.get(`${invoicesPath}/${id}`, key)).body
  const { answer, text } = await pdf(id)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/pdf')
  assert.equal(answer.headers['content-disposition'], `inline; filename="invoice-${number}.pdf"`)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  for (const part of [
    number,
    'Sunrise Solar',
    'Ada Moreno',
    'Moreno residence',
    'Panel cleaning',
    '$136.50',
  ]) {
    assert.ok(text.includes(part), part)
  }
  const draft = await pdf(await invoiceIn(app, key, 'draft'))
  assert.ok(draft.text.includes('DRAFT'))
  assert.match(draft.answer.headers['content-disposition']!, /filename="invoice-inv_\w+\.pdf"/)
})

test('names stay as they were when it was finalized; a draft shows those of today', async () => {
  const home = await site(app.database, dealer)
  const body = { ...draftBody, installation_id: home }
  const final = await invoiceIn(app, dealer.key, 'open', body)
  const draft = await invoiceIn(app, dealer.key, 'draft', body)
  await updateCompany(app.database.db, new Date(), dealer.company.id, { name: 'Renamed Doors' })
  await app.database.rows(`update installations set name = 'New name' where id = $1`, [home])
  const before = await pdf(final, dealer.key)
  assert.ok(before.text.includes('Bright Doors') && before.text.includes('Moreno residence'))
  const now = await pdf(draft, dealer.key)
  assert.ok(now.text.includes('Renamed Doors') && now.text.includes('New name'))
  await post(app, dealer.key, `/${final}/void`)
  assert.ok((await pdf(final, dealer.key)).text.includes('VOID'))
})

test('statuses: 401 without a key, 403 for another interface, 400 for query fields; HEAD without a body', async () => {
  const id = await invoiceIn(app, key, 'open')
  const path = `${invoicesPath}/${id}.pdf`
  assert.equal((await app.call('GET', path)).status, 401)
  const { secret } = await keyFor(world, installer, { interfaces: ['company'] })
  assert.equal((await app.get(path, secret)).status, 403)
  assert.equal((await app.get(`${path}?paper=a4`, key)).status, 400)
  const head = await app.send('HEAD', path, { key })
  assert.deepEqual([head.status, head.text, head.headers['content-type']], [200, '', 'application/pdf'])
  assert.equal((await app.get(`${invoicesPath}/.pdf`, key)).status, 404)
  assert.equal((await app.get(`${invoicesPath}/${id}.PDF`, key)).status, 404)
})
