import { type Context, scopeOf } from '../../kernel/context.ts'
import { DomainError, notFound } from '../../kernel/domain-error.ts'
import { authorize } from '../../kernel/policy.ts'
import { type Assignment, leadAssignments } from '../assignments/assignment.ts'
import { notifyAssigned } from '../assignments/notify-assigned.ts'
import { commitChange, runLockedChange } from '../changes/commit-change.ts'
import { findLeadDeal } from '../changes/deal.ts'
import type { Lead } from './lead.ts'
import { type LeadPatch, patchLead } from './patch-lead.ts'
import { checkPeople } from './who-may.ts'

export type LeadsPatch = Pick<LeadPatch, 'salesRepId' | 'setterId' | 'archived'>

export interface LeadsChanged {
  /** How many are otherwise than before. */
  changed: number
  /** Those it could not be done for, and why. */
  refused: { id: string; message: string }[]
}

/** Assigns or archives many leads at once, each that it can be done for. */
export async function updateLeads(ctx: Context, ids: string[], patch: LeadsPatch): Promise<LeadsChanged> {
  authorize(ctx.actor, 'leads.changeMany')
  return runLockedChange(ctx, async (attempt) => {
    const { db, directory } = attempt
    const outcome: LeadsChanged = { changed: 0, refused: [] }
    const assigned: { lead: Lead; people: Assignment[] }[] = []
    for (const id of new Set(ids)) {
      try {
        const before = await findLeadDeal(db, scopeOf(ctx), id)
        if (!before) throw notFound('lead')
        const changed = patchLead(before, patch, directory)
        if (!changed) continue
        checkPeople(ctx.actor, directory, before.lead, changed.lead)
        await commitChange(ctx, attempt, before, { ...before, lead: changed.lead }, changed.effects)
        const people = leadAssignments(ctx.actor, directory, before.lead, changed.lead)
        if (people.length > 0) assigned.push({ lead: changed.lead, people })
        outcome.changed++
      } catch (error) {
        // Only what was refused before anything was written: the rest of the transaction is sound.
        if (!(error instanceof DomainError)) throw error
        outcome.refused.push({ id, message: error.message })
      }
    }
    await notifyAssigned(ctx, db, assigned)
    return outcome
  })
}
