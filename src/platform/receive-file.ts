import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { byteMeter, maxFileBytes, tooLarge } from './contents/byte-meter.ts'
import { sniffFile } from './contents/content-type.ts'
import { hasProgramName, programMessage } from './contents/program-signs.ts'
import { type FileStore, newFileKey } from './file-store/file-store.ts'
import type { CopiedFile } from './outbound/copy-from-address.ts'
import { ContentRefused } from './outbound/refused.ts'

export interface Sent {
  name: string
  /** As far as the sender says it beforehand. */
  size: number | null
  contents: Readable
}

/**
 * Takes what is being sent into the store. Rejects with `ContentRefused` where it is not taken, leaving nothing
 * behind. What is left of a refused sending is let go unread: cut off, its sender would never read why.
 */
export async function receiveFile(store: FileStore, { name, size, contents }: Sent): Promise<CopiedFile> {
  const temp = await store.tempFile()
  try {
    if (hasProgramName(name)) throw new ContentRefused(programMessage)
    if (size !== null && size > maxFileBytes) throw tooLarge(maxFileBytes)
    const meter = byteMeter(maxFileBytes, true)
    await pipeline([contents.iterator({ destroyOnReturn: false }), meter.stage, createWriteStream(temp.path)])
    const content = await sniffFile(temp.path, { name })
    const key = newFileKey()
    await store.put(key, temp.path)
    return { key, ...meter.result(), ...content }
  } finally {
    contents.resume()
    await temp.discard()
  }
}
