import { moveOn } from '../../deals/projects/move-stage.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import type { Actor, Context } from '../../kernel/context.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { listProjectsIn, listStagesToEmpty, markEmptied, type StageToEmpty } from './setting-queries.ts'

type Base = Pick<Context, 'db' | 'directories'>

const atOnce = 50

/** Moves the next projects out of each retired stage; true where some are left. */
export async function emptyStages(base: Base, signal: AbortSignal): Promise<boolean> {
  let left = false
  let failure: unknown
  for (const stage of await listStagesToEmpty(base.db, {})) {
    if (signal.aborted) return false
    try {
      left = (await emptyOne(base, stage, signal)) || left
    } catch (error) {
      // What one stage fails for must not hold up the others.
      failure = error
    }
  }
  if (failure) throw failure
  return left
}

async function emptyOne(base: Base, stage: StageToEmpty, signal: AbortSignal): Promise<boolean> {
  const { to, notifyCustomers } = stage.emptying
  const actor = actorOf(stage)
  const ids = await listProjectsIn(base.db, { ...stage, limit: atOnce })
  for (const id of ids) {
    if (signal.aborted) return false
    await moveOn({ ...base, actor, now: new Date() }, id, {
      from: stage.id,
      to,
      notifyCustomer: notifyCustomers,
    })
  }
  if (ids.length === atOnce) return true
  await base.db.transaction(async (tx) => {
    await lockTenant(tx, stage.installerId)
    const someLeft = (await listProjectsIn(tx, { ...stage, limit: 1 })).length > 0
    if (someLeft || !(await markEmptied(tx, stage))) return
    await recordSetting(tx, actor, new Date(), {
      type: 'stage.retired',
      companyId: stage.installerId,
      subjectId: stage.id,
      name: stage.name,
    })
  })
  return false
}

/** Whoever retired the stage. */
function actorOf({ installerId, emptying }: StageToEmpty): Actor {
  return {
    kind: 'member',
    id: emptying.memberId,
    name: emptying.memberName,
    installerId,
    companyId: installerId,
    companyKind: 'installer',
    canWrite: true,
  }
}
