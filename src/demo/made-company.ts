import type { Company } from '../domain/companies/company.ts'
import type { Actor } from '../domain/context.ts'

/** A company that is made, with those who act for it: its members by email, its key by the empty text. */
export interface MadeCompany {
  company: Company
  key: string
  actors: ReadonlyMap<string, Actor>
}
