import type { Database } from '../../../platform/db.ts'
import type { SecretBox } from '../../../platform/secret-box.ts'
import { raw, sql } from '../../../platform/sql/sql.ts'
import { run } from '../../../platform/sql/statements.ts'
import { withinTransaction } from '../../../platform/within-transaction.ts'
import { DomainError } from '../../kernel/domain-error.ts'
import { addMember } from '../members/add-member.ts'
import { joinCompany } from '../people/queries.ts'
import { setPassword } from '../people/set-password.ts'
import { createCompany } from './create-company.ts'
import { forgetSetUpCode, isFresh, requireSetUpCode } from './set-up-code.ts'

export interface FirstCompany {
  /** As it was printed when the server started: whoever reads it runs the server. */
  code: string
  company: string
  timezone: string
  name: string
  email: string
  password: string
}

const lock = 7_310_003
const lockSetUp = run(() => sql`select pg_advisory_xact_lock(${raw(lock)})`)

/**
 * Makes the first company and its owner, who can sign in at once. Only while there is none, and only by the code, which
 * is gone then. Answers whose account it is.
 */
export async function setUp(
  db: Database,
  box: SecretBox,
  now: Date,
  first: FirstCompany,
): Promise<{ userId: string }> {
  return db.transaction(async (tx) => {
    await lockSetUp(tx, {})
    if (!(await isFresh(tx))) {
      throw new DomainError(
        'invalid',
        'A company is here already. Sign in, or ask its owner for an invitation.',
      )
    }
    await requireSetUpCode(tx, box, first.code)
    const within = withinTransaction(tx)
    const company = await createCompany(within, now, { name: first.company, timezone: first.timezone })
    const { email, name, password } = first
    const { id } = await addMember(within, now, { company: company.id, email, name, role: 'owner' })
    const userId = await setPassword(within, now, { email, name, password }, [company.name])
    await joinCompany(within, { installerId: company.installerId, id, userId, now })
    await forgetSetUpCode(within)
    return { userId }
  })
}
