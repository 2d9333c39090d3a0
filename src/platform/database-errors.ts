import { isOutdatedPlan } from './pipeline.ts'
import { ServerSilent } from './pool.ts'

/** The database cannot be reached or is too busy just now: worth another try later. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

export function asUnavailable(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error
  return new DatabaseUnavailable(String((error as Error).message), { cause: error })
}

const unavailableStates = /^(08|53|57P|57014|58030|25006|25P03|40001|40P01)/

/** Connection lost or refused, server stopping, silent, read-only or out of resources, or a statement that took too long. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable || error instanceof ServerSilent) return true
  const { code, message } = error as { code?: string; message?: string }
  if (typeof code === 'string') {
    return (
      unavailableStates.test(code) ||
      /^E([A-Z]+|RR_STREAM_\w+)$/.test(code) ||
      isOutdatedPlan({ code, message })
    )
  }
  return /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|ended|read timeout/i.test(
    message ?? '',
  )
}

export function isUniqueViolation(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === index
}
