import type { Actor } from '../context.ts'
import { DomainError } from '../domain-error.ts'

/**
 * Whether the actor sees what was agreed with the customer: the price, how it is paid, what each thing costs, and what
 * the sales people noted of them. Who measures and who builds does not need it.
 */
export function seesSale({ role }: Pick<Actor, 'role'>): boolean {
  return role !== 'surveyor' && role !== 'subcontractor'
}

export function requireSale(actor: Actor): void {
  if (!seesSale(actor))
    throw new DomainError(
      'forbidden',
      'Surveyors and subcontractors do not see what was agreed with the customer. Ask who runs the project.',
    )
}
