import { setTimeout as sleep } from 'node:timers/promises'
import { type FileStore, StoreUnavailable } from './file-store.ts'

const limitMs = 30_000
const againMs = 500

/** Waits until the store can be used; it may be started at the same moment as we are. */
export async function waitForStore(
  store: FileStore,
  onWait: (message: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const until = performance.now() + limitMs
  for (let warned = false; ; warned = true) {
    signal?.throwIfAborted()
    try {
      return await store.check()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const { message, passing } = error
      if (!passing) throw new Error(`STORAGE_URL cannot be used: ${message}.`, { cause: error })
      if (performance.now() > until) {
        const sentence = `The file store did not answer within ${limitMs / 1000} seconds (${message}).`
        throw new Error(`${sentence} Start it, or correct STORAGE_URL.`, { cause: error })
      }
      if (!warned)
        onWait(
          `the file store cannot be used yet (${message}); waiting for it, ${limitMs / 1000} seconds at most`,
        )
    }
    await sleep(againMs, undefined, { ...(signal ? { signal } : {}) })
  }
}
