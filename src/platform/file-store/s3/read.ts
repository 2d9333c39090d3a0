import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type StoredFile, StoreUnavailable } from '../file-store.ts'
import type { S3Answer, S3Client } from './client.ts'

/** How often a read that was cut off is gone on with. */
const maxResumes = 4

interface Found {
  answer: S3Answer
  /** Of the whole. */
  size: number
  /** Of what comes. */
  start: number
  end: number
}

/**
 * Opens a name, or a part of it. What is cut off is gone on with where it ended, of the same contents only; where that
 * does not help the stream fails, so that a part is never taken for the whole.
 */
export async function openObject(
  client: S3Client,
  name: string,
  range: { start: number; end: number } | undefined,
  firstPauseMs: number,
): Promise<StoredFile | null> {
  const found = await find(client, name, range ?? { start: 0, end: Number.POSITIVE_INFINITY }, null)
  if (!found) return null
  let current = found
  const { size } = found
  const end = Math.min(range?.end ?? size - 1, size - 1)
  const { etag = null } = found.answer.headers

  async function* bytes() {
    let at = range?.start ?? 0
    for (let resumes = 0; ; resumes++) {
      try {
        let position = current.start
        for await (const chunk of current.answer.body as AsyncIterable<Buffer>) {
          const wanted = chunk.subarray(Math.max(at - position, 0), Math.max(end + 1 - position, 0))
          position += chunk.length
          if (position > current.end + 1) throw new StoreUnavailable('the store sent more than it said')
          at += wanted.length
          if (wanted.length > 0) yield wanted
          if (at > end && position <= current.end) break
        }
      } catch (error) {
        if (error instanceof StoreUnavailable || resumes === maxResumes) throw broken(error)
      }
      if (at > end) return
      if (resumes === maxResumes) throw broken()
      await wait(firstPauseMs * 2 ** resumes)
      const next = await find(client, name, { start: at, end }, etag)
      if (!next) throw broken()
      current = next
      const nextEtag = next.answer.headers.etag ?? null
      if (next.size !== size || nextEtag !== etag) throw changed()
    }
  }

  const stream = Readable.from(bytes(), { objectMode: false, highWaterMark: 64 * 1024 })
  // Whoever never begins to read must not hold the connection.
  stream.once('close', () => current.answer.body.on('error', () => {}).destroy())
  return { size, stream }
}

function changed(): StoreUnavailable {
  return new StoreUnavailable('the contents of a file changed while it was read')
}

function broken(cause?: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause
  return new StoreUnavailable('the store broke off in the middle of a file', { cause })
}

/** Asks for a part even where all is wanted: the answer then says twice how long it is. */
async function find(
  client: S3Client,
  name: string,
  { start, end }: { start: number; end: number },
  etag: string | null,
): Promise<Found | null> {
  const last = end === Number.POSITIVE_INFINITY ? '' : String(end)
  const answer = await client.call({
    method: 'GET',
    name,
    stream: true,
    headers: { range: `bytes=${start}-${last}`, ...(etag ? { 'if-match': etag } : {}) },
    also: [404, 412, 416],
  })
  if (answer.status === 404) return missing(answer)
  if (answer.status === 412) throw changed()
  // Nothing is in it, so no part of it can be asked for.
  if (answer.status === 416)
    return { answer: await client.call({ method: 'GET', name, stream: true }), size: 0, start: 0, end: -1 }
  const found = answer.status === 206 ? partOf(answer, start, end) : wholeOf(answer)
  if (found) return found
  answer.body.on('error', () => {}).destroy()
  throw new StoreUnavailable('the store does not say which part of a file it sends')
}

export function missing({ refusal }: S3Answer): null {
  if (refusal?.code === 'NoSuchBucket')
    throw new StoreUnavailable('the bucket of STORAGE_URL does not exist: make it first', { passing: false })
  return null
}

function partOf(answer: S3Answer, start: number, end: number): Found | null {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers['content-range'] ?? '')
  if (!match) return null
  const [first, last, size] = match.slice(1).map(Number) as [number, number, number]
  const length = answer.headers['content-length']
  if (first !== start || last !== Math.min(end, size - 1)) return null
  if (length !== undefined && Number(length) !== last - first + 1) return null
  return { answer, size, start, end: last }
}

/** Some send all of it, whatever part was asked for. */
function wholeOf(answer: S3Answer): Found | null {
  const length = answer.headers['content-length']
  if (length === undefined) return null
  return { answer, size: Number(length), start: 0, end: Number(length) - 1 }
}
