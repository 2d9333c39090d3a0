import { buffers } from '../../../platform/buffer-pool.ts'
import type { CompanyKind } from '../../kernel/tenant/company.ts'
import { baseUrlMark, internalMark } from './rendering.ts'

/** Renderings that are copied into an answer, with what is left open in them filled in on the way. */
export interface RenderedBytes {
  /** As they will be written. */
  bytes: number
  writeTo(target: Buffer, at: number): number
  /** To be called once they are written. */
  letGo(): void
}

const baseUrlByte = baseUrlMark.charCodeAt(0)
const internalByte = internalMark.charCodeAt(0)

/**
 * What `withBaseUrl` and `asSeenBy` do for text, for bytes as they came from the database: a page is long, and as a string
 * it would be made, gone over and made bytes again. No mark can be a part of another character's bytes.
 */
export function renderedBytes(
  source: Buffer,
  baseUrl: string,
  seenBy: CompanyKind | null = null,
): RenderedBytes {
  const base = Buffer.from(baseUrl)
  const pieces = seenBy === null ? [0, source.length] : seenPieces(source, seenBy)
  const marks = marksIn(source, pieces)
  let bytes = marks.length * (base.length - 1)
  for (let i = 0; i < pieces.length; i += 2) bytes += pieces[i + 1]! - pieces[i]!
  return {
    bytes,
    writeTo(target, begin) {
      let at = begin
      let next = 0
      for (let i = 0; i < pieces.length; i += 2) {
        let from = pieces[i]!
        const to = pieces[i + 1]!
        for (; next < marks.length && marks[next]! < to; next++) {
          at += source.copy(target, at, from, marks[next]!)
          at += base.copy(target, at)
          from = marks[next]! + 1
        }
        at += source.copy(target, at, from, to)
      }
      return at - begin
    },
    letGo: () => buffers.giveBack(source),
  }
}

/** Where what the company sees begins and ends, again and again. */
function seenPieces(source: Buffer, companyKind: CompanyKind): number[] {
  const pieces: number[] = []
  let from = 0
  let isInternal = false
  for (let end = 0; end !== -1; ) {
    end = source.indexOf(internalByte, from)
    if (companyKind === 'installer' || !isInternal) pieces.push(from, end === -1 ? source.length : end)
    isInternal = !isInternal
    from = end + 1
  }
  return pieces
}

/** Where the public address belongs, within these pieces. */
function marksIn(source: Buffer, pieces: readonly number[]): number[] {
  const marks: number[] = []
  let mark = -1
  for (let i = 0; i < pieces.length; i += 2) {
    const to = pieces[i + 1]!
    if (mark < pieces[i]!) mark = source.indexOf(baseUrlByte, pieces[i]!)
    for (; mark !== -1 && mark < to; mark = source.indexOf(baseUrlByte, mark + 1)) marks.push(mark)
    if (mark === -1) break
  }
  return marks
}
