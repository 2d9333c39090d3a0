import type { Agent, Dispatcher } from 'undici'
import { explainOutboundFailure } from './failure.ts'
import { OutboundRefused } from './refused.ts'

export type PostOptions = {
  headers: Record<string, string>
  body: string
  /** Bounds the whole exchange, also the waiting for a connection. */
  timeLimitMs: number
  /** How much of an answer is kept; a longer one is broken off. */
  keptBytes: number
  givenUp: AbortSignal
}

export type PostAnswer = {
  status: number
  /** How the answer begins. What goes wrong after the status has come changes nothing. */
  beginning: Buffer
}

/** Posts to an address whose form was checked, and follows no redirect. Without streams or a signal of its own. */
export function post(agent: Agent, url: URL, call: PostOptions): Promise<PostAnswer> {
  const { headers, body, timeLimitMs, keptBytes, givenUp } = call
  return new Promise((resolve, reject) => {
    let status = 0
    let bytes = 0
    const parts: Buffer[] = []
    let controller: Dispatcher.DispatchController | null = null
    let over = false
    let brokenOff: Error | null = null

    const settle = (error: unknown) => {
      if (over) return
      over = true
      clearTimeout(timer)
      givenUp.removeEventListener('abort', giveUp)
      if (status > 0 && !givenUp.aborted) resolve({ status, beginning: joined(parts) })
      else reject(explainOutboundFailure(error, givenUp))
    }
    const breakOff = (reason: Error) => {
      brokenOff = reason
      settle(reason)
      controller?.abort(reason)
    }
    const giveUp = () => breakOff(givenUp.reason)
    const timer = setTimeout(
      () => breakOff(new OutboundRefused(`took longer than ${timeLimitMs / 1000} seconds to answer`)),
      timeLimitMs,
    )
    if (givenUp.aborted) return giveUp()
    givenUp.addEventListener('abort', giveUp)

    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started
          if (brokenOff) started.abort(brokenOff)
        },
        onResponseStart(_controller, code) {
          if (code >= 200) status = code
        },
        onResponseData(_controller, part) {
          parts.push(part)
          bytes += part.length
          if (bytes >= keptBytes) breakOff(new Error('the rest of the answer is not wanted'))
        },
        onResponseEnd: () => settle(null),
        onResponseError: (_controller, error) => settle(error),
      },
    )
  })
}

const nothing = Buffer.alloc(0)

function joined(parts: Buffer[]): Buffer {
  if (parts.length > 1) return Buffer.concat(parts)
  return parts[0] ?? nothing
}
