import { readFile } from 'node:fs/promises'
import type { Decimal } from '../../kernel/money.ts'

export type Doc = PDFKit.PDFDocument

export const margin = 54
export const ink = '#1c2430'
export const soft = '#5b6675'
export const rule = '#d5dae1'

/** How an invoice's contents are written: in the words and forms of where it goes. */
export interface Forms {
  day(day: string): string
  money(amount: Decimal): string
  price(amount: Decimal): string
  /** Energy to a hundredth of a kWh: it is counted and billed finer. */
  quantity(quantity: Decimal, unit: string): string
  shown(text: string): string
}

let fonts: Promise<{ regular: Buffer; bold: Buffer }> | undefined

/** DejaVu Sans: Latin, Greek, Cyrillic and more. Only the letters that are used go into a document. */
function loadFonts(): Promise<{ regular: Buffer; bold: Buffer }> {
  fonts ??= Promise.all([
    readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))),
    readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))),
  ]).then(([regular, bold]) => ({ regular, bold }))
  return fonts
}

export interface Pdf {
  doc: Doc
  /** Text that the fonts can show: what they have no sign for is shown as �. */
  shown(text: string): string
}

/** An empty document. The library is loaded with the first one: a server that draws none is spared its memory. */
export async function createPdf(options: PDFKit.PDFDocumentOptions): Promise<Pdf> {
  const [{ default: PDFDocument }, { regular, bold }] = await Promise.all([import('pdfkit'), loadFonts()])
  const doc = new PDFDocument({ ...options, autoFirstPage: false, bufferPages: true })
  doc.registerFont('regular', regular)
  doc.registerFont('bold', bold)
  const both = ['regular', 'bold'].map((name) => signsOf(doc.font(name)))
  const has = (char: string) => both.every((font) => font.hasGlyphForCodePoint(char.codePointAt(0)!))
  return { doc, shown: (text) => shownWith(has, text) }
}

// The library does not say which signs a font has; what it reads fonts with does.
function signsOf(doc: Doc): { hasGlyphForCodePoint(code: number): boolean } {
  return (doc as unknown as { _font: { font: ReturnType<typeof signsOf> } })._font.font
}

// Signs that are not seen but turn around or hide what is: none of them belongs on an invoice.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu

function shownWith(has: (char: string) => boolean, text: string): string {
  const lines = text.normalize('NFC').split(/\r\n|[\n\r\u2028\u2029]/)
  return lines
    .map((line) =>
      Array.from(line.replaceAll('\t', ' ').replace(unseen, ''), (c) => (has(c) ? c : '�')).join(''),
    )
    .join('\n')
}

export const oneLine = (text: string) => text.replace(/\s+/g, ' ')

const letterCountries = new Set([
  'US',
  'CA',
  'MX',
  'PR',
  'GU',
  'VI',
  'AS',
  'MP',
  'PH',
  'CL',
  'CO',
  'CR',
  'GT',
])
const letterCurrencies = new Set(['USD', 'CAD', 'MXN'])

/** Letter where paper is cut so, A4 elsewhere: by the installation's country, else by the currency. */
export function pageFormatOf(
  region: string | null,
  currency: string,
): { size: 'LETTER' | 'A4'; locale: string } {
  const country = /^[A-Z]{2}(?=-|$)/.exec((region ?? '').toUpperCase())?.[0]
  const letter = country ? letterCountries.has(country) : letterCurrencies.has(currency)
  return letter ? { size: 'LETTER', locale: 'en-US' } : { size: 'A4', locale: 'en-GB' }
}
