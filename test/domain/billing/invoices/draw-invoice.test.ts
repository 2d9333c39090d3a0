import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { drawInvoice } from '../../../../src/domain/billing/invoices/draw-invoice.ts'
import type { Invoice, Issued } from '../../../../src/domain/billing/invoices/invoice.ts'
import { type NewLineItem, pricedLines, totalOf } from '../../../../src/domain/billing/invoices/line-items.ts'

const issued: Issued = {
  company: 'Sunrise Solar',
  timezone: 'America/Denver',
  day: '2026-11-01',
  installation: { name: 'Moreno residence', address: '1 Market St, Denver, CO 80202', region: 'US-CO' },
}

function invoiceWith(lines: NewLineItem[], more: Partial<Invoice> = {}): Invoice {
  const lineItems = pricedLines(lines)
  return {
    installerId: 'comp_1',
    id: 'inv_01jcq5d8m0b6x7v2k9fz3h4t1w',
    companyId: 'comp_1',
    installationId: 'inst_1',
    number: '1001-000042',
    status: 'open',
    currency: 'USD',
    customer: { name: 'Ada Moreno', email: 'ada@example.com', address: '7 Oak Ave\nBoulder, CO 80301' },
    periodStart: '2026-10-01',
    periodEnd: '2026-10-31',
    dueDate: '2026-12-01',
    paymentTermDays: 30,
    lineItems,
    amountDue: totalOf(lineItems),
    creditApplied: '0.00',
    amountPaid: '0.00',
    billingMonth: null,
    edited: false,
    carryIn: '0.00',
    carryOut: '0.00',
    issued: null,
    version: 1,
    createdAt: new Date('2026-11-01T08:00:00Z'),
    updatedAt: new Date('2026-11-01T09:00:00Z'),
    finalizedAt: new Date('2026-11-01T09:00:00Z'),
    paidAt: null,
    voidedAt: null,
    ...more,
  }
}

const energy = { description: 'Solar energy', quantity: '1243.827167', unit: 'kWh', unitPrice: '0.1185' }

async function draw(invoice: Invoice, names: Partial<Issued> = {}) {
  const bytes = await buffer(await drawInvoice(invoice, { ...issued, ...names }))
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
  const document = await getDocumentProxy(new Uint8Array(bytes))
  const { text: pages } = await extractText(document)
  const { info } = await getMeta(document)
  const [, , width, height] = (await document.getPage(1)).view
  const plain = pages.map((page) => page.replace(/\s+/g, ' '))
  return { bytes, pages: plain, text: plain.join(' '), info, width, height }
}

test('one line: who, to whom, what, when, how much', async () => {
  const { pages, text, info, width, height, bytes } = await draw(invoiceWith([energy]))
  assert.equal(pages.length, 1)
  for (const part of [
    'Sunrise Solar',
    'INVOICE',
    '1001-000042',
    'November 1, 2026',
    'December 1, 2026',
    'October 1, 2026 – October 31, 2026',
    'Ada Moreno',
    '7 Oak Ave',
    'Boulder, CO 80301',
    'ada@example.com',
    'Moreno residence',
    '1 Market St, Denver, CO 80202',
    'Solar energy',
    '1,243.83 kWh',
    'kWh',
    '$0.1185',
    '$147.39',
    'Total (USD)',
    'Amount due',
    'Page 1 of 1',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  assert.doesNotMatch(text, /DRAFT|PAID|VOID/)
  assert.deepEqual(
    [info.Title, info.Author, info.Creator],
    ['Invoice 1001-000042', 'Sunrise Solar', 'Sunstead'],
  )
  assert.match(info.CreationDate, /^D:20261101090000/)
  assert.deepEqual([width, height], [612, 792])
  assert.ok(bytes.length < 60_000, `${bytes.length} bytes`)
  assert.doesNotMatch(bytes.toString('latin1'), /\/URI|\/JavaScript|\/Launch|https?:/)
})

test('200 lines: every one is there, in order, with the columns and the number of the page on each', async () => {
  const lines = Array.from({ length: 200 }, (_, i) => ({
    description: `Work item ${i + 1}.${i % 5 === 0 ? ' With a long text'.repeat(20) : ''}`,
    quantity: '1',
    unit: 'each',
    unitPrice: `${i}.01`,
  }))
  const { pages, text } = await draw(invoiceWith(lines))
  assert.ok(pages.length > 5)
  pages.forEach((page, i) => {
    assert.ok(page.includes(`Page ${i + 1} of ${pages.length}`), page)
    assert.ok(page.includes('Sunrise Solar · Invoice 1001-000042'))
    if (page.includes('Work item')) assert.ok(page.includes('Unit price'))
  })
  const at = lines.map((_, i) => text.indexOf(`Work item ${i + 1}. `.trimEnd()))
  assert.ok(at.every((place, i) => place > (at[i - 1] ?? -1)))
  assert.ok(text.includes('$19,902.00'))
  assert.equal(text.split('Amount due').length, 2)
})

test('odd names: Greek, Cyrillic and accents are shown, what the font lacks is �, what turns text around is gone', async () => {
  const customer = {
    name: 'Αλέξανδρος Щукина Łukasz Żółć 王小明 \u202Egpj.exe\u202C',
    email: null,
    address: 'Λεωφόρος\tΣυγγρού 12\r\nΑθήνα',
  }
  const company = 'Ήλιος & Söhne <b>GmbH</b>'
  const { text, info } = await draw(invoiceWith([energy], { customer }), { company })
  for (const part of [
    'Αλέξανδρος',
    'Щукина',
    'Łukasz',
    'Żółć',
    '��� gpj.exe',
    'Συγγρού 12',
    'Αθήνα',
    company,
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  assert.doesNotMatch(text, /\u202E/)
  assert.equal(info.Author, company)
})

test('the longest of everything that can be sent is drawn', async () => {
  const long = (length: number) => 'W'.repeat(length)
  const customer = { name: long(200), email: `${long(200)}@x.example`, address: long(500) }
  const line = {
    description: long(500),
    quantity: '-999999999.123456',
    unit: long(40),
    unitPrice: '-0.999999',
  }
  const { pages, text } = await draw(invoiceWith([line, energy], { customer }), {
    company: long(200),
    installation: { name: long(200), address: long(500), region: '' },
  })
  assert.ok(pages.length <= 4, `${pages.length} pages`)
  assert.ok(text.includes('Solar energy') && text.includes('Amount due'))
})

test('drafts, paid and void ones are marked on every page', async () => {
  const many = Array.from({ length: 60 }, () => energy)
  const at = new Date('2026-11-20T03:00:00Z')
  const draft = await draw(
    invoiceWith(many, { status: 'draft', number: null, finalizedAt: null, dueDate: null }),
  )
  assert.ok(draft.pages.length > 1 && draft.pages.every((page) => page.includes('DRAFT')))
  assert.ok(draft.text.includes('30 days after issue') && draft.text.includes('not issued yet'))
  const due = totalOf(pricedLines(many))
  const paid = await draw(invoiceWith(many, { status: 'paid', paidAt: at, amountPaid: due }))
  assert.ok(paid.pages.every((page) => page.includes('PAID')))
  // The day it was in Denver.
  assert.ok(paid.text.includes('Paid in full on November 19, 2026') && paid.text.includes('Amount due $0.00'))
  const voided = await draw(invoiceWith(many, { status: 'void', voidedAt: at }))
  assert.ok(voided.pages.every((page) => page.includes('VOID')))
  assert.ok(voided.text.includes('Void since November 19, 2026') && voided.text.includes('Amount due $0.00'))
})

test('a credit stands between the lines and the total', async () => {
  const { text } = await draw(invoiceWith([energy], { creditApplied: '40.00', amountDue: '107.39' }))
  assert.match(text, /Subtotal \$147\.39 Your credit -\$40\.00 Total \(USD\) \$107\.39/)
})

test('A4 where the installation, or else the currency, is not American, with days as they are written there', async () => {
  const german = await draw(invoiceWith([energy], { currency: 'EUR' }), {
    installation: { name: 'Haus', address: 'Weg 1', region: 'DE-BY' },
  })
  assert.equal(Math.round(german.width!), 595)
  assert.ok(german.text.includes('1 November 2026') && german.text.includes('€147.39'))
  const euros = await draw(invoiceWith([energy], { currency: 'EUR' }), { installation: null })
  assert.equal(Math.round(euros.width!), 595)
  const inUs = await draw(invoiceWith([energy], { currency: 'EUR' }))
  assert.equal(inUs.width, 612)
})
