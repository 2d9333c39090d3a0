import type { FileHandle } from 'node:fs/promises'
import { readAt } from './read-at.ts'

const endOfChain = 0xfffffffa
const maxDirectorySectors = 256
const maxEntries = 10_000

/**
 * The names of the streams and storages at the top of a compound file (OLE, the container of old Office
 * files, installers and mail messages). Null when its directory cannot be read.
 */
export async function readCompoundNames(file: FileHandle, size: number): Promise<string[] | null> {
  const header = await readAt(file, 0, 512)
  if (header.length < 512) return null
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return null
  const sectorBytes = 1 << shift
  const sector = (number: number) => readAt(file, (number + 1) * sectorBytes, sectorBytes)
  const isThere = (number: number) => number < endOfChain && (number + 1) * sectorBytes < size

  /** The sector number after this one, from the allocation table; 109 table sectors are named in the header. */
  async function following(number: number): Promise<number> {
    const perSector = sectorBytes / 4
    let tableIndex = Math.floor(number / perSector)
    let table = endOfChain
    if (tableIndex < 109) table = header.readUInt32LE(76 + tableIndex * 4)
    else {
      tableIndex -= 109
      let extension = header.readUInt32LE(68)
      for (; tableIndex >= perSector - 1 && isThere(extension); tableIndex -= perSector - 1) {
        extension = (await sector(extension)).readUInt32LE(sectorBytes - 4)
      }
      if (isThere(extension)) table = (await sector(extension)).readUInt32LE(tableIndex * 4)
    }
    return isThere(table) ? (await sector(table)).readUInt32LE((number % perSector) * 4) : endOfChain
  }

  try {
    const sectors: Buffer[] = []
    for (let at = header.readUInt32LE(48); isThere(at); at = await following(at)) {
      if (sectors.push(await sector(at)) > maxDirectorySectors) return null
    }
    return topNames(Buffer.concat(sectors))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Entries are 128 bytes; the children of the root hang in a tree of left and right siblings. */
function topNames(directory: Buffer): string[] | null {
  const count = Math.min(directory.length / 128, maxEntries)
  if (count < 1) return null
  const names: string[] = []
  const seen = new Set<number>()
  const waiting = [directory.readUInt32LE(76)]
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index >= count || seen.has(index)) continue
    seen.add(index)
    const entry = directory.subarray(index * 128, index * 128 + 128)
    names.push(entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2)))
    waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72))
  }
  return names
}
