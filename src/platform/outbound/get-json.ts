import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { currentMs } from '../clock.ts'
import { byteMeter } from '../contents/byte-meter.ts'
import { contentDecoders, isDecodingError } from './content-decoding.ts'
import { explainOutboundFailure } from './failure.ts'
import type { Outbound, OutboundAnswer } from './http.ts'
import { OutboundUnavailable, Refused } from './refused.ts'

/** A call that was answered by something else than what was asked for. The message never holds the key. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  /** Null where there was no answer that could be read. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }
}

/** It was tried again until that made no sense any more; later it may pass. */
export class CallUnavailable extends CallFailed {
  override name = 'CallUnavailable'
}

export interface JsonServer {
  /** What the server answers, its numbers as the text that they were sent as. */
  get(path: string, query: Record<string, string>): Promise<unknown>
}

export interface JsonServerOptions {
  outbound: Outbound
  baseUrl: string
  key: string
  signal: AbortSignal
  maxBytes?: number
  /** How long it may send nothing, and take for an answer as a whole. */
  silenceMs?: number
  totalMs?: number
  /** Before the first repetition; each later one waits for twice as long. */
  retryMs?: number
  maxAttempts?: number
  /** The longest time that it may ask us to wait. */
  maxWaitMs?: number
  onWait?: (seconds: number, why: string) => void
}

const passingStatuses = [408, 425, 429]
const redirects = [301, 302, 303, 307, 308]
const maxRedirects = 3

/**
 * Reads JSON by GET from one server that is not trusted: bounded in size and time, tried again where that may help, and
 * never following it to another origin, where the key would go too.
 */
export function createJsonServer(options: JsonServerOptions): JsonServer {
  const { outbound, key, signal } = options
  const { maxBytes = 16 * 1024 * 1024, silenceMs = 30_000, totalMs = 120_000 } = options
  const { retryMs = 500, maxAttempts = 6, maxWaitMs = 300_000, onWait = () => {} } = options
  const base = baseOf(outbound, options.baseUrl)
  const without = (text: string) => text.replaceAll(key, '…')
  // Who is told to wait lets the calls beside wait too.
  let notBefore = 0

  async function get(path: string, query: Record<string, string>): Promise<unknown> {
    const url = new URL(`${base}/${path}`)
    url.search = new URLSearchParams(query).toString()
    for (let attempt = 1; ; attempt++) {
      await waitUntil(notBefore, signal)
      const result = await once(url)
      if ('value' in result) return result.value
      const { failure, retryAfterMs } = result
      const waitMs = retryAfterMs ?? retryMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      if (attempt === maxAttempts || waitMs > maxWaitMs) {
        const asked = waitMs > maxWaitMs ? ` and asks to wait for ${Math.ceil(waitMs / 1000)} s` : ''
        throw new CallUnavailable(`${path} ${failure.message}${asked}`, failure.status)
      }
      notBefore = Math.max(notBefore, performance.now() + waitMs)
      onWait(Math.ceil(waitMs / 1000), `${path} ${failure.message}`)
    }
  }

  type Result = { value: unknown } | { failure: CallFailed; retryAfterMs: number | null }

  async function once(start: URL): Promise<Result> {
    const path = start.pathname.slice(start.pathname.lastIndexOf('/') + 1)
    const passing = (message: string, status: number | null = null, retryAfterMs: number | null = null) => ({
      failure: new CallFailed(message, status),
      retryAfterMs,
    })
    const limits = timeLimits(silenceMs, totalMs)
    const both = AbortSignal.any([signal, limits.signal])
    try {
      const answer = await follow(start, both, limits.heard)
      const { status, headers } = answer
      const text = await readText(answer, both, limits.heard, maxBytes)
      if (status >= 500 || passingStatuses.includes(status))
        return passing(`answered ${status}`, status, retryAfter(headers['retry-after']))
      if (status < 200 || status > 299) {
        throw new CallFailed(without(`${path} answered ${status}${saidIn(text)}`), status)
      }
      const value = parseExactly(text)
      if (value !== undefined) return { value }
      const type = String(headers['content-type'] ?? 'no type').slice(0, 60)
      return passing(without(`answered something that is no JSON (${type})`), status)
    } catch (error) {
      signal.throwIfAborted()
      const explained = isDecodingError(error)
        ? new OutboundUnavailable('leads to a server that packs its answer wrongly')
        : explainOutboundFailure(error, both)
      if (explained instanceof OutboundUnavailable) return passing(without(explained.message))
      if (explained instanceof Refused) throw new CallFailed(without(`${path} ${explained.message}`), null)
      throw explained
    } finally {
      limits.end()
    }
  }

  async function follow(start: URL, both: AbortSignal, heard: () => void): Promise<OutboundAnswer> {
    let url = start
    for (let followed = 0; ; followed++) {
      const answer = await outbound.open(url.href, {
        signal: both,
        onAnswer: heard,
        redirects: 0,
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'application/json',
          'accept-encoding': 'identity',
        },
      })
      const { location } = answer.headers
      if (!redirects.includes(answer.status) || typeof location !== 'string') return answer
      answer.body.on('error', () => {}).destroy()
      const target = URL.parse(location, url)
      if (!target || target.origin !== start.origin)
        throw new Refused(
          'redirects to another server, which is not given the key. Give the address it leads to',
        )
      if (followed === maxRedirects) throw new Refused(`redirects more than ${maxRedirects} times`)
      url = target
    }
  }

  return { get }
}

function baseOf(outbound: Outbound, text: string): string {
  const url = outbound.check(text)
  if (url.search || url.hash) throw new Refused('must not hold a question mark or a hash')
  return url.origin + url.pathname.replace(/\/+$/, '')
}

async function waitUntil(time: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const left = time - performance.now()
  if (left > 0) await wait(left, undefined, { signal }).catch(() => signal.throwIfAborted())
}

function timeLimits(silenceMs: number, totalMs: number) {
  const over = new AbortController()
  const giveUp = (why: string) => over.abort(new OutboundUnavailable(why))
  const silence = setTimeout(() => giveUp(`sent nothing for ${silenceMs / 1000} s`), silenceMs)
  const whole = setTimeout(() => giveUp(`took longer than ${totalMs / 1000} s`), totalMs)
  return {
    signal: over.signal,
    heard: () => void silence.refresh(),
    end() {
      clearTimeout(silence)
      clearTimeout(whole)
    },
  }
}

async function readText(
  { headers, body }: OutboundAnswer,
  signal: AbortSignal,
  heard: () => void,
  maxBytes: number,
): Promise<string> {
  const parts: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const part of source) parts.push(part)
  }
  const hear = async function* (source: AsyncIterable<Buffer>) {
    for await (const part of source) {
      heard()
      yield part
    }
  }
  try {
    const stages: Readable[] = contentDecoders(headers['content-encoding'])
    await pipeline([body, hear, ...stages, byteMeter(maxBytes).stage, collect] as never, { signal })
    return Buffer.concat(parts).toString('utf8')
  } finally {
    body.on('error', () => {}).destroy()
  }
}

/** In seconds or as a date. */
function retryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - currentMs())
}

/** What an error's body says, where it is JSON with a message. */
function saidIn(text: string): string {
  const value = parseExactly(text.slice(0, 10_000))
  const message =
    value !== null && typeof value === 'object' && 'message' in value && typeof value.message === 'string'
      ? value.message
      : ''
  const plain = message.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim()
  return plain === '' ? '' : `: ${plain.slice(0, 200)}`
}

/** Undefined where it is no JSON. Numbers stay texts: none is rounded, and 1e999 is not infinite. */
function parseExactly(text: string): unknown {
  const asSent = (_name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''), asSent as Parameters<typeof JSON.parse>[1])
  } catch {
    return undefined
  }
}
