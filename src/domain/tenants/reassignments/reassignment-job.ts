import { currentTime } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import { commitChange, runLockedChange } from '../../deals/changes/commit-change.ts'
import { findLeadDeal } from '../../deals/changes/deal.ts'
import { recordSetting } from '../../journal/audit/record-setting.ts'
import { actorOf, type LongJobDeps, type LongJobKind } from '../../journal/long-jobs/long-job.ts'
import { endLongJob, isRunning } from '../../journal/long-jobs/queries.ts'
import { insertNotifications } from '../../journal/notifications/queries.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { takeTimes } from '../../kernel/tenant/clock-queries.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { listOpenWork } from './queries.ts'
import { reassignDeal } from './reassign-deal.ts'
import { type Reassignment, reassignmentKind } from './reassignment.ts'

/** So many records are written while the tenant's lock is held, which is a tenth of a second. */
const atOnce = 50

/** Lets the open work of a member go to another. */
export const reassignmentJob: LongJobKind = {
  kind: reassignmentKind,
  action: 'work.reassign',
  work,
  async stopping(ctx, tx, { companyId, subjectId }) {
    const { name } = await requirePerson(ctx, tx, subjectId)
    const stopped = { type: 'member.reassignment_stopped', companyId, subjectId, name }
    await recordSetting(tx, ctx.actor, ctx.now, stopped)
  },
}

async function* work(deps: LongJobDeps, job: Reassignment): AsyncGenerator<number, boolean> {
  let done = job.done
  for (let after: string | undefined = ''; ; ) {
    const changed: string[] = await reassignSome(deps, job, after)
    after = changed.at(-1)
    if (after === undefined) return true
    done += changed.length
    yield done
  }
}

/** Changes some of the records, each as if by hand; answers which, none where it has ended. */
function reassignSome({ db, directories }: LongJobDeps, job: Reassignment, after: string): Promise<string[]> {
  const ctx: Context = { db, directories, now: currentTime(), actor: actorOf(job) }
  const { installerId, subjectId: fromMemberId } = job
  const { toMemberId } = job.input
  return runLockedChange(ctx, async (attempt) => {
    const { db: tx, directory } = attempt
    if (!(await isRunning(tx, job))) return []
    const to = directory.members.get(toMemberId)
    if (!to?.active) throw new DomainError('invalid', `${to?.name ?? 'Whoever was to get it'} is not active.`)
    const leadIds = await listOpenWork(tx, {
      installerId,
      memberId: fromMemberId,
      afterId: after,
      limit: atOnce,
    })
    for (const leadId of leadIds) {
      const before = await findLeadDeal(tx, scopeOf(ctx), leadId)
      const changed = before && reassignDeal(before, fromMemberId, toMemberId, directory)
      if (changed) await commitChange(ctx, attempt, before, changed.after, changed.effects)
    }
    if (leadIds.length > 0) return leadIds
    await endLongJob(tx, { ...job, state: 'done', failure: null, now: ctx.now })
    const from = directory.members.get(fromMemberId)!
    if (job.total > 0) await tell(tx, ctx, toMemberId, `${from.name}'s open work is now yours`)
    return []
  })
}

/** Once for all of it: nobody wants to be told a thousand times. */
async function tell(tx: Db, { actor, now }: Context, memberId: string, text: string): Promise<void> {
  if (memberId === actor.id) return
  const at = await takeTimes(tx, actor.installerId, now, 1)
  await insertNotifications(tx, actor.installerId, at, [{ id: newId('ntf'), memberId, text, leadId: null }])
}
