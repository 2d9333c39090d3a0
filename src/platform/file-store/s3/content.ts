import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

export type Body = Readable | Buffer | null

/** What a call sends: opened anew for each try, and never held in memory where it is a part of a file. */
export interface Content {
  length: number
  /** In hexadecimal; the store refuses what does not arrive so. */
  sha256: string
  open(): Body
}

export const emptyContent: Content = {
  length: 0,
  sha256: createHash('sha256').digest('hex'),
  open: () => null,
}

export function textContent(text: string): Content {
  const bytes = Buffer.from(text)
  return {
    length: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: () => bytes,
  }
}

/** A part of a file, `length` bytes from `start`. It is read once for its hash and once for each try. */
export async function fileContent(path: string, start: number, length: number): Promise<Content> {
  if (length === 0) return { ...emptyContent, open: () => Buffer.alloc(0) }
  const open = () => createReadStream(path, { start, end: start + length - 1 })
  const hash = createHash('sha256')
  for await (const chunk of open()) hash.update(chunk as Buffer)
  return { length, sha256: hash.digest('hex'), open }
}
