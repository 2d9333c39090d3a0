import { ContentRefused } from '../outbound/refused.ts'

export type XmlToken =
  | { kind: 'open'; name: string; attributes: string; empty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

const mostTagChars = 65_536
const damaged = () => new ContentRefused('is a damaged workbook; save it again and retry')
const defines = () =>
  new ContentRefused(
    'is a workbook that defines words of its own (a DTD); no program that saves one does: save it again',
  )

/**
 * The tags and texts of an XML part, as many at a time as a piece of it holds. A text may come in several pieces.
 * Whatever would make other texts of it (a DTD) is refused.
 */
export async function* xmlTokens(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<XmlToken[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of bytes) {
    const found: XmlToken[] = []
    rest = take(rest + decoder.decode(piece, { stream: true }), found)
    if (rest.length > mostTagChars) throw damaged()
    yield found
  }
}

/** Reads what is whole and answers the rest. */
function take(text: string, found: XmlToken[]): string {
  let at = 0
  for (;;) {
    const open = text.indexOf('<', at)
    if (open === -1) {
      // A reference such as &amp; is not to be parted.
      const cut = text.lastIndexOf('&')
      const end = cut >= at && !text.includes(';', cut) ? cut : text.length
      if (end > at) found.push({ kind: 'text', text: unescaped(text.slice(at, end)) })
      return text.slice(end)
    }
    if (open > at) found.push({ kind: 'text', text: unescaped(text.slice(at, open)) })
    const [ending, skip] = endOf(text, open)
    const close = text.indexOf(ending, open)
    if (close === -1) return text.slice(open)
    const inside = text.slice(open + 1, close)
    if (/^!(DOCTYPE|ENTITY)/i.test(inside)) throw defines()
    if (inside.startsWith('![CDATA[')) found.push({ kind: 'text', text: inside.slice(8) })
    else if (!skip) found.push(tag(inside))
    at = close + ending.length
  }
}

/** How the thing that begins here ends, and whether it says nothing. */
function endOf(text: string, open: number): [ending: string, skip: boolean] {
  if (text.startsWith('<!--', open)) return ['-->', true]
  if (text.startsWith('<![CDATA[', open)) return [']]>', false]
  return text.startsWith('<?', open) ? ['?>', true] : ['>', false]
}

function tag(inside: string): XmlToken {
  if (inside.startsWith('/')) return { kind: 'close', name: localName(inside.slice(1).trim()) }
  const empty = inside.endsWith('/')
  const body = empty ? inside.slice(0, -1) : inside
  const space = body.search(/\s/)
  const name = space === -1 ? body : body.slice(0, space)
  return { kind: 'open', name: localName(name), attributes: space === -1 ? '' : body.slice(space), empty }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const attributeForms = new Map<string, RegExp>()

export function attribute(attributes: string, name: string): string | null {
  // There is one for each cell of a sheet: made anew each time, the form takes a third of all reading.
  const form = attributeForms.get(name) ?? new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  attributeForms.set(name, form)
  const found = form.exec(attributes)
  return found ? unescaped(found[1] ?? found[2] ?? '') : null
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
  })
}
