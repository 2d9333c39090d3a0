import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/** A signing secret as it was given or made; `own` is the caller's. */
export interface Secret {
  text: string
  own: boolean
  /** When it stops signing; null for the current one. */
  expiresAt: string | null
}

const prefix = 'whsec_'
const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function createSecret(own?: string): Secret {
  return own === undefined
    ? { text: `${prefix}${randomBytes(32).toString('base64')}`, own: false, expiresAt: null }
    : { text: own, own: true, expiresAt: null }
}

/** The newest secret first; the one before it goes on signing until then. */
export function rotated(secrets: readonly Secret[], next: Secret, graceUntil: Date | null): Secret[] {
  const [current] = secrets
  return graceUntil && current ? [next, { ...current, expiresAt: graceUntil.toISOString() }] : [next]
}

/**
 * The keys that a secret stands for. A made one is what its base64 says, as the Standard Webhooks
 * libraries have it. The bytes of a caller's own are the key as they are; where it looks like a made one,
 * those libraries would decode it, so both sign and either way of checking holds.
 */
function keysOf({ text, own }: Secret): Buffer[] {
  const raw = Buffer.from(text)
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : ''
  if (encoded === '' || !base64Form.test(encoded)) return [raw]
  const decoded = Buffer.from(encoded, 'base64')
  return own ? [decoded, raw] : [decoded]
}

/** A key that signs until its secret expires. */
export interface SigningKey {
  key: KeyObject
  expiresAtMs: number
}

export function signingKeys(secrets: readonly Secret[]): SigningKey[] {
  return secrets.flatMap((secret) => {
    const expiresAtMs = secret.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(secret.expiresAt)
    return keysOf(secret).map((bytes) => ({ key: createSecretKey(bytes), expiresAtMs }))
  })
}

/** The headers that prove whose message this is: one signature for each key, as Standard Webhooks asks. */
export function signedHeaders(
  keys: readonly SigningKey[],
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = keys
    .filter(({ expiresAtMs }) => expiresAtMs > now.getTime())
    .map(({ key }) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
