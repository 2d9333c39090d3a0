import type { FileStore } from '../../../platform/file-store.ts'
import { Refused } from '../../../platform/outbound/refused.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { type Claimed, claimImport, releaseImport } from './claim-queries.ts'
import { claimMs } from './import.ts'
import { findImport, moveImport } from './queries.ts'
import { runCheck } from './run-check.ts'
import { runImport } from './run-import.ts'
import { runUndo } from './run-undo.ts'

type Base = Pick<Context, 'db' | 'directories'>

/** Takes up one import that waits to be worked on; false where none does. */
export async function workOnNext(base: Base, store: FileStore, signal: AbortSignal): Promise<boolean> {
  const now = new Date()
  const claimed = await claimImport(base.db, now, new Date(now.getTime() + claimMs))
  if (!claimed) return false
  await workOn(base, store, claimed, signal)
  return true
}

/** Works on a claimed import until its state is another, or until it is to stop. */
export async function workOn(
  base: Base,
  store: FileStore,
  claimed: Claimed,
  signal: AbortSignal,
  onProgress?: (done: number) => void,
): Promise<void> {
  const found = await findImport(base.db, claimed, claimed.id)
  if (!found) return
  try {
    if (found.state === 'checking') await runCheck(base, store, found, signal, onProgress)
    if (found.state === 'running') await runImport(base, store, found, signal, onProgress)
    if (found.state === 'undoing') await runUndo(base, found, signal)
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof Refused)) throw error
    const now = new Date()
    // What a run has made by then can be undone, as that of one that was stopped.
    const state = found.state === 'checking' ? 'failed' : 'stopped'
    await moveImport(base.db, found, state, { claimedUntil: now, endedAt: now, failure: error.message })
  } finally {
    // Whoever comes next need not wait.
    if (signal.aborted) await releaseImport(base.db, { ...claimed, now: new Date() })
  }
}
