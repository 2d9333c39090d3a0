import { setImmediate } from 'node:timers/promises'
import { dayIn } from '../../kernel/days.ts'
import { minus } from '../../kernel/money.ts'
import type { Credit } from '../credits/credit.ts'
import { type Invoice, type Issued, remainingOf, subtotalOf } from './invoice.ts'
import { type Doc, type Forms, ink, margin, oneLine, rule, soft } from './pdf.ts'

interface Column {
  name: string
  x: number
  width: number
  align: 'left' | 'right'
}

const gap = 10
const rowSpace = 5

function columnsOf(doc: Doc): Column[] {
  const width = doc.page.width - 2 * margin
  const numbers: [string, number][] = [
    ['Quantity', 78],
    ['Unit', 52],
    ['Unit price', 78],
    ['Amount', 84],
  ]
  const taken = numbers.reduce((sum, [, w]) => sum + w + gap, 0)
  const columns: Column[] = [{ name: 'Description', x: margin, width: width - taken, align: 'left' }]
  for (const [name, w] of numbers) {
    const before = columns.at(-1)!
    columns.push({
      name,
      x: before.x + before.width + gap,
      width: w,
      align: name === 'Unit' ? 'left' : 'right',
    })
  }
  return columns
}

const bottomOf = (doc: Doc) => doc.page.height - margin - 10

/** The lines, over as many pages as they need, each with the names of the columns above. */
export async function drawLines(doc: Doc, invoice: Invoice, forms: Forms): Promise<void> {
  const columns = columnsOf(doc)
  drawNames(doc, columns)
  for (const [index, line] of invoice.lineItems.entries()) {
    // Setting type is slow, some 0.4 ms a line: others are let in between.
    if (index % 20 === 19) await setImmediate()
    const cells = [
      forms.shown(line.description),
      forms.quantity(line.quantity, line.unit),
      forms.shown(oneLine(line.unit)),
      forms.price(line.unitPrice),
      forms.money(line.amount),
    ]
    doc.font('regular').fontSize(9)
    const height = Math.max(...cells.map((cell, i) => doc.heightOfString(cell, { width: columns[i]!.width })))
    if (doc.y + height + rowSpace > bottomOf(doc)) {
      doc.addPage()
      doc.y = margin
      drawNames(doc, columns)
    }
    const y = doc.y
    doc.font('regular').fontSize(9).fillColor(ink)
    cells.forEach((cell, i) => {
      const { x, width, align } = columns[i]!
      doc.text(cell, x, y, { width, align })
    })
    doc.y = y + height + rowSpace
    drawRule(doc)
    doc.y += rowSpace
  }
}

function drawNames(doc: Doc, columns: Column[]): void {
  const y = doc.y
  doc.font('bold').fontSize(8).fillColor(soft)
  for (const { name, x, width, align } of columns) doc.text(name, x, y, { width, align })
  doc.y = y + 14
  drawRule(doc)
  doc.y += rowSpace
}

function drawRule(doc: Doc): void {
  doc
    .moveTo(margin, doc.y)
    .lineTo(doc.page.width - margin, doc.y)
    .lineWidth(0.5)
    .strokeColor(rule)
    .stroke()
}

const totalsHeight = 130

/** What the lines come to, credits, what was paid, and what remains, kept together: the amounts that the record has. */
export function drawTotals(
  doc: Doc,
  invoice: Invoice,
  issued: Issued,
  forms: Forms,
  credit: Credit | null,
): void {
  if (doc.y + totalsHeight > bottomOf(doc)) {
    doc.addPage()
    doc.y = margin
  }
  const width = 240
  const x = doc.page.width - margin - width
  const credited: [string, string, boolean][] =
    invoice.creditApplied === '0.00'
      ? []
      : [
          ['Subtotal', forms.money(subtotalOf(invoice)), false],
          ['Your credit', forms.money(minus('0', invoice.creditApplied)), false],
        ]
  const rows: [string, string, boolean][] = [
    ...credited,
    [`Total (${invoice.currency})`, forms.money(invoice.amountDue), false],
    ['Paid', forms.money(invoice.amountPaid), false],
    ['Amount due', forms.money(remainingOf(invoice)), true],
  ]
  doc.y += 6
  for (const [name, value, strong] of rows) {
    const y = doc.y
    doc.font(strong ? 'bold' : 'regular').fontSize(strong ? 12 : 10)
    doc.fillColor(strong ? ink : soft).text(name, x, y, { width: 110 })
    doc.fillColor(ink).text(value, x + 110, y, { width: width - 110, align: 'right' })
    doc.y = y + (strong ? 20 : 17)
  }
  doc.font('regular').fontSize(9).fillColor(soft)
  doc.text(noteOf(invoice, issued, forms, credit), margin, doc.y + 8, {
    width: doc.page.width - 2 * margin,
    align: 'right',
  })
}

function noteOf(invoice: Invoice, { timezone }: Issued, forms: Forms, credit: Credit | null): string {
  const dayOf = (at: Date | null) => (at ? forms.day(dayIn(timezone, at)) : '')
  switch (invoice.status) {
    case 'draft':
      return 'This is a draft: it is not due yet.'
    case 'open':
      return `Please pay by ${forms.day(invoice.dueDate!)}, naming the invoice’s number.`
    case 'paid':
      return credit
        ? `Nothing is to be paid. ${favourText(credit, forms)}`
        : `Paid in full on ${dayOf(invoice.paidAt)}. Thank you.`
    case 'void':
      return [
        `Void since ${dayOf(invoice.voidedAt)}: nothing is to be paid on this invoice.`,
        ...(credit ? [paidText(credit, forms)] : []),
      ].join(' ')
  }
}

/** What became of what the last invoice of a plan found in the customer's favour. */
function favourText({ amount, refunded }: Credit, forms: Forms): string {
  const kept = minus(amount, refunded)
  if (kept === '0.00') return `The ${forms.money(amount)} in your favor was refunded.`
  if (refunded === '0.00') return `The ${forms.money(amount)} in your favor is kept as your credit.`
  return `Of the ${forms.money(amount)} in your favor ${forms.money(refunded)} was refunded, and ${forms.money(kept)} is kept as your credit.`
}

/** What became of what was paid on a void one. */
function paidText({ amount, refunded }: Credit, forms: Forms): string {
  const kept = minus(amount, refunded)
  if (kept === '0.00') return `The ${forms.money(amount)} paid on it was refunded.`
  if (refunded === '0.00') return `The ${forms.money(amount)} paid on it is kept as your credit.`
  return `Of the ${forms.money(amount)} paid on it ${forms.money(refunded)} was refunded, and ${forms.money(kept)} is kept as your credit.`
}
