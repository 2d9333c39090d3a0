import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { readAt } from '../contents/read-at.ts'
import { readZipEntries, type ZipEntry } from '../contents/zip-directory.ts'
import { ContentRefused } from '../outbound/refused.ts'

const stored = 0
const deflated = 8
const damaged = () => new ContentRefused('is a damaged workbook; save it again and retry')

/** The parts of a workbook by their names, each read only when it is asked for. */
export async function openWorkbook(file: FileHandle, size: number) {
  const entries = new Map((await readZipEntries(file, size)).map((entry) => [entry.name, entry]))
  return {
    has: (name: string) => entries.has(name),
    /** The bytes of a part; nothing where there is none. */
    async *part(name: string): AsyncGenerator<Uint8Array> {
      const entry = entries.get(name)
      if (entry) yield* unpacked(file, entry)
    },
  }
}

export type Workbook = Awaited<ReturnType<typeof openWorkbook>>

/** What an entry unpacks to, which is never more than it declared: the sum of those was looked at before. */
async function* unpacked(file: FileHandle, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const head = await readAt(file, entry.offset, 30)
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50) throw damaged()
  const start = entry.offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (entry.packed === 0) return
  const packed = pieces(file, start, entry.packed)
  if (entry.method !== stored && entry.method !== deflated) throw damaged()
  const bytes = entry.method === stored ? packed : Readable.from(packed).pipe(createInflateRaw())
  let length = 0
  try {
    for await (const piece of bytes) {
      length += piece.length
      if (length > entry.unpacked) throw damaged()
      yield piece
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith('Z_') ? damaged() : error
  }
}

const pieceBytes = 65_536

async function* pieces(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += pieceBytes) {
    const piece = await readAt(file, start + at, Math.min(pieceBytes, length - at))
    if (piece.length === 0) throw damaged()
    yield piece
  }
}
