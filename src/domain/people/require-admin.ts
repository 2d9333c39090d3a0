import type { Actor } from '../context.ts'
import { DomainError } from '../domain-error.ts'

export function requireAdmin({ role }: Actor, what: string): void {
  if (role !== 'owner' && role !== 'admin')
    throw new DomainError('forbidden', `Only owners and admins may ${what}. Ask one of them.`)
}
