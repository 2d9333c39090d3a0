import { OutboundRefused, OutboundUnavailable, Refused } from './refused.ts'

/** What other servers and the way to them may suffer from for a while. */
const passing: [RegExp, string][] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'leads to a server that took too long to accept a connection'],
  [
    /^(EAI_AGAIN|EAI_FAIL|ESERVFAIL|EREFUSED|ETIMEOUT|ECANCELLED|EBADRESP)$/,
    'has a host name that could not be looked up just now',
  ],
  [/^ECONNREFUSED$/, 'leads to a server that refused the connection'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'leads to a server that could not be reached'],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'leads to a server that broke off the connection before the end',
  ],
]

/** What stays so until somebody changes it. */
const lasting: [RegExp, string][] = [
  [/^(ENOTFOUND|ENODATA|EAI_|EBADNAME|EFORMERR)/, 'has a host name that could not be found'],
  [
    /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERROR_IN_CERT)/,
    'leads to a server whose certificate could not be verified',
  ],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'leads to a server that does not speak TLS as it should'],
  [/^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW)/, 'leads to a server whose answer is not valid HTTP'],
]

/**
 * Turns a network failure into words for the caller, without any address of the network we stand in.
 * What is not the other side's doing (our disk, our own mistakes) comes back as it is.
 */
export function explainOutboundFailure(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof Refused) return error
  if (signal.aborted) return signal.reason
  if (!(error instanceof Error)) return error
  // Some answers that are no HTTP have a name only.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  const said = (messages: [RegExp, string][]) => messages.find(([pattern]) => pattern.test(code))?.[1]
  const forNow = said(passing)
  if (forNow) return new OutboundUnavailable(forNow, { cause: error })
  const forGood = said(lasting)
  return forGood ? new OutboundRefused(forGood, { cause: error }) : error
}
