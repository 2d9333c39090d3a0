import type { Readable } from 'node:stream'
import { StoreUnavailable } from '../file-store.ts'
import type { S3Settings } from './settings.ts'
import { readXml, textOf } from './xml.ts'

/** What a store says that does not do what it is asked. */
export interface S3Refusal {
  status: number
  code: string
  message: string
  /** The header that it does not know, where it names one. */
  header: string
  /** Where the bucket is, if not where we asked. */
  region: string
  location: string
  /** The store's clock. */
  at: number | null
}

const maxBytes = 64 * 1024

export async function readRefusal(
  status: number,
  headers: Record<string, string | undefined>,
  body: Readable,
): Promise<S3Refusal> {
  const found = readXml(await readSome(body).catch(() => ''))
  const error = found?.name === 'Error' ? found.root : undefined
  const at = Date.parse(headers.date ?? '')
  return {
    status,
    code: textOf(error, 'Code'),
    message: textOf(error, 'Message').slice(0, 300),
    header: textOf(error, 'Header'),
    region: regionOf(headers['x-amz-bucket-region'] ?? textOf(error, 'Region')),
    location: headers.location ?? textOf(error, 'Endpoint'),
    at: Number.isNaN(at) ? null : at,
  }
}

const regionOf = (text: string) => (/^[a-z0-9-]{1,50}$/.test(text) ? text : '')

async function readSome(body: Readable): Promise<string> {
  let text = ''
  for await (const chunk of body) {
    text += chunk
    if (text.length > maxBytes) break
  }
  return text
}

const busyCodes = new Set([
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'RequestTimeout',
  'OperationAborted',
  'ConditionalRequestConflict',
  'TooManyRequests',
  // Altered on the way: sent again, it may arrive.
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'IncompleteBody',
])

/** Whether the same call may be answered otherwise in a moment. 501 says that it never will. */
export function isPassing({ status, code }: S3Refusal): boolean {
  return busyCodes.has(code) || [408, 429].includes(status) || (status > 499 && status !== 501)
}

const advice: Record<string, string> = {
  InvalidAccessKeyId: 'it does not know AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is wrong, or something on the way changes requests',
  ExpiredToken: 'AWS_SESSION_TOKEN has run out',
  InvalidToken: 'AWS_SESSION_TOKEN is wrong',
  AccessDenied: 'the key may not do this: let it read, write, list and delete in the bucket',
  NoSuchBucket: 'the bucket of STORAGE_URL does not exist: make it first',
  RequestTimeTooSkewed: 'the clock of this host is wrong',
  QuotaExceeded: 'it has no room left',
}

/** In words for operators; of contents, keys and names it says nothing. */
export function explain(refusal: S3Refusal, method: string, settings: S3Settings): StoreUnavailable {
  const { status, code, message, location } = refusal
  const why = location
    ? `it is elsewhere (${originOf(location)}): set the endpoint and region of STORAGE_URL to that`
    : (advice[code] ?? message)
  const said = code ? `${status} ${code}` : String(status)
  return new StoreUnavailable(
    `the store ${placeOf(settings)} answered ${said} to ${method}${why ? `: ${why}` : ''}`,
    { passing: isPassing(refusal) },
  )
}

/** Redirects are not followed: contents would go where a stranger says. */
function originOf(location: string): string {
  return URL.canParse(location) ? new URL(location).origin : location.slice(0, 200)
}

/** What stays so until a setting is changed. */
const lasting = /^(CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|ERR_SSL|HPE_)/

export function networkFailure(error: unknown, settings: S3Settings): StoreUnavailable {
  if (error instanceof StoreUnavailable)
    return new StoreUnavailable(`the store ${placeOf(settings)} ${error.message}`)
  // Our own disk, or our own mistake.
  const { code = '', message } = error as { code?: string; message: string }
  if (!/^(UND_ERR|E[A-Z]|CERT_|ERR_|DEPTH_|SELF_|UNABLE_|HPE_)/.test(code) || ours.has(code)) throw error
  return new StoreUnavailable(`the store ${placeOf(settings)} cannot be reached (${code}: ${message})`, {
    passing: !lasting.test(code),
    cause: error,
  })
}

const ours = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EISDIR',
  'UND_ERR_INVALID_ARG',
])

function placeOf({ bucket, endpoint, region }: S3Settings): string {
  return `s3://${bucket} at ${endpoint ?? `Amazon ${region}`}`
}
