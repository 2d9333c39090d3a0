import { currentTime } from '../../../platform/clock.ts'
import { moveOn } from '../../deals/projects/move-stage.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import {
  actorOf,
  type LongJob,
  type LongJobDeps,
  type LongJobKind,
} from '../../journal/long-jobs/long-job.ts'
import { endLongJob } from '../../journal/long-jobs/queries.ts'
import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { lockTenant } from '../../kernel/tenant/clock-queries.ts'
import { listProjectsIn } from './setting-queries.ts'
import { type Emptying, emptyingKind } from './stage-setting.ts'

const atOnce = 25

/** Moves the projects out of a stage that was retired. */
export const emptyingJob: LongJobKind = {
  kind: emptyingKind,
  action: 'ladders.change',
  work,
  stopping() {
    throw new DomainError('invalid', 'A retired stage keeps no projects. Wait until the last has gone.')
  },
}

type EmptyingJob = LongJob & { input: Emptying }

async function* work(deps: LongJobDeps, job: EmptyingJob): AsyncGenerator<number, boolean> {
  const { db, directories } = deps
  const { installerId, subjectId: stageId } = job
  const { to, notifyCustomers } = job.input
  const actor = actorOf(job)
  const moved = new Set<string>()
  for (let done = job.done; ; ) {
    const ids = await listProjectsIn(db, { installerId, stageId, limit: atOnce })
    for (const id of ids) {
      // It would be moved for ever; failed, it waits longer each time.
      if (moved.has(id)) throw new Error(`${id} does not leave its stage`)
      moved.add(id)
      const ctx = { db, directories, actor, now: currentTime() }
      await moveOn(ctx, id, { from: stageId, to, notifyCustomer: notifyCustomers })
    }
    done += ids.length
    if (ids.length < atOnce && (await endEmptied(deps, job, actor))) return true
    yield done
  }
}

/** True where it has ended; false where a project has come in the meantime. */
function endEmptied({ db, directories }: LongJobDeps, job: EmptyingJob, actor: Actor): Promise<boolean> {
  const { installerId, subjectId: stageId } = job
  return db.transaction(async (tx) => {
    await lockTenant(tx, installerId)
    if ((await listProjectsIn(tx, { installerId, stageId, limit: 1 })).length > 0) return false
    const now = currentTime()
    if (!(await endLongJob(tx, { ...job, state: 'done', failure: null, now }))) return true
    const { stages } = await directories.current(tx, installerId)
    await recordSetting(tx, actor, now, {
      type: 'stage.retired',
      companyId: installerId,
      subjectId: stageId,
      name: stages.get(stageId)!.name,
    })
    return true
  })
}
