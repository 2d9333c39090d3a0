/** Told how long was waited, in seconds. */
export interface WaitObserver {
  /** For a connection that nobody else uses. */
  connection(pool: string, seconds: number): void
  /** For the answer to a statement that shares its connection. */
  shared(kind: 'read' | 'write', seconds: number): void
}

/** Looking at the clock for each statement would cost more than what is learnt by it. */
const sampledStatements = 32

/** Measures waits for the database once somebody wants to know of them. */
export function createWaits() {
  let observer: WaitObserver | null = null
  let asked = 0
  return {
    observe(given: WaitObserver): void {
      observer = given
    },
    /** Of one statement in 32. */
    shared<T>(kind: 'read' | 'write', answer: Promise<T>): Promise<T> {
      if (observer === null || ++asked % sampledStatements > 0) return answer
      const since = performance.now()
      const done = () => observer?.shared(kind, (performance.now() - since) / 1000)
      answer.then(done, done)
      return answer
    },
    /** What it answers is called when the connection is there. */
    connection(pool: string): () => void {
      if (observer === null) return () => {}
      const since = performance.now()
      return () => observer?.connection(pool, (performance.now() - since) / 1000)
    },
  }
}
