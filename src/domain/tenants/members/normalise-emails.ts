import { type Database, isUniqueViolation } from '../../../platform/db.ts'
import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { normalEmail } from '../../kernel/email.ts'
import { changeMember } from './change-member.ts'

const pageSize = 500

// What may not be in the one form of an address: capitals, and letters outside ASCII.
const otherForm = sql`email ~ '[^!-@[-~]' collate "C"`

interface KeptMember {
  installerId: string
  companyId: string
  id: string
  email: string
}

const keptMember = row<KeptMember>({ installerId: text, companyId: text, id: text, email: text })

const listMembers = many(
  keptMember,
  ($: Params<{ afterInstaller: string; afterId: string }>) => sql`
    select ${select(keptMember)} from members
    where (installer_id, id) > (${$.afterInstaller}, ${$.afterId}) and ${otherForm}
    order by installer_id, id limit ${raw(pageSize)}`,
  { across: 'brings the addresses of every tenant into one form' },
)

const listAccounts = many(
  row<{ id: string; email: string }>({ id: text, email: text }),
  ($: Params<{ afterId: string }>) => sql`
    select id, email from auth_users where id > ${$.afterId} and ${otherForm} order by id limit ${raw(pageSize)}`,
)

const changeAccount = run(
  ($: Params<{ id: string; before: string; email: string }>) => sql`
    update auth_users u set email = ${$.email} where id = ${$.id} and email = ${$.before}
      and not exists (select from auth_users other where other.email = ${$.email})`,
)

/**
 * Brings addresses that were kept before there was one form into it, as a change of what shows them. What has no such
 * form, or would become another's, stays as it is: nobody is lost, and such a member is found by id.
 */
export async function normaliseEmails(db: Database, now: Date): Promise<void> {
  await eachPage<{ id: string; email: string }>(
    (last) => listAccounts(db, { afterId: last?.id ?? '' }),
    async ({ id, email: before }) => {
      const email = normalEmail(before)
      if (email !== null && email !== before) await changeAccount(db, { id, before, email })
    },
  )
  await eachPage<KeptMember>(
    (last) => listMembers(db, { afterInstaller: last?.installerId ?? '', afterId: last?.id ?? '' }),
    async ({ companyId, id, email }) => {
      if (normalEmail(email) === null || normalEmail(email) === email) return
      await changeMember(db, now, companyId, id, { email }).catch((error) => {
        if (!isUniqueViolation(error, 'members_by_email')) throw error
      })
    },
  )
}

async function eachPage<Row>(
  list: (last: Row | undefined) => Promise<Row[]>,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  for (let rows: Row[] = []; ; ) {
    rows = await list(rows.at(-1))
    for (const row of rows) await work(row)
    if (rows.length < pageSize) return
  }
}
