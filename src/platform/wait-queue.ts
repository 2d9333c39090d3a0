export class QueueFull extends Error {
  override name = 'QueueFull'
}

/**
 * Lets `concurrency` pieces of work run at once and the others wait in the order they came. Who would
 * be behind `maxWaiting` others is told so at once; who gives up leaves the line.
 */
export function createWaitQueue({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
  const waiting = new Set<() => void>()
  let running = 0

  async function turn(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (running < concurrency) {
      running++
      return
    }
    if (waiting.size >= maxWaiting) throw new QueueFull('too much is waiting already')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      waiting.delete(resolve)
      reject(signal?.reason)
    }
    waiting.add(resolve)
    signal?.addEventListener('abort', leave, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  function leave(): void {
    const [next] = waiting
    if (!next) {
      running--
      return
    }
    // The place is handed over, so that nobody who comes later can slip in.
    waiting.delete(next)
    next()
  }

  return async function inLine<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await turn(signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** A line of its own for each name, kept only while somebody is in it. */
export function createTurns(limits: { concurrency: number; maxWaiting: number }) {
  const lines = new Map<string, { inLine: ReturnType<typeof createWaitQueue>; users: number }>()
  return async function inTurn<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const line = lines.get(name) ?? { inLine: createWaitQueue(limits), users: 0 }
    lines.set(name, line)
    line.users++
    try {
      return await line.inLine(work, signal)
    } finally {
      if (--line.users === 0) lines.delete(name)
    }
  }
}
