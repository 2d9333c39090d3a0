import { currentTime } from '../../../platform/clock.ts'
import type { Outbound } from '../../../platform/outbound/http.ts'
import { Refused } from '../../../platform/outbound/refused.ts'
import { CannotOpen, type SecretBox } from '../../../platform/secret-box.ts'
import { traced } from '../../../platform/tracing/tracing.ts'
import { withBaseUrl } from '../../deals/renderings/rendering.ts'
import { openSecrets } from './sealed-secrets.ts'
import { type Secret, type SigningKey, signedHeaders, signingKeys } from './secret.ts'
import { type Attempt, isDelivered } from './webhook.ts'

const timeLimitMs = 15_000
const keptBytes = 4_096
const keptCharacters = 1_024

export interface Sending {
  outbound: Outbound
  /** Opens the secrets with which messages are signed. */
  box: SecretBox
  /** What the sender calls itself. */
  userAgent: string
  /** The public address, asked for at each message: it may become known late. */
  baseUrl: () => string
  /** How long an endpoint may take; 15 seconds unless a test has less time. */
  timeLimitMs?: number
}

/** An endpoint made ready for many messages: its address checked once, and its keys made. */
export interface Target {
  /** What was wrong with the address, where something was. */
  url: URL | Refused
  keys: SigningKey[]
}

export function targetOf(
  { outbound, box }: Sending,
  { url, secrets }: { url: string; secrets: readonly Secret[] },
  sealedFor: string,
): Target {
  try {
    return { url: checked(outbound, url), keys: signingKeys(openSecrets(box, sealedFor, secrets)) }
  } catch (error) {
    if (error instanceof CannotOpen) return { url: new Refused(cannotSign), keys: [] }
    throw error
  }
}

const cannotSign = 'was not called, as its signing secret cannot be read here: give the endpoint a new secret'

function checked(outbound: Outbound, url: string): URL | Refused {
  try {
    return outbound.check(url)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

export interface Message {
  id: string
  body: string
}

/** Posts a message once. Whatever goes wrong is the attempt's; it throws only where it was given up. */
export async function send(
  { outbound, userAgent, baseUrl, timeLimitMs: limitMs = timeLimitMs }: Sending,
  { url, keys }: Target,
  { id, body: kept }: Message,
  givenUp: AbortSignal,
): Promise<Attempt> {
  const now = currentTime()
  const begun = performance.now()
  const body = withBaseUrl(kept, baseUrl())
  const attempt = (status: number | null, error: string | null, answer: string | null): Attempt => ({
    at: now.toISOString(),
    duration_ms: Math.round(performance.now() - begun),
    status,
    error,
    answer,
  })
  try {
    if (url instanceof Refused) throw url
    const attributes = () => ({ 'server.address': url.hostname, 'sunstead.delivery_id': id })
    const { status, beginning } = await traced('POST webhook', 'CLIENT', attributes, () =>
      outbound.post(url, {
        headers: {
          'content-type': 'application/json',
          'user-agent': userAgent,
          ...signedHeaders(keys, id, body, now),
        },
        body,
        timeLimitMs: limitMs,
        keptBytes,
        givenUp,
      }),
    )
    return attempt(status, isDelivered({ status }) ? null : complaint(status), textOf(beginning))
  } catch (error) {
    givenUp.throwIfAborted()
    const problem =
      error instanceof Refused
        ? `The address ${error.message}.`
        : 'The call could not be made for a reason on our side.'
    return attempt(null, problem, null)
  }
}

function complaint(status: number): string {
  if (status >= 300 && status <= 399) {
    return `The endpoint answered ${status}, and redirects are not followed: register the final address.`
  }
  if (status === 410) return 'The endpoint answered 410: it is gone.'
  return `The endpoint answered ${status} instead of 2xx.`
}

function textOf(answer: Buffer): string | null {
  if (answer.length === 0) return null
  const text = answer.toString('utf8', 0, keptBytes)
  return text.replaceAll('\0', '').slice(0, keptCharacters).toWellFormed() || null
}
