import { pipeline } from 'node:stream/promises'
import { byteMeter } from '../contents/byte-meter.ts'
import { contentDecoders } from './content-decoding.ts'
import { explainOutboundFailure } from './failure.ts'
import type { Outbound } from './http.ts'
import { OutboundRefused, OutboundUnavailable } from './refused.ts'

const maxBytes = 2 * 1024 * 1024
const maxLinks = 500
const timeLimitMs = 60_000
const entities: Record<string, string> = {
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x27': "'",
  '#x2F': '/',
}

/** Where a page that lists files leads to on its own server, in its order, itself left out. */
export async function readPageLinks(
  outbound: Outbound,
  address: string,
  signal: AbortSignal,
): Promise<URL[]> {
  const limit = AbortSignal.timeout(timeLimitMs)
  const both = AbortSignal.any([signal, limit])
  const parts: Buffer[] = []
  try {
    const { status, headers, body, finalUrl } = await outbound.open(address, {
      signal: both,
      headers: { accept: 'text/html', 'accept-encoding': 'identity' },
    })
    const collect = async (source: AsyncIterable<Buffer>) => {
      for await (const part of source) parts.push(part)
    }
    const decoders = contentDecoders(headers['content-encoding'])
    await pipeline([body, ...decoders, byteMeter(maxBytes).stage, collect] as never, { signal: both })
    if (status !== 200) throw new OutboundRefused(`answered ${status} instead of the page`)
    return linksIn(Buffer.concat(parts).toString('utf8'), finalUrl)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) throw new OutboundUnavailable(`took longer than ${timeLimitMs / 1000} seconds`)
    throw explainOutboundFailure(error, both)
  }
}

function linksIn(html: string, page: URL): URL[] {
  const found = new Map<string, URL>()
  for (const [, quoted, single] of html.matchAll(
    /<a\s[^<>]{0,2000}?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/gi,
  )) {
    const text = (quoted ?? single ?? '').replace(/&([#\w]{2,5});/g, (whole, name) => entities[name] ?? whole)
    const url = URL.parse(text, page)
    if (!url || url.origin !== page.origin) continue
    url.hash = ''
    if (url.href !== page.href && url.search + url.pathname !== page.search + page.pathname)
      found.set(url.href, url)
    if (found.size === maxLinks) break
  }
  return [...found.values()]
}
