import type { Uploaded } from '../../../src/api/console/uploads.ts'
import { ApiError, api, changeHeaders, query } from '../../api/client.ts'
import { files as texts } from '../../texts/en/files.ts'

export interface Sending {
  projectId: string
  folder: string
  file: File
  onProgress: (percent: number) => void
  signal: AbortSignal
}

/** Sends a file, saying how far it is. Where the session has ended, the person signs in and it is sent anew. */
export async function sendFile(sending: Sending): Promise<Uploaded> {
  for (;;) {
    const { status, answer } = await put(sending)
    if (status === 200 || status === 201) return answer as Uploaded
    const { code = 'internal', message = texts.cut } = (answer as { error?: ApiError } | null)?.error ?? {}
    if (status !== 401) throw new ApiError(status, code, message)
    // The sign-in that this call asks for is what the upload waits for.
    await api.get('/session')
  }
}

/** By XMLHttpRequest: fetch does not say how much of a body has been sent. */
function put({ projectId, folder, file, onProgress, signal }: Sending) {
  return new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const name = file.name.slice(-200)
    request.open('PUT', `/console/api/projects/${projectId}/files${query({ folder, name })}`)
    for (const [header, value] of Object.entries(changeHeaders())) request.setRequestHeader(header, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.floor((loaded / total) * 100))
    request.onload = () => resolve({ status: request.status, answer: request.response })
    request.onerror = () => reject(new ApiError(0, 'offline', texts.cut))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}
