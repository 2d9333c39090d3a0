import type { FileHandle } from 'node:fs/promises'
import { ContentRefused } from '../outbound/refused.ts'
import { readAt } from './read-at.ts'

const maxEntries = 20_000
const maxDirectoryBytes = 8 * 1024 * 1024
const maxUnpackedBytes = 1024 ** 3
/** Below this an archive may pack as densely as it likes: an empty spreadsheet of 10 KB unpacks to 2 MB. */
const denseUnpackedBytes = 50 * 1024 * 1024
const maxDensity = 200

const endSignature = 0x06054b50
const locator64Signature = 0x07064b50
const end64Signature = 0x06064b50
const entrySignature = 0x02014b50

const unreadable = () =>
  new ContentRefused('is a damaged document: the list of its parts cannot be read; save it again and retry')
const bomb = () => new ContentRefused('is a document that would unpack to far too much; make it smaller')

export interface ZipEntry {
  name: string
  /** How it is packed: 0 not at all, 8 deflated. */
  method: number
  packed: number
  unpacked: number
  /** Where its own head stands. */
  offset: number
}

export async function readZipNames(file: FileHandle, size: number): Promise<string[]> {
  return (await readZipEntries(file, size)).map(({ name }) => name)
}

/**
 * A zip's entries from its central directory, which is what readers go by. Refuses one that declares more
 * than a document would unpack to; sizes that lie are the unpacker's concern, not ours.
 */
export async function readZipEntries(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const { entries, bytes, end } = await findDirectory(file, size)
  if (entries > maxEntries || bytes > maxDirectoryBytes) throw bomb()
  const directory = await readAt(file, end - bytes, bytes)
  if (directory.length !== bytes) throw unreadable()
  const found: ZipEntry[] = []
  let unpacked = 0
  for (let at = 0; at < bytes; ) {
    if (at + 46 > bytes || directory.readUInt32LE(at) !== entrySignature) throw unreadable()
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30)
    const next = extraEnd + directory.readUInt16LE(at + 32)
    if (next > bytes) throw unreadable()
    const declared = directory.readUInt32LE(at + 24)
    const unpackedHere = declared === 0xffffffff ? size64(directory.subarray(nameEnd, extraEnd)) : declared
    unpacked += unpackedHere
    found.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      unpacked: unpackedHere,
      offset: directory.readUInt32LE(at + 42),
    })
    if (found.length > maxEntries || unpacked > maxUnpackedBytes) throw bomb()
    at = next
  }
  if (found.length === 0 || found.length !== entries) throw unreadable()
  if (unpacked > denseUnpackedBytes && unpacked > size * maxDensity) throw bomb()
  return found
}

/** Where the directory ends and how long it is; it lies directly before its end record. */
async function findDirectory(file: FileHandle, size: number) {
  const tailStart = Math.max(0, size - 22 - 0xffff - 20)
  const tail = await readAt(file, tailStart, size - tailStart)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature) continue
    if (at + 22 + tail.readUInt16LE(at + 20) > tail.length) continue
    if (at >= 20 && tail.readUInt32LE(at - 20) === locator64Signature) {
      return findDirectory64(file, tail.readBigUInt64LE(at - 20 + 8), size)
    }
    const found = {
      entries: tail.readUInt16LE(at + 10),
      bytes: tail.readUInt32LE(at + 12),
      end: tailStart + at,
    }
    if (found.bytes > found.end) throw unreadable()
    return found
  }
  throw unreadable()
}

async function findDirectory64(file: FileHandle, position: bigint, size: number) {
  if (position > BigInt(size - 56)) throw unreadable()
  const end = Number(position)
  const record = await readAt(file, end, 56)
  if (record.length < 56 || record.readUInt32LE(0) !== end64Signature) throw unreadable()
  const entries = Number(record.readBigUInt64LE(32))
  const bytes = Number(record.readBigUInt64LE(40))
  if (bytes > end) throw unreadable()
  return { entries, bytes, end }
}

/** The uncompressed size is the first field of the zip64 extra data. */
function size64(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1 && length >= 8 && at + 12 <= extra.length) {
      return Number(extra.readBigUInt64LE(at + 4))
    }
    at += 4 + length
  }
  throw unreadable()
}
