/** What the server said was wrong, in its own words. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** After how long the same call may pass; null where that is not said. */
  readonly retryAfterSeconds: number | null
  constructor(status: number, code: string, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

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

export interface Call {
  /** A file goes as it is, all else as JSON. */
  body?: unknown
  signal?: AbortSignal
  /** Who asks whether anybody is signed in wants the plain answer. */
  quiet?: boolean
}

const timeLimitMs = 30_000

async function send(method: string, path: string, { body, signal }: Call): Promise<Response> {
  const limit = AbortSignal.timeout(timeLimitMs)
  try {
    return await fetch(path, {
      method,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        // Not where nothing is changed: what the page asked for beforehand is taken only for a request like it.
        ...(method === 'GET' ? {} : changeHeaders()),
        ...(path === '/console/api/session' ? actingHeader() : {}),
        ...(body === undefined || body instanceof Blob ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : body instanceof Blob ? body : JSON.stringify(body),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, 'offline', 'The server cannot be reached. Check the connection, then try again.')
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => null)
  const { code = 'internal', message = `The server answered ${response.status}.` } = body?.error ?? body ?? {}
  const wait = Number(response.headers.get('retry-after'))
  return new ApiError(response.status, code, message, wait > 0 ? wait : null)
}

/** Calls the console's API. Where the session has ended, the person signs in again and the call is made anew. */
async function call<T>(method: string, path: string, options: Call = {}): Promise<T> {
  for (;;) {
    const response = await send(method, `/console/api${path}`, options)
    if (response.ok) return (await response.json()) as T
    if (response.status !== 401 || options.quiet || !signInAgain) throw await errorOf(response)
    await signInAgain()
  }
}

export const api = {
  get: <T>(path: string, options?: Call) => call<T>('GET', path, options),
  post: <T>(path: string, body: unknown = {}, options?: Call) => call<T>('POST', path, { ...options, body }),
  patch: <T>(path: string, body: unknown, options?: Call) => call<T>('PATCH', path, { ...options, body }),
  put: <T>(path: string, body: unknown, options?: Call) => call<T>('PUT', path, { ...options, body }),
  delete: <T>(path: string, options?: Call) => call<T>('DELETE', path, options),
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
