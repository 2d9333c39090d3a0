import type { WebhookEvent } from './generated/catalog.ts'

export interface WebhookToVerify {
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** As it came, before anything has parsed it. */
  body: string | Uint8Array
  /** The endpoint's secret, or several while it is being rotated. */
  secrets: string | readonly string[]
  /** How old, or how far ahead, it may be; 5 minutes when absent. */
  toleranceSeconds?: number | undefined
  /** The present when absent. */
  now?: Date | undefined
}

export interface VerifiedWebhook {
  /** The same at each attempt of the same event: keep it for a while to drop what comes twice. */
  id: string
  sentAt: Date
  event: WebhookEvent
}

export type WebhookRefusal = 'missing_headers' | 'too_old' | 'too_new' | 'bad_signature' | 'bad_body'

/** What came was not sent by the server, or not now. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const defaultToleranceSeconds = 300
/** An endpoint signs with two secrets at most, each in two ways. More would only be somebody's way to keep us busy. */
const maxSignatures = 16
const prefix = 'whsec_'
const encoder = new TextEncoder()

/** Proves that a message was sent by the server to your endpoint, lately and unaltered (Standard Webhooks). */
export async function verifyWebhook(message: WebhookToVerify): Promise<VerifiedWebhook> {
  const { headers, body, toleranceSeconds = defaultToleranceSeconds, now = new Date() } = message
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? ''))
    throw new WebhookError(
      'missing_headers',
      'webhook-id, webhook-timestamp and webhook-signature are needed.',
    )
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (ageSeconds > toleranceSeconds)
    throw new WebhookError('too_old', `The message was sent ${ageSeconds} seconds ago.`)
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookError('too_new', `The message is dated ${-ageSeconds} seconds ahead.`)

  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytesOf(body))
  const given = signatures.split(' ').slice(0, maxSignatures).flatMap(signatureBytes)
  const secrets = [message.secrets].flat()
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('a webhook secret is empty')
  if (!(await isSigned(secrets.flatMap(keysOf), given, signed)))
    throw new WebhookError(
      'bad_signature',
      'No signature fits: it is another secret, or the body was altered.',
    )
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(body))
    return { id, sentAt: new Date(Number(timestamp) * 1000), event: JSON.parse(text) as WebhookEvent }
  } catch {
    throw new WebhookError('bad_body', 'The body is no JSON.')
  }
}

/** `verify` of the runtime takes as long for a wrong signature as for the right one. */
async function isSigned(
  keys: Uint8Array<ArrayBuffer>[],
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let fits = false
  for (const bytes of keys) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) fits = true
    }
  }
  return fits
}

function headerOf(headers: WebhookToVerify['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

/** A made secret is what its base64 says; the bytes of a caller's own are the key, also where it looks like a made one. */
function keysOf(secret: string): Uint8Array<ArrayBuffer>[] {
  const raw = encoder.encode(secret)
  const decoded = secret.startsWith(prefix) ? decodedBase64(secret.slice(prefix.length)) : null
  return decoded && decoded.length > 0 ? [decoded, raw] : [raw]
}

function signatureBytes(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = text.startsWith('v1,') ? decodedBase64(text.slice(3)) : null
  return bytes ? [bytes] : []
}

function decodedBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const bytesOf = (body: string | Uint8Array) => (typeof body === 'string' ? encoder.encode(body) : body)

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
