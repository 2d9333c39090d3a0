import { ApiError, api, changeHeaders, query } from '../../../api/client.ts'
import { imports as texts } from '../../../texts/en/imports.ts'

/** Sends a file, saying how far it is. Where the session has ended, the person signs in and it is sent anew. */
export async function sendTable(file: File, onProgress: (percent: number) => void): Promise<{ id: string }> {
  for (;;) {
    const { status, answer } = await put(file, onProgress)
    if (status === 201) return answer as { id: string }
    const { code = 'internal', message = texts.cut } = (answer as { error?: ApiError } | null)?.error ?? {}
    if (status !== 401) throw new ApiError(status, code, message)
    // The sign-in that this call asks for is what the upload waits for.
    await api.get('/session')
  }
}

/** By XMLHttpRequest: fetch does not say how much of a body has been sent. */
function put(file: File, onProgress: (percent: number) => void) {
  return new Promise<{ status: number; answer: unknown }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', `/console/api/imports${query({ name: file.name.slice(-200) })}`)
    for (const [header, value] of Object.entries(changeHeaders())) request.setRequestHeader(header, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(Math.floor((loaded / total) * 100))
    request.onload = () => resolve({ status: request.status, answer: request.response })
    request.onerror = () => reject(new ApiError(0, 'offline', texts.cut))
    request.send(file)
  })
}
