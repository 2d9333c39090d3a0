import { SoldByContract } from '../../domain/deals/leads/patch-lead.ts'
import { type ChangedLead, type LeadUpdate, updateLead } from '../../domain/deals/leads/update-lead.ts'
import type { Context } from '../../domain/kernel/context.ts'
import { DomainError } from '../../domain/kernel/domain-error.ts'
import { moneyOf } from '../http/exact-numbers.ts'
import { namedPerson } from './person-schema.ts'
import type { LeadPatchBody } from './request-schemas.ts'

/** Changes a lead as a body says it: by a call of its own, or as one of many. */
export async function changeLead(ctx: Context, id: string, body: LeadPatchBody): Promise<ChangedLead> {
  return updateLead(ctx, id, updateOf(body)).catch((error) => {
    throw error instanceof SoldByContract
      ? new DomainError(
          'invalid',
          'status: a lead becomes sold by POST /v1/leads/{id}/sale, which makes its project.',
        )
      : error
  })
}

function updateOf(body: LeadPatchBody): LeadUpdate {
  const { address, salesRep, setter, source, utility, ...rest } = body
  const update: LeadUpdate = {
    ...rest,
    people: { salesRep: namedPerson(salesRep, 'salesRep'), setter: namedPerson(setter, 'setter') },
  }
  if (address) update.fullAddress = address
  if (source) update.source = emptyIsNull(source)
  if (utility) update.utility = utilityOf(utility)
  return update
}

function emptyIsNull<T extends Record<string, string | null>>(texts: T): T {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null])) as T
}

function utilityOf({
  name,
  monthlyBill,
}: NonNullable<LeadPatchBody['utility']>): NonNullable<LeadUpdate['utility']> {
  return {
    ...(name === undefined ? {} : { name: name || null }),
    ...(monthlyBill === undefined ? {} : { monthlyBill: moneyOf(monthlyBill, 'utility.monthlyBill') }),
  }
}
