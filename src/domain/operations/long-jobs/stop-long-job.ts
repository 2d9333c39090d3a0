import { isId } from '../../../platform/ids.ts'
import type { LongJob } from '../../journal/long-jobs/long-job.ts'
import { endLongJob, findLongJob } from '../../journal/long-jobs/queries.ts'
import { type Context, confinedTo } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize, may } from '../../kernel/policy.ts'
import { longJobKinds } from './kinds.ts'

/** Ends long work after the piece that is being done. What is done stays. */
export async function stopLongJob(ctx: Context, id: string): Promise<LongJob> {
  const { db, actor, now } = ctx
  const { installerId } = actor
  // Who may stop nothing is not told what is there.
  if (!longJobKinds.some(({ action }) => may(actor, action))) authorize(actor, longJobKinds[0]!.action)
  const job = isId(id, 'job') ? await findLongJob(db, { installerId, id }) : null
  const kind = longJobKinds.find(({ kind }) => kind === job?.kind)
  const confined = confinedTo(actor)
  if (!job || !kind || (confined !== null && confined !== job.companyId)) throw notFound('job')
  authorize(actor, kind.action)
  return db.transaction(async (tx) => {
    await kind.stopping(ctx, tx, job)
    if (!(await endLongJob(tx, { ...job, state: 'cancelled', failure: null, now })))
      throw new DomainError('invalid', 'This has ended already.')
    return (await findLongJob(tx, job))!
  })
}
