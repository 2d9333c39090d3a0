/** Codes of the API, and those of what never got an answer from it. */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'
  | 'internal'
  /** 304: it still is what `ifNoneMatch` names. */
  | 'not_modified'
  /** There was no connection, or it was cut. */
  | 'connection_failed'
  | 'timed_out'
  /** What came is no answer of this API. */
  | 'unexpected_response'

export interface FieldError {
  path: string
  message: string
}

interface Details {
  code: ErrorCode
  message: string
  status?: number | null
  requestId?: string | null
  fields?: FieldError[]
  /** Seconds. */
  retryAfter?: number | null
  docs?: string | null
  cause?: unknown
}

/** Whatever went wrong with a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** Null where there was no answer. */
  readonly status: number | null
  /** By which whoever runs the server finds the call. */
  readonly requestId: string | null
  /** What is wrong in the body or the query; empty where nothing is. */
  readonly fields: readonly FieldError[]
  /** Seconds until it is worth trying again, where the server says so. */
  readonly retryAfter: number | null
  readonly docs: string | null
  /** How often it was tried. */
  attempts = 1
  /** Of a write: whether it may have been done all the same, so that one should look before sending it anew. */
  mayHaveHappened = false
  /** Of a POST: the key under which it was sent. Sent again with it within 24 hours, it is done once. */
  idempotencyKey: string | null = null

  constructor(details: Details) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.fields = details.fields ?? []
    this.retryAfter = details.retryAfter ?? null
    this.docs = details.docs ?? null
  }
}

const codes: Record<number, ErrorCode> = {
  304: 'not_modified',
  400: 'invalid',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  412: 'invalid',
  429: 'rate_limited',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

/** What a refusal says: `{error: {…}}`, or the legacy API's flat form; a proxy in between says neither. */
export function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response
  const body = parsed(text)
  const said = body?.['error'] ?? (body?.['success'] === false ? body : undefined)
  const { code, message, fields, docs } = (said ?? {}) as Partial<Details>
  return new ApiError({
    code: code ?? codes[status] ?? 'unexpected_response',
    message: message ?? `The server answered ${status}${text ? `: ${text.slice(0, 200)}` : ''}`,
    status,
    requestId: headers.get('x-request-id'),
    fields: fields ?? [],
    docs: docs ?? null,
    retryAfter: secondsOf(headers.get('retry-after')),
  })
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

/** Seconds, or a date as proxies write it. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
