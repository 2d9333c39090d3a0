import type { Readable } from 'node:stream'
import type { Decimal } from '../../kernel/money.ts'
import type { Credit } from '../credits/credit.ts'
import { drawLines, drawTotals } from './draw-lines.ts'
import type { Invoice, Issued } from './invoice.ts'
import { createPdf, type Doc, type Forms, ink, margin, oneLine, pageFormatOf, soft } from './pdf.ts'

/**
 * Draws an invoice as a PDF, with the names as they were when it was finalised and the company's logo as it is now, a
 * PNG. `credit` is what was paid on a void one, or what one leaves in the customer's favour. Nothing is asked of anyone outside.
 */
export async function drawInvoice(
  invoice: Invoice,
  issued: Issued,
  logo: Buffer | null = null,
  credit: Credit | null = null,
): Promise<Readable> {
  const { size, locale } = pageFormatOf(issued.installation?.region ?? null, invoice.currency)
  const title = invoice.number === null ? 'Draft invoice' : `Invoice ${invoice.number}`
  const { doc, shown } = await createPdf({
    size,
    margin,
    lang: locale,
    displayTitle: true,
    info: {
      Title: title,
      Author: oneLine(issued.company),
      Subject: `${title} for ${oneLine(invoice.customer.name)}`,
      Creator: 'Sunstead',
      CreationDate: invoice.finalizedAt ?? invoice.createdAt,
    },
  })
  const forms = formsOf(locale, invoice.currency, shown)
  doc.addPage()
  drawHead(doc, invoice, issued, forms, logo)
  await drawLines(doc, invoice, forms)
  drawTotals(doc, invoice, issued, forms, credit)
  drawEveryPage(doc, invoice, `${shown(oneLine(issued.company))} · ${title}`)
  doc.end()
  return doc
}

function formsOf(locale: string, currency: string, shown: Forms['shown']): Forms {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const numbers = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(locale, options)
    return (value: Decimal) => shown(format.format(value as Intl.StringNumericLiteral))
  }
  const [energy, exact] = [2, 6].map((places) => numbers({ maximumFractionDigits: places })) as [
    (value: Decimal) => string,
    (value: Decimal) => string,
  ]
  return {
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
    money: numbers({ style: 'currency', currency }),
    price: numbers({ style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: 6 }),
    quantity: (quantity, unit) => (unit === 'kWh' ? energy : exact)(quantity),
    shown,
  }
}

const logoHeight = 44

function drawHead(doc: Doc, invoice: Invoice, issued: Issued, forms: Forms, logo: Buffer | null): void {
  const width = doc.page.width - 2 * margin
  const half = width / 2 - 12
  const right = margin + width / 2 + 12
  const { shown } = forms
  if (logo) doc.image(logo, margin, margin, { fit: [half, logoHeight] })
  doc
    .fillColor(ink)
    .font('bold')
    .fontSize(logo ? 11 : 16)
  const top = logo ? margin + logoHeight + 8 : margin
  doc.text(shown(oneLine(issued.company)), margin, top, { width: half })
  const nameEnd = doc.y
  doc.fontSize(20).text('INVOICE', right, margin - 3, { width: half, align: 'right' })
  const titleEnd = doc.y

  const facts: [string, string][] = [
    ['Number', invoice.number ?? 'assigned when finalized'],
    ['Date', invoice.number === null ? 'not issued yet' : forms.day(issued.day)],
    [
      'Due',
      invoice.dueDate === null ? `${invoice.paymentTermDays} days after issue` : forms.day(invoice.dueDate),
    ],
  ]
  if (invoice.periodStart !== null && invoice.periodEnd !== null) {
    facts.push(['Period', `${forms.day(invoice.periodStart)} – ${forms.day(invoice.periodEnd)}`])
  }
  const factsEnd = drawFacts(doc, facts, right, titleEnd + 10, half)

  const { name, address, email } = invoice.customer
  let y = drawBlock(doc, 'Bill to', [oneLine(name), address, email], margin, nameEnd + 18, half, shown)
  if (issued.installation) {
    const { installation } = issued
    const same = address !== null && oneLine(installation.address) === oneLine(address)
    y = drawBlock(
      doc,
      'Installation',
      [oneLine(installation.name), same ? null : installation.address],
      margin,
      y + 12,
      half,
      shown,
    )
  }
  doc.y = Math.max(y, factsEnd) + 24
}

function drawFacts(doc: Doc, facts: [string, string][], x: number, from: number, width: number): number {
  const label = 52
  let y = from
  for (const [name, value] of facts) {
    doc.fontSize(9).font('regular').fillColor(soft).text(name, x, y, { width: label })
    doc.fillColor(ink).text(value, x + label, y, { width: width - label, align: 'right' })
    y = doc.y + 4
  }
  return y
}

function drawBlock(
  doc: Doc,
  label: string,
  lines: (string | null)[],
  x: number,
  y: number,
  width: number,
  shown: Forms['shown'],
): number {
  doc.font('regular').fontSize(8).fillColor(soft).text(label.toUpperCase(), x, y, { width })
  const [first, ...rest] = lines.filter((line) => line !== null && line !== '')
  doc
    .fillColor(ink)
    .fontSize(10)
    .font('bold')
    .text(shown(first ?? ''), x, doc.y + 2, { width })
  doc.font('regular')
  for (const line of rest) doc.text(shown(line!), { width })
  return doc.y
}

const marks = {
  draft: { text: 'DRAFT', color: '#9aa7b5' },
  paid: { text: 'PAID', color: '#15803d' },
  void: { text: 'VOID', color: '#b91c1c' },
} as const

/** What every page carries: the mark of its state, and at its foot what it belongs to and which page it is. */
function drawEveryPage(doc: Doc, { status }: Invoice, foot: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page)
    // Below the margin, where text would otherwise begin a new page.
    doc.page.margins.bottom = 0
    const y = doc.page.height - margin + 14
    const width = doc.page.width - 2 * margin
    doc.font('regular').fontSize(8).fillColor(soft)
    doc.text(foot, margin, y, { width: width - 90, height: 10, ellipsis: true })
    doc.text(`Page ${page + 1} of ${count}`, margin + width - 80, y, { width: 80, align: 'right' })
    if (status !== 'open') drawMark(doc, marks[status])
  }
}

function drawMark(doc: Doc, { text, color }: { text: string; color: string }): void {
  const { width, height } = doc.page
  doc.save()
  doc.rotate(-35, { origin: [width / 2, height / 2] })
  doc.font('bold').fontSize(110).fillColor(color).fillOpacity(0.14)
  doc.text(text, 0, height / 2 - 60, { width, align: 'center', lineBreak: false })
  doc.restore()
}
