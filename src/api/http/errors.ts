import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import {
  DomainError,
  type ErrorCode,
  type FieldProblem,
  Outdated,
  TryLater,
} from '../../domain/kernel/domain-error.ts'
import { DatabaseUnavailable } from '../../platform/database-errors.ts'
import { QueueBusy, QueueStopped } from '../../platform/fair-queue.ts'
import { StoreUnavailable } from '../../platform/file-store/file-store.ts'
import { LimitsUnavailable } from '../../platform/rate-limit.ts'
import { shortageOf } from '../../platform/shortage.ts'
import { QueueFull } from '../../platform/wait-queue.ts'
import { fieldsOf } from './error-fields.ts'
import { hungUpStatus, isHangUp } from './hang-up.ts'
import { isKept } from './idempotency.ts'
import { linger } from './linger.ts'
import { Overloaded } from './overload.ts'
import { closeError } from './security-headers.ts'
import { validationError } from './validation.ts'

export type ApiErrorCode = ErrorCode | 'internal'

/** Every code with its status and what it means, as the reference explains it. */
export const errorCodes: Record<ApiErrorCode, { status: number; meaning: string; whatToDo: string }> = {
  unauthorized: {
    status: 401,
    meaning: 'The key is missing, wrong, revoked or expired, or its company is not active.',
    whatToDo: 'Do not retry. Send an active company key as "Authorization: Bearer psk_…".',
  },
  forbidden: {
    status: 403,
    meaning: 'The key is right, but what it asks for is not for its company or its scopes.',
    whatToDo: "Use the installer's key, or a key with wider scopes.",
  },
  not_found: {
    status: 404,
    meaning: 'There is no such address, or no record of yours with this id. Foreign records answer the same.',
    whatToDo: 'Check the address, the id and which company the key belongs to.',
  },
  invalid: {
    status: 400,
    meaning:
      'The request is not valid. The message names each field that is wrong and what it must be, and so does `fields`, one by one. With the status 412, the record has changed since it was read with the ETag of `If-Match`.',
    whatToDo:
      'Change what the message names. The same request fails the same way. After 412 read the record again.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The key has made more calls in the last 60 seconds than it may, all endpoints together.',
    whatToDo: 'Wait the seconds named by Retry-After, then retry: the call passes.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The service cannot answer just now: the database or the files are unreachable, or the server is stopping or overloaded.',
    whatToDo: 'Wait the seconds named by Retry-After, then retry.',
  },
  internal: {
    status: 500,
    meaning: "The service's side failed.",
    whatToDo: 'Retry after a short wait. If it repeats, report the X-Request-Id of the answer.',
  },
}

export const retryAfterSeconds = 2

interface ApiError {
  code: ApiErrorCode
  message: string
  fields?: readonly FieldProblem[]
}

/** What went wrong, in the words of the interface. */
export function apiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof DomainError)
    return { code: error.code, message: error.message, fields: fieldsOf(error) }
  if (error instanceof DatabaseUnavailable) {
    return { code: 'unavailable', message: 'The service cannot reach its database just now. Retry shortly.' }
  }
  if (error instanceof StoreUnavailable) {
    return { code: 'unavailable', message: 'The service cannot reach its files just now. Retry shortly.' }
  }
  if (error instanceof LimitsUnavailable) {
    return { code: 'unavailable', message: 'The service cannot count calls just now. Retry shortly.' }
  }
  if (error instanceof Overloaded) {
    return {
      code: 'unavailable',
      message: 'The service has more to do than it can just now. Retry shortly.',
    }
  }
  if (error instanceof QueueFull) {
    return { code: 'unavailable', message: 'Too many such calls are under way just now. Retry shortly.' }
  }
  if (error instanceof QueueBusy) {
    const message = `Too many such calls are under way just now. Retry in ${error.retryAfterSeconds} s.`
    return { code: 'unavailable', message }
  }
  if (error instanceof QueueStopped) {
    return { code: 'unavailable', message: 'The server is stopping. Retry shortly.' }
  }
  const { code, validation, validationContext } = error as FastifyError
  if (code === '55P03') {
    return { code: 'unavailable', message: 'Another change of these records takes long. Retry shortly.' }
  }
  if (shortageOf(error)) {
    return { code: 'unavailable', message: 'The service has no room for this just now. Retry later.' }
  }
  if (validation) {
    const part = validationContext === 'querystring' ? 'query' : (validationContext ?? 'request')
    return apiError(validationError(validation as unknown as ErrorObject[], part), request)
  }
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        code: 'invalid',
        message: 'Send the body as JSON, with the header "Content-Type: application/json".',
      }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return {
        code: 'invalid',
        message: `The body is larger than ${bodyLimitOf(request)}. Send less at once.`,
      }
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'invalid', message: 'The body is not as long as its Content-Length says.' }
    default:
      return {
        code: 'internal',
        message: 'Something failed on our side. Retry shortly; if it repeats, report the X-Request-Id.',
      }
  }
}

function bodyLimitOf({ routeOptions: { bodyLimit } }: FastifyRequest): string {
  const kibibytes = Math.floor((bodyLimit ?? 0) / 1024)
  return kibibytes < 1024 ? `${kibibytes} KiB` : `${Math.floor(kibibytes / 1024)} MiB`
}

export function errorBody(
  code: ApiErrorCode,
  message: string,
  baseUrl: string,
  fields: readonly FieldProblem[] = [],
): string {
  const docs = `${baseUrl}/docs/errors#${code}`
  return JSON.stringify({ error: { code, message, docs, ...(fields.length > 0 ? { fields } : {}) } })
}

/** What a call is refused with, where that is its answer as long as it stays the same call; null where it may pass later. */
export function refusalOf(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: ErrorShape,
): { status: number; body: string } | null {
  if (isHangUp(error, reply)) return null
  const { code, message, fields = [] } = apiError(error, request)
  const status = statusOf(error, code)
  return isKept(status) ? { status, body: shape(code, message, fields) } : null
}

function statusOf(error: unknown, code: ApiErrorCode): number {
  return error instanceof Outdated ? 412 : errorCodes[code].status
}

/** How an interface writes an error down; `fields` are those that are at fault. */
export type ErrorShape = (code: ApiErrorCode, message: string, fields: readonly FieldProblem[]) => string

export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: ErrorShape,
): void {
  if (isHangUp(error, reply)) {
    // Nobody reads it.
    reply.code(hungUpStatus).send('')
    return
  }
  // A file that somebody uploads may be large: browsers read why it was refused only when all of it is sent.
  if (!isUpload(request)) linger(request.raw)
  const { code, message, fields = [] } = apiError(error, request)
  noteFailure(error, code, request)
  const wait = retryAfterOf(error, code)
  if (wait !== null) reply.header('retry-after', wait)
  closeError(reply)
  reply
    .code(statusOf(error, code))
    .header('content-type', 'application/json; charset=utf-8')
    .send(shape(code, message, fields))
}

/** After how many seconds a call may pass; null where waiting does not help. */
export function retryAfterOf(error: unknown, code: ApiErrorCode): number | null {
  if (error instanceof TryLater || error instanceof QueueBusy) return error.retryAfterSeconds
  return code === 'unavailable' ? retryAfterSeconds : null
}

/** Says in the log what is our fault. */
export function noteFailure(error: unknown, code: ApiErrorCode, request: FastifyRequest): void {
  if (code === 'internal') request.log.error(loggable(error), 'a call failed')
  const isBusy = error instanceof TryLater || error instanceof QueueBusy
  if (code === 'unavailable' && !isBusy) noteUnavailable(error, request)
}

function isUpload({ routeOptions: { config }, headers }: FastifyRequest): boolean {
  const { isFile, streamed = '' } = config
  return isFile === true && (headers['content-type'] ?? '').startsWith(streamed)
}

const noteEveryMs = 5_000
const noted = new Map<string, number>()

const isOurTrouble = (error: unknown) =>
  error instanceof DatabaseUnavailable || error instanceof StoreUnavailable || error instanceof Overloaded

/** Says in the log why calls are turned away, once in a while: whatever it is, it concerns all of them. */
function noteUnavailable(error: unknown, request: FastifyRequest): void {
  const shortage = shortageOf(error)
  const reason = shortage ?? (isOurTrouble(error) ? (error as Error).message : null)
  if (reason === null) return
  const now = performance.now()
  if (now - (noted.get(reason) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return
  if (noted.size > 100) noted.clear()
  noted.set(reason, now)
  request.log[shortage ? 'error' : 'warn']({ reason }, 'calls are answered 503')
}

/** Database errors quote values in their message and detail: only their kind and place are logged. */
function loggable(error: unknown): object {
  const { name, code, constraint, stack, message } = error as Record<string, string | undefined>
  const frames = stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n')
  return code === undefined ? { name, error: message, frames } : { name, code, constraint, frames }
}
