import { setTimeout as pause } from 'node:timers/promises'

interface Pass {
  done: Promise<void>
  /** Once it has begun, it may have looked too early for who comes now. */
  begun: boolean
  next: Promise<void> | null
}

// Each write asks for its events to be handed out; in a busy tenant many share a pass.
const betweenMs = 50

/**
 * Hands out the events of each tenant, one pass at a time. Who asks during a pass gets one that begins
 * after it, together with all others who ask meanwhile.
 */
export function createDispatcher(
  dispatchMessages: (installerId: string) => Promise<void>,
): (installerId: string) => Promise<void> {
  const passes = new Map<string, Pass>()

  function begin(installerId: string, waitMs: number): Promise<void> {
    const pass: Pass = { done: Promise.resolve(), begun: false, next: null }
    const run = async () => {
      if (waitMs > 0) await pause(waitMs)
      pass.begun = true
      await dispatchMessages(installerId)
    }
    passes.set(installerId, pass)
    pass.done = run().finally(() => {
      if (passes.get(installerId) === pass && pass.next === null) passes.delete(installerId)
    })
    return pass.done
  }

  return (installerId) => {
    const pass = passes.get(installerId)
    if (!pass) return begin(installerId, 0)
    if (!pass.begun) return pass.done
    const after = () => begin(installerId, betweenMs)
    pass.next ??= pass.done.then(after, after)
    return pass.next
  }
}
