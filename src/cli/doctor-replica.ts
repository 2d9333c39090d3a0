import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../platform/db.ts'
import { type Examined, examineServer, unfitness } from '../platform/replica/examine.ts'
import { withOpenDatabase } from './with-database.ts'

const patienceMs = 2_000
const againMs = 100

/** Whether lists can be read from the replica that is configured, and how far it is behind. */
export function examineReplica(): Promise<string> {
  return withOpenDatabase(async ({ db, replicaDb }) => {
    const { place } = await examineServer(db)
    const there = await examineAt(replicaDb!, place ?? 0).catch((error: Error) => {
      throw new Error(`it cannot be asked (${error.message}); lists are read from the primary`)
    })
    const isBehind = (there.place ?? 0) < (place ?? 0)
    const behindSeconds = isBehind ? Math.max(0, there.replayedSeconds ?? 0) : 0
    const reason = unfitness(there, await examineServer(db), behindSeconds)
    if (reason !== null) throw new Error(`${reason}; lists are read from the primary`)
    return isBehind ? `${Math.round(behindSeconds)} seconds behind` : 'has what the primary has'
  }, false)
}

/** What is on its way is waited for: only what stays behind is told of. */
async function examineAt(replica: Db, place: number): Promise<Examined> {
  for (const until = performance.now() + patienceMs; ; await sleep(againMs)) {
    const there = await examineServer(replica)
    if (!there.isStandby || (there.place ?? 0) >= place || performance.now() > until) return there
  }
}
