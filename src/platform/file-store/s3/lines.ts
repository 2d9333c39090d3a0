import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { currentTime } from '../../clock.ts'
import type { LineList } from '../../line-file.ts'
import { StoreUnavailable } from '../file-store.ts'
import type { S3Client } from './client.ts'
import { textContent } from './content.ts'
import { listNames } from './listing.ts'
import { openObject } from './read.ts'

/** More pieces than this are put together by whoever reads them. */
const maxPieces = 50
const readAtOnce = 8
const maxReads = 5

/**
 * Lines in a store that cannot add to what is there: each addition is a piece of its own, so hosts that add at once lose
 * nothing. Pieces are put together before they are removed, so a line may come twice and is never missing.
 */
export function linesInBucket(
  client: S3Client,
  prefix: string,
  name: string,
  firstPauseMs: number,
): LineList {
  const folder = `lines/${name}/`

  async function append(lines: readonly string[]): Promise<void> {
    const piece = `${folder}${currentTime().toISOString()}-${randomBytes(8).toString('hex')}`
    const content = textContent(lines.map((line) => `${line}\n`).join(''))
    await client.call({
      method: 'PUT',
      name: piece.replaceAll(':', ''),
      content,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  }

  async function read(): Promise<string> {
    for (let tried = 1; ; tried++) {
      const names = (await Array.fromAsync(listNames(client, prefix, folder)))
        .map((piece) => piece.name)
        .sort()
      const pieces: (string | null)[] = []
      for (let i = 0; i < names.length; i += readAtOnce)
        pieces.push(...(await Promise.all(names.slice(i, i + readAtOnce).map(readPiece))))
      // Another host has just put it together with others: what it held is in a piece that was not listed yet.
      if (pieces.includes(null) && tried < maxReads) continue
      if (pieces.includes(null))
        throw new StoreUnavailable('a list in the store changes faster than it is read')
      const all = pieces.join('')
      if (names.length > maxPieces) await putTogether(all, names)
      return all
    }
  }

  async function putTogether(all: string, names: readonly string[]): Promise<void> {
    await append(all.split('\n').filter(Boolean))
    for (const piece of names) await client.call({ method: 'DELETE', name: piece, also: [404] })
  }

  /** Null where it is not there any more. */
  async function readPiece(piece: string): Promise<string | null> {
    const found = await openObject(client, piece, undefined, firstPauseMs)
    return found ? text(found.stream) : null
  }

  return { append, read }
}
