export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'

/** A refusal that the caller can act on. The message says what to change. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A refusal that ends by itself. */
export class TryLater extends DomainError {
  readonly retryAfterSeconds: number

  constructor(code: 'rate_limited' | 'unavailable', message: string, retryAfterSeconds: number) {
    super(code, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Unknown, foreign and malformed ids are told apart by nobody. */
export function notFound(what: string): DomainError {
  return new DomainError('not_found', `There is no ${what} with this id among your records.`)
}
