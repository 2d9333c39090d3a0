import { type Context, confinedTo, scopeOf } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { installerOf } from '../../kernel/tenant/directory.ts'
import { requireCompanyOf, requireMember } from '../../kernel/tenant/require-named.ts'
import type { ProductLine } from '../../kernel/tenant/stage.ts'
import type { LookedPage } from '../renderings/looked-page.ts'
import type { PageRequest } from '../renderings/page.ts'
import { allThat, type LeadFilters } from './asked-leads.ts'
import { listFilteredLeads } from './filtered-queries.ts'
import type { LeadStatus } from './lead.ts'
import { normalisePhone } from './phone.ts'

export interface LeadsAsked {
  productLine?: ProductLine
  externalId?: string
  /** Compared without case. */
  email?: string
  /** In any form: compared as E.164. */
  phone?: string
  status?: LeadStatus
  /** A member's id or email. */
  salesRep?: string
  companyId?: string
  search?: string
}

/** A page of the leads that are asked for, the archive included; each with its whole project where that is wanted. */
export async function listLeadsAsked(
  ctx: Context,
  asked: LeadsAsked,
  page: PageRequest,
  withProject: boolean,
): Promise<LookedPage> {
  const { db, actor } = ctx
  const { productLine: line, externalId, email, phone, status, salesRep, companyId, search } = asked
  const directory = await ctx.directories.current(db, actor.installerId)
  const company = companyId === undefined ? undefined : requireCompanyOf(directory, actor, companyId)
  const confined = confinedTo(actor)
  const filters: LeadFilters = { archived: 'all' }
  if (line) filters.line = line
  if (status) filters.status = status
  if (email) filters.email = email
  if (search) filters.search = search
  // Who is confined to a company sees no other anyway.
  if (company && confined === null) filters.company = company
  if (salesRep) filters.rep = requireMember(directory, actor, salesRep).id
  if (phone) filters.phone = e164Of(phone, installerOf(directory).country)
  if (externalId) {
    filters.externalId = externalId
    const one = confined ?? company
    filters.companies = one ? [one] : [...directory.companies.keys()]
  }
  return listFilteredLeads(db, allThat(scopeOf(ctx), 'all', filters), page, withProject)
}

function e164Of(phone: string, country: string): string {
  const number = normalisePhone(phone, country)
  if (number) return number
  throw new DomainError(
    'invalid',
    'phone must be a phone number, such as +1 619 555 0100; in an address the + is written %2B.',
  )
}
