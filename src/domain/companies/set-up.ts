import type { Database, Db, Statement } from '../../platform/db.ts'
import { withinTransaction } from '../../platform/within-transaction.ts'
import { DomainError } from '../domain-error.ts'
import { addMember } from '../members/add-member.ts'
import { setPassword } from '../people/set-password.ts'
import { createCompany } from './create-company.ts'
import { listCompanies } from './queries.ts'

export interface FirstCompany {
  company: string
  timezone: string
  name: string
  email: string
  password: string
}

const lock = 7_310_003
const lockStatement: Statement = { name: 'set-up-lock', text: 'select pg_advisory_xact_lock($1)' }

/** Whether nobody has set this up yet. */
export async function isFresh(db: Db): Promise<boolean> {
  return (await listCompanies(db, 0, 1)).length === 0
}

/** Makes the first company and its owner, who can sign in at once. Only while there is none. */
export async function setUp(db: Database, now: Date, first: FirstCompany): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(lockStatement, [lock])
    if (!(await isFresh(tx))) {
      throw new DomainError(
        'invalid',
        'A company is here already. Sign in, or ask its owner for an invitation.',
      )
    }
    const within = withinTransaction(tx)
    const company = await createCompany(within, now, { name: first.company, timezone: first.timezone })
    await addMember(within, now, { company: company.id, email: first.email, name: first.name, role: 'owner' })
    await setPassword(within, now, first)
  })
}
