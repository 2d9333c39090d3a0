const descriptions: Record<number, string> = {
  400: '`invalid`: the request is not valid',
  401: '`unauthorized`: the key is not good',
  403: '`forbidden`: not for this key',
  404: '`not_found`: no such record of yours',
  412: '`invalid`: the record has changed since it was read with this `If-Match`',
  429: '`rate_limited`: more than 100 calls in a minute',
  500: '`internal`: our side failed',
  503: '`unavailable`: not just now',
}

const requestId = { 'X-Request-Id': { type: 'string', description: 'Names this call when you report it' } }
const retryAfter = {
  'Retry-After': { type: 'integer', minimum: 1, description: 'Seconds after which to retry' },
}

/** A body that is not JSON, by its content type. */
interface Media {
  media: string
}

/** The answers of an endpoint: its successes by schema name (null: no body), and the errors it may give. */
export function answers(
  successes: Record<number, [body: string | Media | null, description: string]>,
  errors: number[],
): object {
  const responses: Record<number, object> = {}
  for (const [status, [body, description]] of Object.entries(successes)) {
    responses[Number(status)] = { description, headers: requestId, ...described(body) }
  }
  for (const status of [...errors, 401, 429, 500, 503]) {
    const headers = status === 429 || status === 503 ? { ...requestId, ...retryAfter } : requestId
    responses[status] = { description: descriptions[status], headers, $ref: 'ErrorResponse#' }
  }
  return responses
}

function described(body: string | Media | null): object {
  if (body === null) return { type: 'null' }
  if (typeof body === 'string') return { $ref: `${body}#` }
  return { content: { [body.media]: { schema: { type: 'string', format: 'binary' } } } }
}
