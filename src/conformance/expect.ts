import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './client.ts'
import { fail, notApplicable } from './outcome.ts'
import { at, isObject, type Shape, shown } from './shape.ts'

const maxBody = 200

/** An answer as it is told in a failure. */
export function told({ what, status, text }: Answer): string {
  const body = text.length > maxBody ? `${text.slice(0, maxBody)}…` : text
  return `${what} → ${status} ${body.replace(/\s+/g, ' ')}`.trim()
}

export function holds(wrong: string | null): void {
  if (wrong) fail(wrong)
}

export function expectStatus(answer: Answer, ...statuses: number[]): void {
  if (!statuses.includes(answer.status)) fail(`${told(answer)}; expected ${statuses.join(' or ')}`)
}

export function expectShape(answer: Answer, shape: Shape, path = ''): void {
  if (answer.json === undefined) fail(`${told(answer)}; expected JSON`)
  const value = path === '' ? answer.json : at(answer.json, path)
  const wrong = shape(value, path === '' ? 'the answer' : path)
  if (wrong) fail(`${told(answer)}; ${wrong}`)
}

export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected)) fail(`${what} is ${shown(found)}, not ${shown(expected)}`)
}

/** An error of the company-key API, which the catalogue API shares: its status and code. Its shape has rules of its own. */
export function expectError(answer: Answer, status: number, code: string): void {
  expectStatus(answer, status)
  const found = at(answer.json, 'error.code')
  if (found !== code) fail(`${told(answer)}; expected the code ${code}`)
}

export const expectInvalid = (answer: Answer) => expectError(answer, 400, 'invalid')
export const expectMissing = (answer: Answer) => expectError(answer, 404, 'not_found')

/** The rows of a list, as far as it has some. */
export function rowsOf(answer: Answer): Record<string, unknown>[] {
  const data = at(answer.json, 'data')
  if (!Array.isArray(data)) fail(`${told(answer)}; there is no list in it`)
  return data.filter(isObject)
}

export function succeeded(answer: Answer): Answer {
  if (answer.status < 200 || answer.status > 299) fail(told(answer))
  return answer
}

/** The record in a good answer. */
export function recordOf(answer: Answer): Record<string, unknown> {
  if (!isObject(succeeded(answer).json)) fail(`${told(answer)}; there is no record in it`)
  return answer.json as Record<string, unknown>
}

export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  if (typeof found !== 'string' || found === '') fail(`there is no ${path} in ${shown(value)}`)
  return found
}

export function option(value: string | null, name: string, why: string): string {
  return value ?? notApplicable(`${why} (${name})`)
}

const attempts = 3

/** For what others who use the server meanwhile may disturb: it must hold once. */
export async function undisturbed(look: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await look()
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}
