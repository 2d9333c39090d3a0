import type { LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { currentMs } from '../../clock.ts'
import { StoreUnavailable } from '../file-store.ts'
import { addressOf, publicAddressOf } from './addresses.ts'
import { type Body, type Content, emptyContent } from './content.ts'
import { explain, isPassing, networkFailure, readRefusal, type S3Refusal } from './refusals.ts'
import type { S3Settings } from './settings.ts'

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the prefix; empty for the bucket itself. */
  name: string
  query?: Record<string, string>
  headers?: Record<string, string>
  content?: Content
  /** Statuses that are an answer, besides those from 200 to 299. */
  also?: readonly number[]
  /** How long the head of the answer may take; unless said, as long as usual and as what is sent takes on a slow line. */
  answerMs?: number
  signal?: AbortSignal | undefined
  /** Leaves the body to whoever asked; otherwise it is read, and what broke off is asked for again. */
  stream?: boolean
}

export interface S3Answer {
  status: number
  headers: Record<string, string | undefined>
  body: Dispatcher.ResponseData['body']
  /** Empty for a stream. */
  text: string
  /** Above 1 where it was tried before, and what became of that is not known. */
  attempt: number
  /** What a status among `also` was said with. */
  refusal: S3Refusal | null
}

export interface S3Client {
  /** Every call may be made again without harm: it is, where the store is busy or the connection broke. */
  call(call: S3Call): Promise<S3Answer>
  /** An address that opens a name without a signature of its own. */
  presign(name: string, seconds: number, query: Record<string, string>): Promise<string>
  close(): Promise<void>
}

/** For tests, which cannot wait. */
export interface S3Limits {
  attempts: number
  firstPauseMs: number
  connectMs: number
  answerMs: number
  /** How long a body may be silent. */
  silenceMs: number
  /** For tests: how names are found. */
  lookup?: LookupFunction
}

export const usualLimits: S3Limits = {
  attempts: 4,
  firstPauseMs: 100,
  connectMs: 3_000,
  answerMs: 10_000,
  silenceMs: 15_000,
}

/** A store that takes it more slowly is given up. */
const slowestBytesPerMs = 150

/** A call is tried again only until this many times what one try may take have passed. */
const tryingFactor = 2

/** More at once wait for one of them to end: each holds a socket here and there. */
const maxConnections = 256

export function createS3Client(given: S3Settings, limits: S3Limits): S3Client {
  // The region may turn out to be another.
  let settings = given
  let clockOffsetMs = 0
  const closing = new AbortController()
  const keys = new Map<string, ArrayBuffer>()
  const agent = new Agent({
    connections: maxConnections,
    connect: { timeout: limits.connectMs, ...(limits.lookup ? { lookup: limits.lookup } : {}) },
    // The deadline below counts the wait for a connection too.
    headersTimeout: 0,
    bodyTimeout: limits.silenceMs,
    keepAliveMaxTimeout: 30_000,
  })

  function signer(url: URL, method: string, headers: Record<string, string>, signQuery: boolean) {
    const { accessKeyId, secretAccessKey, sessionToken, region } = settings
    if (keys.size > 10) keys.clear()
    return new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
      service: 's3',
      region,
      cache: keys,
      datetime: new Date(currentMs() + clockOffsetMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      signQuery,
    })
  }

  const answerMsOf = ({ answerMs, content = emptyContent }: S3Call) =>
    answerMs ?? limits.answerMs + content.length / slowestBytesPerMs

  async function send(call: S3Call): Promise<Dispatcher.ResponseData> {
    const { method, name, query = {}, headers = {}, content = emptyContent } = call
    const url = addressOf(settings, name && settings.prefix + name, query)
    const signed = await signer(
      url,
      method,
      { ...headers, 'x-amz-content-sha256': content.sha256 },
      false,
    ).sign()
    const late = new AbortController()
    const answerMs = answerMsOf(call)
    const deadline = setTimeout(
      () => late.abort(new StoreUnavailable(`took longer than ${Math.ceil(answerMs / 1000)} s to answer`)),
      answerMs,
    )
    const body: Body = content.open()
    // After the head of the answer has come, only the caller and our own end break it off.
    const lasting = call.signal ? AbortSignal.any([closing.signal, call.signal]) : closing.signal
    try {
      return await agent.request({
        origin: url.origin,
        path: signed.url.pathname + signed.url.search,
        method,
        headers: {
          ...Object.fromEntries(signed.headers),
          'user-agent': 'Sunstead',
          'accept-encoding': 'identity',
          ...(content.length > 0 || method === 'PUT' ? { 'content-length': String(content.length) } : {}),
        },
        body,
        signal: AbortSignal.any([late.signal, lasting]),
      })
    } finally {
      clearTimeout(deadline)
    }
  }

  /** Takes up what a refusal says of where and when we are; answers whether it is worth asking again at once. */
  function learn(refusal: S3Refusal): boolean {
    if (refusal.region && refusal.region !== settings.region) {
      settings = { ...settings, region: refusal.region }
      return true
    }
    if (refusal.code === 'RequestTimeTooSkewed' && refusal.at !== null) {
      const offset = refusal.at - currentMs()
      const isNews = Math.abs(offset - clockOffsetMs) > 5_000
      clockOffsetMs = offset
      return isNews
    }
    return false
  }

  async function call(wanted: S3Call): Promise<S3Answer> {
    let lessons = 0
    // A store that accepts and says nothing would otherwise hold its caller for as many times as it is tried.
    const noMoreAfter = performance.now() + tryingFactor * answerMsOf(wanted)
    for (let attempt = 1; ; attempt++) {
      let trouble: StoreUnavailable
      try {
        const answer = await send(wanted)
        const { statusCode: status, body } = answer
        const headers = answer.headers as S3Answer['headers']
        if (status >= 200 && status <= 299) {
          const text = wanted.stream ? '' : await body.text()
          return { status, headers, body, text, attempt, refusal: null }
        }
        const refusal = await readRefusal(status, headers, body)
        if (learn(refusal) && lessons++ < 3) {
          attempt--
          continue
        }
        if (wanted.also?.includes(status) && !isPassing(refusal))
          return { status, headers, body, text: '', attempt, refusal }
        trouble = explain(refusal, wanted.method, settings)
      } catch (error) {
        wanted.signal?.throwIfAborted()
        trouble = closing.signal.aborted
          ? new StoreUnavailable('the server is stopping')
          : networkFailure(error, settings)
      }
      if (!trouble.passing || attempt >= limits.attempts || closing.signal.aborted) throw trouble
      // Not all at the same moment: what was too much would be so again.
      const pauseMs = limits.firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random())
      if (performance.now() + pauseMs >= noMoreAfter) throw trouble
      await wait(pauseMs, undefined, { signal: closing.signal }).catch(() => {
        throw trouble
      })
    }
  }

  return {
    call,
    async presign(name, seconds, query) {
      const url = publicAddressOf(settings, settings.prefix + name, {
        'X-Amz-Expires': String(seconds),
        ...query,
      })
      const { url: signed } = await signer(url, 'GET', {}, true).sign()
      // A plus is read as itself by some.
      return signed.href.replaceAll('+', '%20')
    },
    async close() {
      closing.abort()
      await agent.destroy()
    },
  }
}
