import type { Readable } from 'node:stream'
import type { Outbound } from '../../platform/outbound/http.ts'
import { Refused } from '../../platform/outbound/refused.ts'
import { liveKeys, type Secret, signedHeaders } from './secret.ts'
import { type Attempt, isDelivered } from './webhook.ts'

const timeLimitMs = 15_000
const answerBytes = 4_096
const keptCharacters = 1_024

export interface Sending {
  outbound: Outbound
  /** What the sender calls itself. */
  userAgent: string
}

export interface Message {
  id: string
  body: string
}

/** Posts a message once. Whatever goes wrong is the attempt's; it throws only where it was given up. */
export async function send(
  { outbound, userAgent }: Sending,
  endpoint: { url: string; secrets: readonly Secret[] },
  { id, body }: Message,
  givenUp: AbortSignal,
): Promise<Attempt> {
  const now = new Date()
  const begun = performance.now()
  const end = new AbortController()
  const timer = setTimeout(
    () => end.abort(new Refused(`took longer than ${timeLimitMs / 1000} seconds to answer`)),
    timeLimitMs,
  )
  const giveUp = () => end.abort(givenUp.reason)
  givenUp.addEventListener('abort', giveUp)
  const attempt = (status: number | null, error: string | null, answer: string | null): Attempt => ({
    at: now.toISOString(),
    duration_ms: Math.round(performance.now() - begun),
    status,
    error,
    answer,
  })
  try {
    givenUp.throwIfAborted()
    const answer = await outbound.open(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signedHeaders(liveKeys(endpoint.secrets, now), id, body, now),
      },
      body,
      signal: end.signal,
    })
    const { status } = answer
    const text = await beginningOf(answer.body)
    return attempt(status, isDelivered({ status }) ? null : complaint(status), text)
  } catch (error) {
    givenUp.throwIfAborted()
    const problem =
      error instanceof Refused
        ? `The address ${error.message}.`
        : 'The call could not be made for a reason on our side.'
    return attempt(null, problem, null)
  } finally {
    clearTimeout(timer)
    givenUp.removeEventListener('abort', giveUp)
  }
}

function complaint(status: number): string {
  if (status >= 300 && status <= 399) {
    return `The endpoint answered ${status}, and redirects are not followed: register the final address.`
  }
  if (status === 410) return 'The endpoint answered 410: it is gone.'
  return `The endpoint answered ${status} instead of 2xx.`
}

/** How an answer begins. Its status has come, so what goes wrong now changes nothing. */
async function beginningOf(body: Readable): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= answerBytes) break
    }
  } catch {
    // What came until then is kept.
  }
  const text = Buffer.concat(parts).toString('utf8', 0, answerBytes)
  return text.replaceAll('\0', '').slice(0, keptCharacters).toWellFormed() || null
}
