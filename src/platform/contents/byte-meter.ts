import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { ContentRefused } from '../outbound/refused.ts'
import { looksRefusedEarly } from './program-signs.ts'

/** The largest file that is taken. */
export const maxFileBytes = 100 * 1024 * 1024

const earlyLookBytes = 4_096

/** Counts and cuts off at the limit; for the plain bytes also hashes and takes the early look. */
export function byteMeter(maxBytes: number, plain = false) {
  const hash = createHash('sha256')
  let size = 0
  let head: Buffer | null = plain ? Buffer.alloc(0) : null
  const stage = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) return done(tooLarge(maxBytes))
      if (plain) hash.update(chunk)
      if (head) {
        head = Buffer.concat([head, chunk.subarray(0, earlyLookBytes - head.length)])
        if (head.length === earlyLookBytes) {
          const refusal = looksRefusedEarly(head)
          head = null
          if (refusal) return done(new ContentRefused(refusal))
        }
      }
      done(null, chunk)
    },
  })
  return { stage, result: () => ({ size, sha256: hash.digest('hex') }) }
}

export function tooLarge(maxBytes: number): ContentRefused {
  const megabytes = Math.round((maxBytes / 1024 / 1024) * 10) / 10
  return new ContentRefused(`is larger than ${megabytes} MB`)
}
