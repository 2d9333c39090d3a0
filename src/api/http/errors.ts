import type { ErrorObject } from 'ajv'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type ErrorCode, TryLater } from '../../domain/kernel/domain-error.ts'
import { DatabaseUnavailable } from '../../platform/database-errors.ts'
import { QueueBusy, QueueStopped } from '../../platform/fair-queue.ts'
import { StoreUnavailable } from '../../platform/file-store/file-store.ts'
import { LimitsUnavailable } from '../../platform/rate-limit.ts'
import { shortageOf } from '../../platform/shortage.ts'
import { QueueFull } from '../../platform/wait-queue.ts'
import { hungUpStatus, isHangUp } from './hang-up.ts'
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
    meaning: 'The request is not valid. The message names each field that is wrong and what it must be.',
    whatToDo: 'Change what the message names. The same request fails the same way.',
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

/** What went wrong, in the words of the interface. */
function apiError(error: unknown, request: FastifyRequest): { code: ApiErrorCode; message: string } {
  if (error instanceof DomainError) return { code: error.code, message: error.message }
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
    const { message } = validationError(validation as unknown as ErrorObject[], part)
    return { code: 'invalid', message }
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

export function errorBody(code: ApiErrorCode, message: string, baseUrl: string): string {
  return JSON.stringify({ error: { code, message, docs: `${baseUrl}/docs/errors#${code}` } })
}

/** How an interface writes an error down. */
export type ErrorShape = (code: ApiErrorCode, message: string) => string

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
  if (request.routeOptions.config.streamed !== '') linger(request.raw)
  const { code, message } = apiError(error, request)
  if (code === 'internal') request.log.error(loggable(error), 'a call failed')
  if (error instanceof TryLater || error instanceof QueueBusy)
    reply.header('retry-after', error.retryAfterSeconds)
  else if (code === 'unavailable') {
    reply.header('retry-after', retryAfterSeconds)
    noteUnavailable(error, request)
  }
  closeError(reply)
  reply
    .code(errorCodes[code].status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(shape(code, message))
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
