import type { Directory } from '../companies/directory.ts'
import { type Actor, requireWriter, runsCompany, seesOwnOnly } from '../context.ts'
import { DomainError } from '../domain-error.ts'
import type { Lead } from './lead.ts'

/** Whether the actor works on leads: all do but those who come when one is sold. */
export function editsLeads({ role }: Actor): boolean {
  return role !== 'surveyor' && role !== 'subcontractor'
}

export function requireLeadEditor(actor: Actor): void {
  requireWriter(actor)
  if (!editsLeads(actor))
    throw new DomainError(
      'forbidden',
      'Surveyors and subcontractors do not change leads. Write a note instead.',
    )
}

/** Whether the actor may mark the lead as sold: who runs the company, and the lead's own rep. */
export function sellsLead(actor: Actor, { salesRepId }: Lead): boolean {
  return runsCompany(actor) || (actor.id !== null && salesRepId === actor.id)
}

/**
 * Whoever is put on a lead is an active member of its company; the installer may put its own people on a dealer's
 * lead too. Who sees only their own leads stays on them: they could not undo it.
 */
export function checkPeople(actor: Actor, directory: Directory, before: Lead | null, after: Lead): void {
  const companies = actor.companyKind === 'installer' ? [after.companyId, actor.companyId] : [after.companyId]
  for (const field of ['salesRepId', 'setterId'] as const) {
    const id = after[field]
    if (id === null || id === before?.[field]) continue
    const member = directory.members.get(id)
    if (!member?.active || !companies.includes(member.companyId))
      throw new DomainError('invalid', `${field}: choose an active member of the lead's company.`)
  }
  const isOn = (lead: Lead) => lead.salesRepId === actor.id || lead.setterId === actor.id
  if (before && seesOwnOnly(actor) && isOn(before) && !isOn(after))
    throw new DomainError(
      'forbidden',
      'Only owners, admins and managers may take you off a lead. Ask one of them.',
    )
}
