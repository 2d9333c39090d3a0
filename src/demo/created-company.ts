import type { Actor } from '../domain/kernel/context.ts'
import type { Company } from '../domain/kernel/tenant/company.ts'

/** A company that is made, with those who act for it: its members by email, its key by the empty text. */
export interface CreatedCompany {
  company: Company
  key: string
  actors: ReadonlyMap<string, Actor>
}
