import { recordSetting } from '../../journal/audit/record-setting.ts'
import { createLongJob } from '../../journal/long-jobs/create-long-job.ts'
import type { Context } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { requirePerson } from '../../kernel/tenant/require-person.ts'
import { countOpenWork } from './queries.ts'
import { reassignmentKind } from './reassignment.ts'

/** Lets the open work of a member go to another of the same company: a job does it, some records at a time. */
export async function orderReassignment(ctx: Context, fromId: string, toId: string): Promise<void> {
  const { db, actor, now } = ctx
  authorize(actor, 'work.reassign')
  const { installerId } = actor
  const from = await requirePerson(ctx, db, fromId)
  const { members } = await ctx.directories.current(db, installerId)
  const to = members.get(toId)
  if (!to?.active || to.companyId !== from.companyId || to.id === from.id)
    throw new DomainError('invalid', 'to: choose another active member of the same company.')
  await db.transaction(async (tx) => {
    const ordered = await createLongJob(tx, actor, now, {
      kind: reassignmentKind,
      subjectId: from.id,
      companyId: from.companyId,
      input: { toMemberId: to.id },
      total: await countOpenWork(tx, { installerId, memberId: from.id }),
    })
    if (!ordered)
      throw new DomainError(
        'invalid',
        `${from.name}'s work is being reassigned already. Wait until it is done.`,
      )
    await recordSetting(tx, actor, now, {
      type: 'member.work_reassigned',
      companyId: from.companyId,
      subjectId: from.id,
      name: from.name,
      changes: { workOf: [from.id, to.id] },
    })
  })
}
