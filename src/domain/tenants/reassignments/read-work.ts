import { findLatestLongJob } from '../../journal/long-jobs/queries.ts'
import type { Context } from '../../kernel/context.ts'
import { authorize } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { countSomeOpenWork } from './queries.ts'
import { type Reassignment, reassignmentKind } from './reassignment.ts'

export interface Work {
  /** Leads and projects that go on, as far as is counted, each lead with what it became counted once. */
  open: number
  /** The last time that it went to another. */
  reassignment: Reassignment | null
}

/** What a colleague has in hand. */
export async function readWork(ctx: Context, id: string): Promise<Work> {
  const { db, actor } = ctx
  authorize(actor, 'work.reassign')
  const member = await requirePerson(ctx, db, id)
  const { installerId } = actor
  const [open, reassignment] = await Promise.all([
    countSomeOpenWork(db, { installerId, memberId: member.id }),
    findLatestLongJob(db, { installerId, kind: reassignmentKind, subjectId: member.id }),
  ])
  return { open, reassignment }
}
