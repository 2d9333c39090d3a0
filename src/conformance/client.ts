import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { Failed } from './outcome.ts'

export interface Answer {
  /** The call, as it is named in a failure. */
  what: string
  status: number
  headers: Record<string, string>
  text: string
  /** Undefined where the body is no JSON. */
  json: unknown
}

export interface Call {
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string
  headers?: Record<string, string>
  /** Null sends no key. */
  authorization?: string | null
  /** A 429 is answered as it is, not waited for. */
  keepLimited?: boolean
}

export interface Client {
  send(method: string, url: string, call: Call): Promise<Answer>
  /** From now on it heeds no signal and waits for no limit: what is left is to remove what was made. */
  finish(): void
  close(): Promise<void>
}

export interface ClientOptions {
  timeoutMs: number
  signal: AbortSignal
  /** Progress for people. */
  note: (line: string) => void
}

const maxBodyBytes = 16 * 1024 * 1024
const maxWaits = 5
/** Where a 429 does not say how long. */
const usualWaitSeconds = 60
const maxWaitSeconds = 120
/** A server that answered none of so many calls in a row is asked no more: each would take the whole time limit. */
const maxSilent = 10

/** Calls any server: whatever it answers or does not answer becomes an answer or a `Failed` in time. */
export function createClient({ timeoutMs, signal, note }: ClientOptions): Client {
  const agent = new Agent({ connections: 16, connectTimeout: timeoutMs, maxHeaderSize: 64 * 1024 })
  let silent = 0
  let finishing = false

  async function once(what: string, method: string, url: string, call: Call): Promise<Answer> {
    if (silent >= maxSilent)
      throw new Failed(`${what}: not sent, as the last ${maxSilent} calls had no answer`)
    try {
      const answer = await exchange(what, method, url, call)
      silent = 0
      return answer
    } catch (error) {
      if (!finishing) signal.throwIfAborted()
      silent++
      throw new Failed(`${what}: ${reason(error as Error, timeoutMs)}`)
    }
  }

  async function exchange(what: string, method: string, url: string, call: Call): Promise<Answer> {
    const { origin, pathname, search } = new URL(url)
    const body = call.raw ?? (call.body === undefined ? null : JSON.stringify(call.body))
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: method as 'GET',
      headers: {
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(call.authorization ? { authorization: call.authorization } : {}),
        ...call.headers,
      },
      body,
      signal: AbortSignal.any([...(finishing ? [] : [signal]), AbortSignal.timeout(timeoutMs)]),
    })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response.body) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) throw new Error(`answered more than ${maxBodyBytes} bytes`)
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks).toString()
    const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
    return {
      what,
      status: response.statusCode,
      headers: Object.fromEntries(headers),
      text,
      json: parsed(text),
    }
  }

  async function send(method: string, url: string, call: Call): Promise<Answer> {
    const what = `${method} ${new URL(url).pathname}${new URL(url).search}`.slice(0, 300)
    for (let waits = 0; ; waits++) {
      const answer = await once(what, method, url, call)
      if (answer.status !== 429 || call.keepLimited || finishing || waits === maxWaits) return answer
      const seconds = waitSeconds(answer.headers['retry-after'])
      note(`The server's rate limit is reached; waiting ${seconds} s.`)
      await wait(seconds * 1000, undefined, { signal })
    }
  }

  const finish = () => {
    finishing = true
  }
  return { send, finish, close: () => agent.destroy() }
}

function waitSeconds(retryAfter: string | undefined): number {
  const told = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : usualWaitSeconds
  return Math.min(Math.max(told, 1), maxWaitSeconds)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reason(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError' || error.code === 'UND_ERR_CONNECT_TIMEOUT')
    return `no whole answer within ${timeoutMs / 1000} s`
  return `no whole answer (${error.code ? `${error.code}: ` : ''}${error.message || error.name})`
}
