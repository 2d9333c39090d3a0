import { newId } from '../../../platform/ids.ts'
import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { commitChange, runChange } from '../changes/commit-change.ts'
import { type Deal, findLeadDeal, findProjectDeal } from '../changes/deal.ts'
import { type Activity, readerOf } from './activity.ts'
import { findNote } from './queries.ts'

export interface NewNote {
  body: string
  /** The note that it answers. */
  replyTo?: string
  internal?: boolean
  customerFacing?: boolean
}

export interface WrittenNote {
  deal: Deal
  /** As the feed reads it. */
  activity: Activity
}

/** Writes a note on a lead, or on a project into its lead's feed. No record reads otherwise after it, so none is changed. */
export async function writeNote(
  ctx: Context,
  on: { lead: string } | { project: string },
  note: NewNote,
): Promise<WrittenNote> {
  return runChange(ctx, async (attempt) => {
    const { db } = attempt
    const deal =
      'lead' in on
        ? await findLeadDeal(db, scopeOf(ctx), on.lead)
        : await findProjectDeal(db, scopeOf(ctx), on.project)
    if (!deal) throw notFound('lead' in on ? 'lead' : 'project')
    authorize(ctx.actor, 'notes.write')
    const { installerId } = ctx.actor
    const answered = note.replyTo
      ? await findNote(db, {
          installerId,
          leadId: deal.lead.id,
          internalOf: readerOf(ctx.actor),
          id: note.replyTo,
        })
      : null
    if (note.replyTo && !answered)
      throw new DomainError(
        'invalid',
        'replyTo: there is no such note on this lead. Write a note of its own.',
      )
    // What is said under an internal note stays as internal.
    const internal = answered?.internal || note.internal === true
    if (internal) authorize(ctx.actor, 'notes.internal')
    if (internal && note.customerFacing)
      throw new DomainError(
        'invalid',
        'customerFacing: an internal note is not for the customer. Choose one.',
      )
    const written = {
      id: newId('act'),
      type: 'note' as const,
      body: note.body,
      internal,
      customerFacing: note.customerFacing ?? false,
    }
    // Replies stand in one row under their note: an answer to one is one of them.
    const replyTo = answered && (answered.replyTo ?? answered.id)
    const createdAt = await commitChange(ctx, attempt, deal, deal, {
      activities: [{ ...written, ...(replyTo ? { replyTo } : {}) }],
      events: [],
    })
    return { deal, activity: { ...written, replyTo, author: ctx.actor.name, createdAt } }
  })
}
