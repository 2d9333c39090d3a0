import { ApiError, api, changeHeaders, newKey, refuseAway, surely } from './client.ts'
import { noteLost } from './connection.ts'

interface Upload {
  path: string
  file: File
  onProgress: (percent: number) => void
  signal?: AbortSignal
  /** What is said where it was cut off. */
  cut: string
}

/** Sends a file, saying how far it is. Where the session has ended, the person signs in and it is sent again. */
export async function upload<T>(sending: Upload): Promise<T> {
  const key = newKey()
  for (;;) {
    const { status, answer } = await surely(async () => {
      const sent = await put(sending, key)
      await refuseAway(sent.status)
      return sent
    })
    if (status === 200 || status === 201) return answer as T
    const { code = 'internal', message = sending.cut } = (answer as { error?: ApiError } | null)?.error ?? {}
    if (status !== 401) throw new ApiError(status, code, message)
    // The sign-in that this call asks for is what the upload waits for.
    await api.get('/session')
  }
}

/** By XMLHttpRequest: fetch does not say how much of a body has been sent. */
function put({ path, file, onProgress, signal, cut }: Upload, key: string) {
  return new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    request.open('PUT', `/console/api${path}`)
    for (const [header, value] of Object.entries(changeHeaders())) request.setRequestHeader(header, value)
    request.setRequestHeader('idempotency-key', key)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.floor((loaded / total) * 100))
    request.onload = () => resolve({ status: request.status, answer: request.response })
    request.onerror = () => {
      noteLost()
      reject(new ApiError(0, 'offline', cut))
    }
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
