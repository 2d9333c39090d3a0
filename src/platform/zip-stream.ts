import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ArchiveEntry {
  path: string
  content: string | Readable
}

/** Entries as one zip, made while it is read: nothing is asked for before what came before it is on its way. */
export function zipStream(entries: AsyncIterable<ArchiveEntry>): Readable {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  zip.on('error', (error: Error) => out.destroy(error))
  const fill = async () => {
    for await (const { path, content } of entries) {
      if (out.destroyed) return
      if (typeof content === 'string') zip.addBuffer(Buffer.from(content), path, { mode: 0o600 })
      else {
        const left = () => content.destroy()
        out.once('close', left)
        zip.addReadStream(content, path, { mode: 0o600 })
        await finished(content, { writable: false })
        out.off('close', left)
      }
    }
    zip.end()
  }
  fill().catch((error: Error) => out.destroy(error))
  return out
}
