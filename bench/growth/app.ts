import type { Deps } from '../../src/api/deps.ts'
import { openBenchApp } from '../app.ts'
import { createRecorder, type Recorder } from './recording.ts'
import { type GrowthTenant, password, type Reader } from './tenant.ts'

/** The server's own parts over a database whose statements are kept. */
export interface GrowthApp {
  deps: Deps
  recorder: Recorder
  /** A call by key or by session. */
  get(path: string, by: { key: string } | { reader: Reader }): Promise<string>
  post(path: string, body: object, by: { key: string }): Promise<string>
  close(): Promise<void>
}

export async function openGrowthApp(url: string, tenant: GrowthTenant): Promise<GrowthApp> {
  const recorder = createRecorder()
  const { deps, baseUrl, close } = await openBenchApp(url, recorder.watch)
  const cookies = new Map<Reader, string>()

  async function signIn(reader: Reader): Promise<string> {
    const known = cookies.get(reader)
    if (known) return known
    const response = await fetch(`${baseUrl}/console/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email: tenant.people[reader].email, password }),
    })
    if (response.status !== 200)
      throw new Error(`could not sign in: ${response.status} ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    cookies.set(reader, cookie)
    return cookie
  }

  async function call(path: string, options: RequestInit): Promise<string> {
    const response = await fetch(`${baseUrl}${path}`, options)
    const body = await response.text()
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}: ${body.slice(0, 300)}`)
    return body
  }

  return {
    deps,
    recorder,
    async get(path, by) {
      const headers =
        'key' in by
          ? { authorization: `Bearer ${by.key}` }
          : { cookie: await signIn(by.reader), 'x-sunstead-console': '1' }
      return call(path, { headers })
    },
    post: (path, body, { key }) =>
      call(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    close,
  }
}
