import { type Database, type Db, isUniqueViolation, type Statement } from '../../../platform/db.ts'
import { normalEmail } from '../../kernel/email.ts'
import { changeMember } from './change-member.ts'

const pageSize = 500

// What may not be in the one form of an address: capitals, and letters outside ASCII.
const otherForm = `email ~ '[^!-@[-~]' collate "C"`

interface KeptMember {
  installerId: string
  companyId: string
  id: string
  email: string
}

const membersStatement: Statement = {
  name: 'members-in-another-form',
  text: `select installer_id as "installerId", company_id as "companyId", id, email from members
    where (installer_id, id) > ($1, $2) and ${otherForm} order by installer_id, id limit ${pageSize}`,
}

const accountsStatement: Statement = {
  name: 'accounts-in-another-form',
  text: `select id, email from auth_users where id > $1 and ${otherForm} order by id limit ${pageSize}`,
}

const changeAccountStatement: Statement = {
  name: 'normalise-account',
  text: `update auth_users u set email = $3 where id = $1 and email = $2
    and not exists (select from auth_users other where other.email = $3)`,
}

/**
 * Brings addresses that were kept before there was one form into it, as a change of what shows them. What has no such
 * form, or would become another's, stays as it is: nobody is lost, and such a member is found by id.
 */
export async function normaliseEmails(db: Database, now: Date): Promise<void> {
  await eachPage<{ id: string; email: string }>(
    db,
    accountsStatement,
    ({ id }) => [id],
    [''],
    async (account) => {
      const email = normalEmail(account.email)
      if (email !== null && email !== account.email)
        await db.query(changeAccountStatement, [account.id, account.email, email])
    },
  )
  const after = ({ installerId, id }: KeptMember) => [installerId, id]
  await eachPage<KeptMember>(db, membersStatement, after, ['', ''], async ({ companyId, id, email }) => {
    if (normalEmail(email) === null || normalEmail(email) === email) return
    await changeMember(db, now, companyId, id, { email }).catch((error) => {
      if (!isUniqueViolation(error, 'members_by_email')) throw error
    })
  })
}

async function eachPage<Row extends object>(
  db: Db,
  statement: Statement,
  after: (row: Row) => string[],
  first: string[],
  work: (row: Row) => Promise<void>,
): Promise<void> {
  for (let from = first, rows: Row[] = []; ; from = after(rows.at(-1)!)) {
    rows = await db.query<Row>(statement, from)
    for (const row of rows) await work(row)
    if (rows.length < pageSize) return
  }
}
