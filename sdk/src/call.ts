/** What may be said beside a call's parameters. */
export interface CallOptions {
  /** Ends the call and its waits; what is thrown is the signal's reason. */
  signal?: AbortSignal | undefined
  /** Of one attempt; the client's own when absent. */
  timeoutMs?: number | undefined
  /** How often it is tried again; the client's own when absent. */
  maxRetries?: number | undefined
  /** Of a POST: made when absent. Give your own to send the same call again later, from another process, within 24 hours. */
  idempotencyKey?: string | undefined
  /** Of a change: the `etag` of what was read. Outdated, the change is 412 and nothing is written. */
  ifMatch?: string | undefined
  /** Of a single read: the `etag` of what you have. Where nothing changed, an ApiError `not_modified` is thrown. */
  ifNoneMatch?: string | undefined
  /** Of a change or a set: says that doing it twice harms nobody, so it is tried again as reads are. */
  repeatable?: boolean | undefined
  /** Sent along. */
  headers?: Record<string, string> | undefined
}

export interface ApiResponse<T> {
  data: T
  status: number
  headers: Headers
  requestId: string | null
  /** What `ifMatch` takes, where the record has one. */
  etag: string | null
  /** Whether this is the answer to an earlier attempt. */
  replayed: boolean
  attempts: number
}

/** A call under way: await it for what was answered, or `withResponse()` for what came with it. */
export interface ApiCall<T> extends Promise<T> {
  withResponse(): Promise<ApiResponse<T>>
}

export type ItemOf<Page> = Page extends { data: (infer Item)[] } ? Item : never

/** A list: await it for its first page, or go through all of it by `for await`, item by item or page by page. */
export interface ListCall<Page> extends ApiCall<Page>, AsyncIterable<ItemOf<Page>> {
  pages(): AsyncIterable<Page>
}

export function apiCall<T>(answered: Promise<ApiResponse<T>>): ApiCall<T> {
  const data = answered.then((response) => response.data)
  return Object.assign(data, {
    withResponse() {
      // Who asks for it this way hears of a failure this way.
      data.catch(() => {})
      return answered
    },
  })
}
