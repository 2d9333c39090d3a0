export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable'

/** A field that is at fault, as the caller calls it: `address.line1`, `files[0].url`. */
export interface FieldProblem {
  path: string
  message: string
}

/**
 * A refusal that the caller can act on. The message says what to change: it begins with a capital letter, or with the
 * fields that it is about (`email: …; phone must …`), unless they are given.
 */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly code: ErrorCode
  readonly fields: readonly FieldProblem[] | undefined

  constructor(code: ErrorCode, message: string, fields?: readonly FieldProblem[]) {
    super(message)
    this.code = code
    this.fields = fields
  }
}

/** A change of a record that is no longer what the caller read. */
export class Outdated extends DomainError {
  constructor() {
    super(
      'invalid',
      'The record has changed since it was read with this ETag. Read it again, then send the change with the new one.',
    )
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

/** A record that is not there for the caller. */
export class NotFound extends DomainError {
  readonly what: string

  constructor(what: string) {
    super('not_found', `There is no ${what} with this id among your records.`)
    this.what = what
  }
}

/** Unknown, foreign and malformed ids are told apart by nobody. */
export function notFound(what: string): NotFound {
  return new NotFound(what)
}
