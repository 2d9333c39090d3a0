import { ApiError, errorOf } from './api-error.ts'
import type { Body } from './body.ts'
import type { ApiResponse, CallOptions } from './call.ts'
import { downloadOf } from './download.ts'
import type { Operation } from './operation.ts'
import { isPassing, pause, waitMs } from './retry.ts'

export interface TransportConfig {
  /** Null for what is opened without one. */
  key: string | null
  fetch: typeof globalThis.fetch
  maxRetries: number
  timeoutMs: number
  uploadTimeoutMs: number
  maxRetryWaitMs: number
  onRetry: ((retry: Retry) => void) | undefined
}

/** What is about to be tried again. */
export interface Retry {
  operation: string
  attempt: number
  waitMs: number
  error: ApiError
}

export interface Request {
  operation: Operation
  url: string
  body: Body | null
  options: CallOptions
}

export type Transport = <T>(request: Request) => Promise<ApiResponse<T>>

/** Sends a call, and sends it again where that can help and can do no harm (decision 43). */
export function createTransport(config: TransportConfig): Transport {
  return async <T>({ operation, url, body, options }: Request) => {
    const { signal, maxRetries = config.maxRetries } = options
    const headers = headersOf(config.key, operation, body, options)
    // What cannot be sent is the caller's mistake, and no connection that failed.
    new Headers(headers)
    const send = (more?: Record<string, string>) =>
      attempt(config, operation, url, { ...headers, ...more }, body, options)
    // Once an attempt has ended in the dark, the call may have been done, whatever is answered to the next.
    let mayHaveHappened = false
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted()
      try {
        const response = await send()
        return await answered<T>(config, operation, response, send, options, attempts)
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure
        const error = failure
        if (mayHaveHappened && operation.method === 'DELETE' && error.status === 404)
          return deleted<T>(error, attempts)
        // Refused by the limit, it was not looked at.
        if (operation.method !== 'GET' && isPassing(error) && error.status !== 429) mayHaveHappened = true
        error.attempts = attempts
        error.idempotencyKey = headers['idempotency-key'] ?? null
        error.mayHaveHappened = mayHaveHappened && (isPassing(error) || error.status === 412)
        const wait = waitMs(attempts, error.retryAfter)
        const isWorthIt = isPassing(error) && attempts <= maxRetries && wait <= config.maxRetryWaitMs
        if (!isWorthIt || !mayRepeat(operation, error, body, options)) throw error
        config.onRetry?.({ operation: operation.id, attempt: attempts, waitMs: wait, error })
        await pause(wait, signal)
      }
    }
  }
}

function headersOf(
  key: string | null,
  { repeat, method }: Operation,
  body: Body | null,
  { idempotencyKey, ifMatch, ifNoneMatch, headers }: CallOptions,
): Record<string, string> {
  return {
    ...headers,
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body ? { 'content-type': body.contentType } : {}),
    ...(repeat === 'keyed' ? { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() } : {}),
    ...(ifMatch !== undefined ? { 'if-match': ifMatch } : {}),
    ...(ifNoneMatch !== undefined && method === 'GET' ? { 'if-none-match': ifNoneMatch } : {}),
  }
}

/** Whether a second attempt can do no harm. */
function mayRepeat(
  { repeat }: Operation,
  error: ApiError,
  body: Body | null,
  { ifMatch, repeatable }: CallOptions,
): boolean {
  if (body && !body.isRepeatable) return false
  return error.status === 429 || repeat !== 'matched' || ifMatch !== undefined || repeatable === true
}

/** One attempt, up to an answer that says it was done. What it reads of it is within the same time. */
async function attempt(
  { key, fetch, timeoutMs, uploadTimeoutMs }: TransportConfig,
  { method, answers, takes, repeat }: Operation,
  url: string,
  headers: Record<string, string>,
  body: Body | null,
  options: CallOptions,
): Promise<{ response: Response; text: string }> {
  const isUpload = takes === 'files' || takes === 'lines'
  const limitMs = options.timeoutMs ?? (isUpload ? uploadTimeoutMs : timeoutMs)
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), limitMs)
  const { signal } = options
  try {
    const isOnce = method !== 'GET' && repeat !== 'keyed'
    const sent = isOnce ? new Blob([(body?.open() as string | undefined) ?? '']) : body?.open()
    const response = await fetch(url, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
      ...(sent instanceof ReadableStream ? { duplex: 'half' } : {}),
      // Where a connection that was kept is cut, runtimes send again by themselves, and do not say so: Deno whatever is text,
      // Bun a DELETE. A Blob, and a connection of its own, are sent once.
      ...(isOnce ? { keepalive: false } : {}),
      // A key is for one server: no other is shown it. Workers know no "error".
      redirect: key === null ? 'follow' : 'manual',
      signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
    } as RequestInit)
    if (response.ok && answers === 'file') return { response, text: '' }
    const text = await response.text()
    if (!response.ok) throw errorOf(response, text)
    return { response, text }
  } catch (error) {
    if (error instanceof ApiError) throw error
    signal?.throwIfAborted()
    throw timer.signal.aborted
      ? new ApiError({
          code: 'timed_out',
          message: `There was no answer from ${new URL(url).origin} within ${limitMs} ms.`,
          cause: error,
        })
      : new ApiError({
          code: 'connection_failed',
          message: `The connection to ${new URL(url).origin} failed: ${reasonOf(error)}`,
          cause: error,
        })
  } finally {
    clearTimeout(timeout)
  }
}

/** What the runtime says, which may be no more than "fetch failed", and the system's code, which it may keep in a cause. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown }
    if (typeof code === 'string') return message.includes(code) ? message : `${message} (${code})`
  }
  return message
}

type Send = (more?: Record<string, string>) => Promise<{ response: Response; text: string }>

async function answered<T>(
  config: TransportConfig,
  { answers }: Operation,
  { response, text }: { response: Response; text: string },
  send: Send,
  options: CallOptions,
  attempts: number,
): Promise<ApiResponse<T>> {
  const { status, headers } = response
  const requestId = headers.get('x-request-id')
  const data = () => {
    if (answers === 'none') return undefined
    if (answers === 'json') return parsed(text, requestId, status)
    const { signal, timeoutMs = config.timeoutMs, maxRetries = config.maxRetries } = options
    const reopen = async (more: Record<string, string>) => (await send(more)).response
    return downloadOf(response, reopen, { signal, timeoutMs, maxRetries })
  }
  return {
    data: data() as T,
    status,
    headers,
    requestId,
    etag: headers.get('etag'),
    replayed: headers.get('idempotency-replayed') === 'true',
    attempts,
  }
}

/** JSON that ends half-way is a cut connection that the runtime has not noticed. */
function parsed(text: string, requestId: string | null, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isCut = text === '' || /^\s*[{[]/.test(text)
    throw new ApiError({
      code: isCut ? 'connection_failed' : 'unexpected_response',
      message: isCut ? 'The answer was cut off.' : `The answer is no JSON: ${text.slice(0, 200)}`,
      status: isCut ? null : status,
      requestId,
      cause,
    })
  }
}

/** It was not there any more: an earlier attempt has deleted it. */
function deleted<T>({ requestId }: ApiError, attempts: number): ApiResponse<T> {
  const data = undefined as T
  return { data, status: 204, headers: new Headers(), requestId, etag: null, replayed: true, attempts }
}
