import { ApiError } from '../api/client.ts'
import { signIn as texts } from '../texts/en/sign-in.ts'

/** What went wrong while signing in, in our words where we have some. */
export function problemOf(error: unknown): string {
  if (error instanceof DOMException) return texts.passkeyStopped
  const code = error instanceof ApiError ? error.code : ''
  return texts.problems[code] ?? (error as Error).message
}
