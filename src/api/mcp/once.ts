import { createHash } from 'node:crypto'
import {
  type Answer,
  AnsweredBefore,
  bodyOf,
  type Call,
  claimCall,
  keepAnswer,
  requireFirst,
} from '../../domain/journal/idempotency/call.ts'
import { lockTenant } from '../../domain/kernel/tenant/clock-queries.ts'
import { currentTime } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db.ts'
import { createTurns } from '../../platform/wait-queue.ts'
import { withSavepoints } from '../../platform/within-transaction.ts'
import type { ToolCall } from './tool.ts'

const maxWaiting = 200
// A tenant's transactions wait for each other anyway: here they keep no connection that others need.
const inTurn = createTurns({ concurrency: 1, maxWaiting })

/** Does work in one transaction under the tenant's lock: nothing can come between. */
export function inTransaction<T>(
  { deps, ctx: { actor }, gone }: ToolCall,
  work: (db: Database, tx: Db) => Promise<T>,
): Promise<T> {
  const { installerId } = actor
  const run = async (tx: Db) => {
    await lockTenant(tx, installerId)
    return work(withSavepoints(tx), tx)
  }
  return inTurn(installerId, () => deps.db.transaction(run), gone())
}

/** Carries what was done out of a transaction that is taken back. */
class TakenBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super('taken back')
    this.result = result
  }
}

/** What work comes to, as it would be done now; nothing of it stays. */
export async function withoutEffect<T>(call: ToolCall, work: (call: ToolCall) => Promise<T>): Promise<T> {
  const { ctx, deps } = call
  try {
    // In the middle of a transaction it is a part of that.
    if (ctx.db !== deps.db)
      return await ctx.db.transaction(async (): Promise<never> => {
        throw new TakenBack(await work(call))
      })
    return await inTransaction(call, async (db): Promise<never> => {
      throw new TakenBack(await work({ ...call, ctx: { ...ctx, db } }))
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T
    throw error
  }
}

/** Of the same tool and arguments, in whatever order these come. What was proposed is not what another key does. */
function requestHashOf(tool: string, args: object, proposes: boolean): string {
  return createHash('sha256')
    .update(JSON.stringify(['mcp', tool, args, ...(proposes ? ['proposed'] : [])], sortedKeys))
    .digest('hex')
}

function sortedKeys(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export interface Keyed {
  key: string
  tool: string
  args: object
  kept: 'together' | 'claimed'
}

export interface Work {
  run(call: ToolCall): Promise<Answer>
  /** What it is refused with, where that is its answer as long as it stays the same call; null where it may pass later. */
  refusalOf(error: unknown): Answer | null
}

/** Does the work of a call that names a key once; the same call again is answered as the first was. */
export async function once(
  toolCall: ToolCall,
  { key, tool, args, kept }: Keyed,
  { run, refusalOf }: Work,
): Promise<{ body: string; replayed: boolean }> {
  const { deps, ctx, gone } = toolCall
  const { installerId, companyId } = ctx.actor
  const requestHash = requestHashOf(tool, args, ctx.actor.agent?.proposes ?? false)
  const call: Call = { installerId, companyId, key, requestHash, claim: null, kept: false }
  // Whose record it was about stands beside the answer, also where that does not say: an erasure finds it by this.
  const more = { ids: idsIn(args) }

  async function answered(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return { ...(await work()), more }
    } catch (error) {
      const answer = refusalOf(error)
      if (!answer) throw error
      return { ...answer, more }
    }
  }

  function together(): Promise<Answer> {
    return inTransaction(toolCall, async (db, tx) => {
      await requireFirst(tx, call, currentTime())
      // What is refused half-way takes back what it did, and its refusal is kept all the same.
      const work = () => db.transaction(() => run({ ...toolCall, ctx: { ...ctx, db } }))
      const answer = await answered(work)
      await keepAnswer(tx, call, answer, null, currentTime())
      return answer
    })
  }

  async function claimed(): Promise<Answer> {
    const claim = await claimCall(deps.db, call, gone())
    try {
      const answer = await answered(() => run(toolCall))
      await claim.finish(answer, null)
      return answer
    } catch (error) {
      // Where even this cannot be said it ends by itself.
      await claim.release().catch(() => {})
      throw error
    } finally {
      claim.stop()
    }
  }

  try {
    const { body } = await (kept === 'claimed' ? claimed() : together())
    return { body, replayed: false }
  } catch (error) {
    if (!(error instanceof AnsweredBefore)) throw error
    return { body: bodyOf(call, error.kept, deps.box), replayed: true }
  }
}

const idForm = /^[a-z]+_[0-9a-z]+$|^[0-9A-Za-z]{10}$/

function idsIn(args: object): string[] {
  return Object.values(args).filter(
    (value): value is string => typeof value === 'string' && idForm.test(value),
  )
}
