import type { CompanyKind } from '../../kernel/tenant/company.ts'
import type { Directory } from '../../kernel/tenant/directory.ts'

/**
 * Renderings are the JSON that an API answers, made when a record is written. Two things are left
 * open in them, each marked by a control character that JSON text cannot hold otherwise: the public
 * address, spliced in when read, and the time of the change, which the writing statement knows.
 */
export const baseUrlMark = '\u0001'
export const updatedAtMark = '\u0002'

/** Stands on both sides of what only the installer may read, in readings that dealers share. */
export const internalMark = '\u0003'

/** A reading as a company sees it: dealers do not see what is internal. */
export function asSeenBy(companyKind: CompanyKind, rendering: string): string {
  if (companyKind === 'installer') return rendering.replaceAll(internalMark, '')
  const parts = rendering.split(internalMark)
  return parts.filter((_, i) => i % 2 === 0).join('')
}

export function withBaseUrl(rendering: string, baseUrl: string): string {
  return rendering.replaceAll(baseUrlMark, baseUrl)
}

/** Members of an object, without its braces, so that parts can be put together. */
export function members(object: Record<string, unknown>): string {
  return JSON.stringify(object).slice(1, -1)
}

export function decimal(value: string | null): number | null {
  return value === null ? null : Number(value)
}

export function staff(directory: Directory, memberId: string | null) {
  const member = memberId === null ? undefined : directory.members.get(memberId)
  return member ? { name: member.name, email: member.email, phone: member.phone } : null
}
