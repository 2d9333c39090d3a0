import { StoreUnavailable } from '../file-store.ts'
import type { S3Answer, S3Client } from './client.ts'
import { type Content, fileContent, textContent } from './content.ts'
import { explain, type S3Refusal } from './refusals.ts'
import type { S3Settings } from './settings.ts'
import { escapeXml, readXml, textOf } from './xml.ts'

export interface Sizes {
  /** What is larger is sent in parts. */
  wholeBytes: number
  /** A store takes no part but the last that is smaller than 5 MiB, and no more than 10,000. */
  partBytes: number
}

export const usualSizes: Sizes = { wholeBytes: 16 * 1024 * 1024, partBytes: 8 * 1024 * 1024 }

const maxParts = 10_000
const partsAtOnce = 3
/** A store puts the parts together before it answers. */
const completeMs = 60_000

export interface Upload {
  /** Writes a name that is not there yet. */
  put(name: string, path: string, size: number): Promise<void>
}

/** Which of what we would like to send the store has not refused. */
interface Manners {
  /** To write only what is not there. */
  conditional: boolean
  /** To keep a checksum beside the contents. */
  checksums: boolean
}

export function createUpload(
  client: S3Client,
  settings: S3Settings,
  sizeOf: (name: string) => Promise<number | null>,
  sizes: Sizes,
): Upload {
  let manners: Manners = { conditional: true, checksums: true }

  /** Does it in the best manner that the store takes; what it took is remembered. */
  async function inBestManner(
    work: (manners: Manners) => Promise<S3Answer>,
    name: string,
    size: number,
  ): Promise<S3Answer> {
    for (let tried = manners; ; ) {
      if (!tried.conditional && (await sizeOf(name)) !== null) throw taken()
      const answer = await work(tried)
      if (answer.refusal === null) {
        manners = tried
        return answer
      }
      if (answer.status === 412) {
        // A try before was heard, and its answer lost.
        if (answer.attempt > 1 && (await sizeOf(name)) === size) return answer
        throw taken()
      }
      const simpler = simplerThan(tried, answer.refusal)
      if (!simpler) throw explain(answer.refusal, 'PUT', settings)
      tried = simpler
    }
  }

  async function putWhole(name: string, path: string, size: number): Promise<void> {
    const content = await fileContent(path, 0, size)
    const send = (as: Manners) =>
      client.call({
        method: 'PUT',
        name,
        content,
        headers: { ...kind, ...conditionOf(as), ...checksumOf(as, content) },
        also: optional,
      })
    await inBestManner(send, name, size)
  }

  async function putParts(name: string, path: string, size: number): Promise<void> {
    const partBytes = Math.max(sizes.partBytes, Math.ceil(size / maxParts))
    const created = await inBestManner(
      (as) =>
        client.call({
          method: 'POST',
          name,
          query: { uploads: '' },
          headers: { ...kind, ...(as.checksums ? { 'x-amz-checksum-algorithm': 'SHA256' } : {}) },
          also: optional,
        }),
      name,
      size,
    )
    const { checksums } = manners
    const uploadId = textOf(readXml(created.text)?.root, 'UploadId')
    if (!uploadId) throw new StoreUnavailable('the store began an upload without naming it')
    const stop = new AbortController()
    try {
      const parts = await sendParts({ name, path, size, partBytes, uploadId, checksums, signal: stop.signal })
      await complete(name, size, uploadId, parts)
    } catch (error) {
      stop.abort()
      await abort(name, uploadId)
      throw error
    }
  }

  async function sendParts(to: PartsTo): Promise<Part[]> {
    const count = Math.ceil(to.size / to.partBytes)
    const parts: Part[] = []
    let next = 0
    const sendSome = async () => {
      for (let i = next++; i < count; i = next++) {
        to.signal.throwIfAborted()
        parts[i] = await sendPart(to, i)
      }
    }
    await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, sendSome))
    return parts
  }

  async function sendPart({ name, path, size, partBytes, uploadId, checksums, signal }: PartsTo, i: number) {
    const start = i * partBytes
    const content = await fileContent(path, start, Math.min(partBytes, size - start))
    const answer = await client.call({
      method: 'PUT',
      name,
      query: { partNumber: String(i + 1), uploadId },
      headers: checksumOf({ checksums }, content),
      content,
      signal,
    })
    const { etag } = answer.headers
    if (!etag) throw new StoreUnavailable('the store took a part of an upload without an ETag')
    return { etag, checksum: checksums ? base64(content) : null }
  }

  async function complete(name: string, size: number, uploadId: string, parts: Part[]): Promise<void> {
    const content = textContent(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.map(partXml).join('')}</CompleteMultipartUpload>`,
    )
    const send = (as: Manners) =>
      client.call({
        method: 'POST',
        name,
        query: { uploadId },
        content,
        headers: { 'content-type': 'application/xml', ...conditionOf(as) },
        also: [...optional, 404],
        answerMs: completeMs,
      })
    const answer = await inBestManner(
      async (as) => {
        const answer = await send(as)
        const { status, refusal, attempt } = answer
        if (refusal && status === 404) {
          // The upload is gone because the try before completed it.
          if (attempt > 1 && (await sizeOf(name)) === size) return { ...answer, refusal: null }
          throw explain(refusal, 'POST', settings)
        }
        return answer
      },
      name,
      size,
    )
    // Said after the head of the answer went out with 200, as putting together takes long.
    const said = answer.status === 200 ? readXml(answer.text) : null
    if (said?.name === 'Error')
      throw new StoreUnavailable(`the store did not put the parts together (${textOf(said.root, 'Code')})`)
    if ((await sizeOf(name)) !== size) throw new StoreUnavailable('the store lost a part of an upload')
  }

  /** Parts that are never completed are kept, and paid for, until somebody removes them; the sweep does where this fails. */
  async function abort(name: string, uploadId: string): Promise<void> {
    await client.call({ method: 'DELETE', name, query: { uploadId }, also: [404] }).catch(() => {})
  }

  return {
    put: (name, path, size) =>
      size > sizes.wholeBytes ? putParts(name, path, size) : putWhole(name, path, size),
  }
}

interface PartsTo {
  name: string
  path: string
  size: number
  partBytes: number
  uploadId: string
  checksums: boolean
  signal: AbortSignal
}

interface Part {
  etag: string
  checksum: string | null
}

const kind = { 'content-type': 'application/octet-stream' }
/** 400 and 501: some of what was sent is not known there. 412: the name is taken. */
const optional = [400, 412, 501]

const conditionOf = ({ conditional }: Manners) => (conditional ? { 'if-none-match': '*' } : {})

const checksumOf = ({ checksums }: Pick<Manners, 'checksums'>, content: Content) =>
  checksums ? { 'x-amz-checksum-sha256': base64(content) } : ({} as Record<string, string>)

const base64 = ({ sha256 }: Content) => Buffer.from(sha256, 'hex').toString('base64')

function partXml({ etag, checksum }: Part, i: number): string {
  const sum = checksum ? `<ChecksumSHA256>${checksum}</ChecksumSHA256>` : ''
  return `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag>${sum}</Part>`
}

/** Without what a refusal names, or, where it names nothing, without the one and then the other; null: no simpler way. */
function simplerThan({ conditional, checksums }: Manners, { header, message }: S3Refusal): Manners | null {
  const named = `${header} ${message}`
  if (checksums && /checksum/i.test(named)) return { conditional, checksums: false }
  if (conditional) return { conditional: false, checksums }
  return checksums ? { conditional, checksums: false } : null
}

function taken(): Error {
  return new Error('a file with this key is in the store already')
}
