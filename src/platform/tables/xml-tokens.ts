import { SaxesParser } from 'saxes'
import { ContentRefused } from '../outbound/refused.ts'

export type XmlToken =
  | { kind: 'open'; name: string; attributes: Record<string, string>; empty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** A cell's longest text fits in, were every letter of it written as a reference. */
const maxTokenChars = 1_000_000
/** Sheets have some ten levels. */
const maxDepth = 100
const damaged = () => new ContentRefused('is a damaged workbook; save it again and retry')
const defines = () =>
  new ContentRefused(
    'is a workbook that defines words of its own (a DTD); no program that saves one does: save it again',
  )

/**
 * The tags and texts of an XML part, as many at a time as a piece of it holds. Whatever would make other texts of it (a
 * DTD) is refused, and so is what is no XML: read on, it would be read wrongly, and each further mistake costs time.
 */
export async function* xmlTokens(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<XmlToken[]> {
  const decoder = new TextDecoder()
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let found: XmlToken[] = []
  let depth = 0
  const text = (text: string) => {
    found.push({ kind: 'text', text })
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('opentag', ({ name, attributes, isSelfClosing: empty }) => {
    if (++depth > maxDepth) throw damaged()
    found.push({ kind: 'open', name: localName(name), attributes, empty })
  })
  parser.on('closetag', ({ name, isSelfClosing }) => {
    depth--
    if (!isSelfClosing) found.push({ kind: 'close', name: localName(name) })
  })
  parser.on('doctype', () => {
    throw defines()
  })
  parser.on('error', ({ message }) => {
    throw /doctype|undefined entity/.test(message) ? defines() : damaged()
  })

  let waiting = 0
  for await (const piece of bytes) {
    const chars = decoder.decode(piece, { stream: true })
    parser.write(chars)
    // The parser keeps what is not whole yet, however long it gets.
    waiting = found.length > 0 ? 0 : waiting + chars.length
    if (waiting > maxTokenChars) throw damaged()
    yield found
    found = []
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)
