import { ApiError } from './api-error.ts'
import { isPassing, pause, waitMs } from './retry.ts'

/** A file as it comes. */
export interface Download {
  /** Goes on by itself where a connection is cut, if the server can send the rest. */
  stream: ReadableStream<Uint8Array>
  /** Bytes; null where the server does not say. */
  size: number | null
  type: string
  /** As the server names it; null where it does not. */
  name: string | null
}

interface Limits {
  timeoutMs: number
  maxRetries: number
  signal?: AbortSignal | undefined
}

/** Asks for the same once more, from a byte on. */
type Reopen = (headers: Record<string, string>) => Promise<Response>

export function downloadOf(response: Response, reopen: Reopen, limits: Limits): Download {
  const { headers } = response
  const length = headers.get('content-length')
  // Of what came packed, the length is not that of what is read here.
  const size = length === null || headers.has('content-encoding') ? null : Number(length)
  const name = /filename\*=UTF-8''([^;]+)/i.exec(headers.get('content-disposition') ?? '')?.[1]
  return {
    stream: streamOf(response, size, reopen, limits),
    size,
    type: headers.get('content-type') ?? 'application/octet-stream',
    name: name === undefined ? null : decodeURIComponent(name),
  }
}

function streamOf(
  first: Response,
  size: number | null,
  reopen: Reopen,
  { timeoutMs, maxRetries, signal }: Limits,
): Download['stream'] {
  const etag = first.headers.get('etag')
  const canGoOn = size !== null && etag !== null && first.headers.get('accept-ranges') === 'bytes'
  let reader = first.body?.getReader()
  let offset = 0
  /** Attempts since the last byte came. */
  let failures = 0

  async function read(): Promise<Uint8Array | null> {
    const { done, value } = await within(timeoutMs, signal, reader!.read())
    if (!done) return value
    if (size !== null && offset < size) throw new Error(`${offset} of ${size} bytes came`)
    return null
  }

  /** The rest of the same contents, or nothing. */
  async function goOn(): Promise<void> {
    await reader?.cancel().catch(() => {})
    const rest = await reopen({ range: `bytes=${offset}-` })
    const range = rest.headers.get('content-range') ?? ''
    if (rest.status !== 206 || rest.headers.get('etag') !== etag || !range.startsWith(`bytes ${offset}-`)) {
      await rest.body?.cancel()
      throw new ApiError({
        code: 'unexpected_response',
        message: 'The file changed while it was being read.',
      })
    }
    reader = rest.body!.getReader()
  }

  async function next(): Promise<Uint8Array | null> {
    for (let isOpen = true; ; ) {
      try {
        if (!isOpen) await goOn()
        isOpen = true
        const chunk = await read()
        if (chunk) {
          offset += chunk.length
          failures = 0
        }
        return chunk
      } catch (failure) {
        signal?.throwIfAborted()
        const error = failure instanceof ApiError ? failure : cut(failure)
        error.attempts = ++failures
        if (!canGoOn || !isPassing(error) || failures > maxRetries) throw error
        await pause(waitMs(failures, error.retryAfter), signal)
        isOpen = false
      }
    }
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = reader ? await next() : null
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
    async cancel(reason) {
      await reader?.cancel(reason)
    },
  })
}

const cut = (cause: unknown) =>
  new ApiError({ code: 'connection_failed', message: 'The file was cut off.', cause })

/** A connection that brings nothing for so long is as good as cut. */
function within<T>(ms: number, signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      end()
      reject(reason)
    }
    const aborted = () => fail(signal!.reason)
    const timer = setTimeout(() => fail(new Error(`nothing came for ${ms} ms`)), ms)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
    }
    signal?.addEventListener('abort', aborted, { once: true })
    work.then((value) => {
      end()
      resolve(value)
    }, fail)
  })
}
