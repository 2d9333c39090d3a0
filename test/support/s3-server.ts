import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
// @ts-expect-error it has no types
import untyped from '@20minutes/s3rver'
import { isSigned } from './aws-signature.ts'
import { atFileEnd } from './endings.ts'

interface S3rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
  httpServer: Server
}
const S3rver = untyped as new (options: object) => S3rver

export interface Asked {
  method: string
  /** Of the bucket or below it. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
  /** Whether the bucket stood in the host's name. */
  inHost: boolean
}

export interface Answered {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Plays what a store does differently. Null: asked as usual. */
export type Manner = (asked: Asked, raw: ServerResponse) => Promise<Answered | 'answered' | null> | null

export interface TestS3 {
  port: number
  /** What STORAGE_URL and the environment say. */
  env: Record<string, string>
  /** Everything that was asked, the oldest first. */
  asked: Asked[]
  /** In front of the store; taken away by null. */
  play(manner: Manner | null): void
  /** As a store does that is asked without a manner in front. */
  pass(asked: Asked): Promise<Answered>
  names(): Promise<string[]>
  /** Begun and not completed. */
  uploads: Map<string, { path: string; begunMs: number }>
  /** Nobody answers any more, until it is brought back. */
  away(): Promise<void>
  back(): Promise<void>
}

export const bucket = 'files'
const secret = 'S3RVER'

/** A real S3-speaking server, and in front of it what it lacks of the newer ones: conditions, checks, listed uploads. */
export async function startS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), 'sunstead-s3-'))
  const behind = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  })
  const { port: behindPort } = await behind.run()
  const asked: Asked[] = []
  const uploads: TestS3['uploads'] = new Map()
  let manner: Manner | null = null

  const pass = (one: Asked) => forward(behindPort, one)
  const look = (one: Asked) => pass({ ...one, method: 'HEAD', headers: unsigned(one), body: none })
  const exists = async (one: Asked) => (await look(one)).status === 200

  async function answer(one: Asked): Promise<Answered> {
    const { method, query, headers, body } = one
    const said = headers['x-amz-content-sha256']
    if (body.length > 0 && said !== createHash('sha256').update(body).digest('hex'))
      return refuse(400, 'XAmzContentSHA256Mismatch')
    if (method === 'GET' && query.has('uploads')) return listed(uploads)
    if (method === 'DELETE' && query.has('uploadId'))
      return uploads.delete(query.get('uploadId')!)
        ? { status: 204, headers: {}, body: none }
        : refuse(404, 'NoSuchUpload')
    // What the server behind checks otherwise than it is written down is checked here.
    const isOpened = query.has('X-Amz-Signature')
    if (isOpened || one.inHost) {
      if (!isSigned({ method, url: String(headers[urlOf]), headers }, secret))
        return refuse(403, 'SignatureDoesNotMatch')
      const plain = { ...headers, ...unsigned(one) }
      for (const name of ['authorization', 'x-amz-date']) delete plain[name]
      const query = [...one.query].filter(([name]) => !/^(X-Amz|response-)/.test(name))
      plain[urlOf] += `?${new URLSearchParams(query)}`
      const given = await answer({ ...one, inHost: false, query: new URLSearchParams(query), headers: plain })
      for (const name of ['type', 'disposition'])
        given.headers[`content-${name}`] =
          one.query.get(`response-content-${name}`) ?? given.headers[`content-${name}`] ?? ''
      return given
    }
    const isEmpty = async () => (await look(one)).headers['content-length'] === '0'
    if (method === 'GET' && headers.range && (await isEmpty())) return refuse(416, 'InvalidRange')
    const completes = method === 'POST' && query.has('uploadId')
    if (completes && !uploads.has(query.get('uploadId')!)) return refuse(404, 'NoSuchUpload')
    if (headers['if-none-match'] === '*' && (method === 'PUT' || completes) && (await exists(one)))
      return refuse(412, 'PreconditionFailed')
    const given = await pass(one)
    const { 'if-match': ifMatch } = headers
    if (method === 'GET' && ifMatch && ifMatch !== given.headers.etag)
      return refuse(412, 'PreconditionFailed')
    const id = /<UploadId>(.*)<\/UploadId>/.exec(given.body.toString())?.[1]
    if (method === 'POST' && query.has('uploads') && id)
      uploads.set(id, { path: one.path, begunMs: Date.now() })
    if (completes && given.status === 200) uploads.delete(query.get('uploadId')!)
    return given
  }

  const front = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url!, 'http://store')
    const inHost = incoming.headers.host?.startsWith(`${bucket}.`) ?? false
    const one: Asked = {
      method: incoming.method!,
      path: inHost ? pathname : pathname.slice(bucket.length + 1),
      query: searchParams,
      inHost,
      headers: { ...incoming.headers, [urlOf]: incoming.url! },
      body: await buffer(incoming).catch(() => none),
    }
    asked.push(one)
    try {
      const given = (await manner?.(one, outgoing)) ?? (await answer(one))
      if (given !== 'answered') write(outgoing, given)
    } catch {
      outgoing.destroy()
    }
  })
  const listen = async (port: number) => {
    front.listen(port, '127.0.0.1')
    await once(front, 'listening')
  }
  await listen(0)
  const { port } = front.address() as AddressInfo
  const stop = async () => {
    front.closeAllConnections()
    if (front.listening) await new Promise((resolve) => front.close(resolve))
  }
  atFileEnd(async () => {
    await stop()
    behind.httpServer.closeAllConnections()
    await behind.close()
    await rm(directory, { recursive: true, force: true })
  })

  return {
    port,
    env: {
      STORAGE_URL: `s3://${bucket}/kept?endpoint=http://127.0.0.1:${port}&region=eu-central-1`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: secret,
    },
    asked,
    uploads,
    pass,
    play: (wanted) => {
      manner = wanted
    },
    async names() {
      const query = new URLSearchParams({ 'list-type': '2' })
      const headers = { host: '127.0.0.1', [urlOf]: `/${bucket}?${query}` }
      const { body } = await pass({ method: 'GET', path: '', query, headers, body: none, inHost: false })
      return [...body.toString().matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1]!)
    },
    away: stop,
    back: () => listen(port),
  }
}

const none = Buffer.alloc(0)
const urlOf = 'x-test-url'

/** Of the same object, by nobody: the store lets everybody in who does not sign. */
function unsigned({ path }: Asked): Asked['headers'] {
  return { host: '127.0.0.1', [urlOf]: `/${bucket}${path}` }
}

function forward(port: number, { method, headers, body }: Asked): Promise<Answered> {
  const { [urlOf]: path, ...rest } = headers
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { port, host: '127.0.0.1', method, path: String(path), headers: rest },
      (incoming) => {
        buffer(incoming).then((bytes) => {
          const given = Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
          )
          delete given['transfer-encoding']
          resolve({ status: incoming.statusCode!, headers: given, body: bytes })
        }, reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export function refuse(status: number, code: string, more = ''): Answered {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message>${more}</Error>`
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) }
}

function listed(uploads: TestS3['uploads']): Answered {
  const entries = [...uploads].map(
    ([id, { path, begunMs }]) =>
      `<Upload><Key>${path.slice(1)}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunMs).toISOString()}</Initiated></Upload>`,
  )
  const body = `<ListMultipartUploadsResult>${entries.join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) }
}

function write(outgoing: ServerResponse, { status, headers, body }: Answered): void {
  const isHead = outgoing.req.method === 'HEAD'
  outgoing.writeHead(status, isHead ? headers : { ...headers, 'content-length': String(body.length) })
  outgoing.end(isHead ? undefined : body)
}
