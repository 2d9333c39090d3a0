import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'

export interface Call {
  /** Of what kind, for what must be well again. */
  kind: string
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: object
}

/** Null: the connection broke, or nobody was there; whether it was done is not known. */
// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the load finds out
export type Answer = { status: number; body: any } | null

export interface Tally {
  answered: number
  refused: number
  unanswered: number
}

export interface Caller {
  /** 2xx, a refusal for the moment (503), or null. Everything else is noted as wrong, and null. */
  call(call: Call): Promise<Answer>
  tally: Tally
  /** What no caller should ever get. */
  wrong: string[]
  /** When a call of this kind that succeeded was begun, the last of them, by `performance.now()`. */
  lastGood: Map<string, number>
  /** Breaks off what is under way. */
  close(): Promise<void>
}

/** A caller gives up and says so: a call that takes longer hangs. */
const patienceMs = 30_000
const pauseMs = 50

/** The side of those who call: counts, and keeps what is wrong with the answers. */
export function createCaller(origin: string): Caller {
  const agent = new Agent({ connections: 32, headersTimeout: patienceMs, bodyTimeout: patienceMs })
  const tally: Tally = { answered: 0, refused: 0, unanswered: 0 }
  const wrong: string[] = []
  const lastGood = new Map<string, number>()

  async function call({ kind, method, path, headers, body }: Call): Promise<Answer> {
    const begun = performance.now()
    const where = `${method} ${path.split('?')[0]}`
    let status: number
    let text: string
    try {
      const answer = await agent.request({
        origin,
        path,
        method,
        headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
        body: body ? JSON.stringify(body) : null,
      })
      status = answer.statusCode
      text = await answer.body.text()
    } catch (error) {
      tally.unanswered++
      const { code } = error as { code?: string }
      if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
        wrong.push(`${where}: no answer within ${patienceMs / 1_000} s`)
      await sleep(pauseMs)
      return null
    }
    tally.answered++
    if (status === 503) {
      tally.refused++
      // Sooner than it asks for: what is wanted is the moment at which it passes.
      await sleep(pauseMs)
      return { status, body: null }
    }
    if (status >= 300) {
      wrong.push(`${where}: ${status} ${text.slice(0, 300)}`)
      return null
    }
    lastGood.set(kind, Math.max(begun, lastGood.get(kind) ?? 0))
    return { status, body: parsed(text) }
  }
  return { call, tally, wrong, lastGood, close: () => agent.destroy() }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
