import type { Actor } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { may } from '../../kernel/policy.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'
import { companiesOnLead } from '../assignments/named-people.ts'
import type { Lead } from './lead.ts'

/** Whether the actor may mark the lead as sold: who runs the company, and the lead's own rep. */
export function sellsLead(actor: Actor, { salesRepId }: Lead): boolean {
  return may(actor, 'leads.sell') || (actor.id !== null && salesRepId === actor.id)
}

/**
 * Whoever is put on a lead is an active member of its company; the installer may put its own people on a dealer's
 * lead too. Who sees only their own leads stays on them: they could not undo it.
 */
export function checkPeople(actor: Actor, directory: Directory, before: Lead | null, after: Lead): void {
  const companies = companiesOnLead(actor, after)
  for (const field of ['salesRepId', 'setterId'] as const) {
    const id = after[field]
    if (id === null || id === before?.[field]) continue
    const member = directory.members.get(id)
    if (!member?.active || !companies.includes(member.companyId))
      throw new DomainError('invalid', `${field}: choose an active member of the lead's company.`)
  }
  const isOn = (lead: Lead) => lead.salesRepId === actor.id || lead.setterId === actor.id
  if (before && !may(actor, 'records.readAll') && isOn(before) && !isOn(after))
    throw new DomainError(
      'forbidden',
      'Only owners, admins and managers may take you off a lead. Ask one of them.',
    )
}
