import type { Db } from '../../../platform/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../kernel/context.ts'
import type { LongJob } from './long-job.ts'
import { insertLongJob, tellLeader } from './queries.ts'

interface Asked extends Pick<LongJob, 'kind' | 'subjectId' | 'companyId' | 'total'> {
  input?: object
  /** For who works on it by themselves until then, instead of leaving it to the server. */
  heldUntil?: Date | undefined
}

/** Asks for long work, in the transaction that makes it necessary; null where the same runs already. */
export async function createLongJob(tx: Db, actor: Actor, now: Date, asked: Asked): Promise<LongJob | null> {
  const { input = {}, heldUntil = null, ...job } = asked
  const created = await insertLongJob(tx, {
    ...job,
    installerId: actor.installerId,
    id: newId('job'),
    input: JSON.stringify(input),
    notBefore: heldUntil,
    actorKind: actor.kind === 'member' ? 'member' : 'job',
    actorId: actor.id,
    actorName: actor.name,
    actorCompanyId: actor.companyId,
    createdAt: now,
  })
  if (created && !heldUntil) await tellLeader(tx, {})
  return created
}
