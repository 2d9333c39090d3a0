import net from 'node:net'

/** A stream of requests to one server. */
export interface Workload {
  port: number
  /** The next request, head and body. */
  next(): string
  status: number
  /** An answer shorter than this is a failure. */
  minBytes: number
  /** A short answer must hold this. */
  holds?: string
}

export interface Load {
  requests: number
  seconds: number
  latenciesMs: number[]
}

interface Bounds {
  connections: number
  ms?: number
  /** Requests in all. */
  count?: number
}

const silenceLimitMs = 20_000

/**
 * Keeps `connections` busy, one request at a time each, until the time or the count is over. HTTP is
 * written by hand: a client library would take more of the machine than the servers it measures.
 */
export async function runLoad(workload: Workload, bounds: Bounds): Promise<Load> {
  const { connections, ms = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = bounds
  const opened = await Promise.all(
    Array.from({ length: Math.min(connections, count) }, () => connect(workload)),
  )
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const until = startedAt + ms
  let begun = 0
  const loops = opened.map(
    ({ socket, answers }) =>
      new Promise<void>((resolve, reject) => {
        let sentAt = 0
        const send = () => {
          sentAt = performance.now()
          if (sentAt >= until || begun >= count) return resolve()
          begun++
          socket.write(workload.next(), 'latin1')
        }
        answers.done = () => {
          const now = performance.now()
          if (now <= until) latenciesMs.push(now - sentAt)
          send()
        }
        socket.on('error', reject)
        socket.on('close', () => reject(new Error(`port ${workload.port} closed a connection`)))
        socket.setTimeout(silenceLimitMs, () => socket.destroy(new Error('no answer in time')))
        send()
      }),
  )
  try {
    await Promise.all(loops)
    const endedAt = Math.min(performance.now(), until)
    return { requests: latenciesMs.length, seconds: (endedAt - startedAt) / 1000, latenciesMs }
  } finally {
    for (const { socket } of opened) socket.destroy()
  }
}

function connect(workload: Workload): Promise<{ socket: net.Socket; answers: Answers }> {
  return new Promise((resolve, reject) => {
    const answers = readAnswers(workload, (problem) => socket.destroy(new Error(problem)))
    const socket: net.Socket = net.connect({
      port: workload.port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all that comes: nothing is allocated for an answer.
      onread: { buffer: Buffer.allocUnsafe(65_536), callback: answers.read },
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve({ socket, answers })
    })
  })
}

const lengthHeader = /\r\ncontent-length: *(\d+)/i

interface Answers {
  read(length: number, buffer: Uint8Array): boolean
  /** Called at the end of each answer. */
  done(): void
}

function readAnswers(workload: Workload, fail: (problem: string) => void): Answers {
  let pending: Buffer | null = null
  let missing = 0
  const count = (length: number) => {
    missing -= length
    if (missing === 0) answers.done()
    else if (missing < 0) fail('the answer is longer than it says')
  }
  const answers: Answers = {
    done: () => {},
    read(length, buffer) {
      if (missing > 0) {
        count(length)
        return true
      }
      const received = (buffer as Buffer).subarray(0, length)
      const chunk: Buffer = pending === null ? received : Buffer.concat([pending, received])
      const headEnd = chunk.indexOf('\r\n\r\n')
      if (headEnd < 0) {
        pending = Buffer.from(chunk)
        return true
      }
      pending = null
      const head = chunk.toString('latin1', 0, headEnd)
      const contentLength = Number(lengthHeader.exec(head)?.[1])
      const problem = problemOf(workload, head, contentLength, chunk, headEnd + 4)
      if (problem) {
        fail(problem)
        return false
      }
      missing = contentLength
      count(chunk.length - headEnd - 4)
      return true
    },
  }
  return answers
}

function problemOf(
  workload: Workload,
  head: string,
  length: number,
  chunk: Buffer,
  bodyStart: number,
): string | null {
  const { status, minBytes, holds } = workload
  const good =
    head.startsWith(String(status), 9) &&
    length >= minBytes &&
    (holds === undefined || chunk.includes(holds, bodyStart))
  if (good) return null
  const shown = chunk.toString('utf8', 0, 1500)
  return `port ${workload.port} was to answer ${status} with ${minBytes} bytes or more:\n${shown}`
}

/** The whole answer to one request, for what is not measured. */
export async function ask(
  port: number,
  path: string,
  key?: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(silenceLimitMs),
  })
  return { status: answer.status, text: await answer.text() }
}
