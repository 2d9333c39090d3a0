import { connection as texts } from '../texts/en/connection.ts'
import { isLost, noteLost, untilBack } from './connection.ts'

export type Value = string | number | boolean | null

interface Details {
  /** After how long the same call may pass; null where that is not said. */
  retryAfterSeconds?: number | null
  /** Where others have changed the same meanwhile: what it is now, by field. */
  now?: Record<string, Value> | null
}

/** What the server said was wrong, in its own words. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly retryAfterSeconds: number | null
  readonly now: Record<string, Value> | null
  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.now = details.now ?? null
  }
}

/** The server could not be asked. */
export const isOffline = (error: unknown) => error instanceof ApiError && error.code === 'offline'

/** Asks the person to sign in again; settles once they have. Set by the page that can ask. */
let signInAgain: (() => Promise<void>) | null = null

export function onSignedOut(ask: (() => Promise<void>) | null): void {
  signInAgain = ask
}

/** As which member this page acts, from when it knows: in another window the person may go over to another company. */
let actingAs: string | null = null

export function actAs(memberId: string | null): void {
  actingAs = memberId
}

function actingHeader(): Record<string, string> {
  return actingAs ? { 'x-sunstead-member': actingAs } : {}
}

/** With what a page of ours says that it changes something, and for which company. */
export function changeHeaders(): Record<string, string> {
  return { 'x-sunstead-console': '1', ...actingHeader() }
}

/** By its key the server knows what was sent before: it is done once, and answered the same. */
export interface SubmissionKey {
  key: string
}

// Not crypto.randomUUID, which is there only over https.
export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

export interface Call extends Partial<SubmissionKey> {
  /** A file goes as it is, all else as JSON. */
  body?: unknown
  signal?: AbortSignal
  /** Who asks whether anybody is signed in wants the plain answer. */
  quiet?: boolean
}

const timeLimitMs = 30_000

/** What a proxy answers in the place of a server that is away. */
const isGateways = (status: number) => status === 502 || status === 504

/** Where an answer means that nobody could be asked, it is no answer: as if the connection had failed. */
export async function refuseAway(status: number): Promise<void> {
  if (!isGateways(status) && status !== 503) return
  if (await isLost()) throw new ApiError(0, 'offline', texts.unreachable)
  // It is back already. What a server refuses that can serve, it says why.
  if (isGateways(status)) throw new ApiError(0, 'silent', texts.silent)
}

async function send(method: string, path: string, call: Call): Promise<Response> {
  const response = await attempt(method, path, call)
  await refuseAway(response.status)
  return response
}

async function attempt(method: string, path: string, { body, signal, key }: Call): Promise<Response> {
  const limit = AbortSignal.timeout(timeLimitMs)
  try {
    return await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        // Not where nothing is changed: what the page asked for beforehand is taken only for a request like it.
        ...(method === 'GET' ? {} : changeHeaders()),
        ...(path === '/console/api/session' ? actingHeader() : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined || body instanceof Blob ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    if (limit.aborted) throw new ApiError(0, 'silent', texts.silent)
    noteLost()
    throw new ApiError(0, 'offline', texts.unreachable)
  }
}

/** So often it is tried over a connection that is there, and yet brings no answer. */
const maxTries = 5

/**
 * Does what has an answer for certain, or fails for another reason than the connection: where that is lost, it is done
 * again when it is back. For what may be sent twice, as the server knows it by its key.
 */
export async function surely<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 0 || tries === maxTries) throw error
      if (isOffline(error) && !(await untilBack())) throw new ApiError(0, 'offline', texts.notSent)
    }
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => null)
  const {
    code = 'internal',
    message = `The server answered ${response.status}.`,
    now,
  } = body?.error ?? body ?? {}
  const wait = Number(response.headers.get('retry-after'))
  return new ApiError(response.status, code, message, { retryAfterSeconds: wait > 0 ? wait : null, now })
}

/** Calls the console's API. Where the session has ended, the person signs in again and the call is made again. */
async function call<T>(method: string, path: string, options: Call = {}): Promise<T> {
  for (;;) {
    const sent = () => send(method, `/console/api${path}`, options)
    const response = await (options.key === undefined ? sent() : surely(sent))
    if (response.ok) return (await response.json()) as T
    if (response.status !== 401 || options.quiet || !signInAgain) throw await errorOf(response)
    await signInAgain()
  }
}

/** What changes something has a key: that of its form, or one of its own. What only asks by a body may be broken off. */
const change =
  (method: string) =>
  <T>(path: string, body: unknown = {}, options: Call = { key: newKey() }) =>
    call<T>(method, path, { ...options, body })

export const api = {
  get: <T>(path: string, options?: Call) => call<T>('GET', path, options),
  post: change('POST'),
  patch: change('PATCH'),
  put: change('PUT'),
  delete: <T>(path: string, options: Call = { key: newKey() }) => call<T>('DELETE', path, options),
}

/** Calls what signs people in. */
export async function auth<T>(path: string, body?: unknown): Promise<T> {
  const response = await send(body === undefined ? 'GET' : 'POST', `/console/auth${path}`, { body })
  if (!response.ok) throw await errorOf(response)
  return (await response.json()) as T
}

/** A query string of what is set. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const set = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
