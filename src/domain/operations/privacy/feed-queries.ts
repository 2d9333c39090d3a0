import type { Db } from '../../../platform/db.ts'
import { row, select, text } from '../../../platform/sql/row.ts'
import { type Params, raw, sql } from '../../../platform/sql/sql.ts'
import { many, run } from '../../../platform/sql/statements.ts'
import { asciiLowered } from '../../kernel/email.ts'
import { lowered } from '../../kernel/search-form.ts'
import type { Erasure } from './erasure.ts'

const idRow = row<{ id: string }>({ id: text })

type Of = Pick<Erasure, 'installerId' | 'leadId'>

/** What people and mails said; the other entries are sentences of our own about stages, days and staff. */
const typedTypes = sql`('note', 'message', 'fileAdded', 'leadUpdated')`

export const eraseActivities = many(
  idRow,
  ($: Params<Of & { erasedAt: Date; limit: number }>) => sql`
    update activities a set body = '',
      author = case when a.type = 'message' and a.member_id is null then null else a.author end
    where a.installer_id = ${$.installerId} and a.id in (
      select id from activities
      where installer_id = ${$.installerId} and lead_id = ${$.leadId} and type in ${typedTypes} and body <> ''
        and at < ${$.erasedAt} limit ${$.limit})
    returning a.id`,
)

export const eraseNotifications = many(
  idRow,
  ($: Params<Of & { projectId: string | null; limit: number }>) => sql`
    delete from notifications where installer_id = ${$.installerId} and id in (
      select n.id from members m join notifications n on n.installer_id = m.installer_id and n.member_id = m.id
      where m.installer_id = ${$.installerId} and (n.lead_id = ${$.leadId} or n.project_id = ${$.projectId})
      limit ${$.limit})
    returning id`,
)

const deleteAnswers = run(
  (
    $: Params<{ installerId: string; companyId: string; ids: readonly string[]; words: readonly string[] }>,
  ) => sql`
    delete from idempotency_keys
    where installer_id = ${$.installerId}
      and (exists (select from unnest(${$.ids}::text[]) w where strpos(answer::text, w) > 0)
        or company_id = ${$.companyId}
          and exists (select from unnest(${$.words}::text[]) w where strpos(lower(answer::text || key), w) > 0))`,
)

/** Answers that are kept for calls which are made twice. */
export async function eraseKeptAnswers(db: Db, erasure: Erasure): Promise<void> {
  const { installerId, companyId, ids, person } = erasure
  await deleteAnswers(db, { installerId, companyId, ids, words: wordsOf(person) })
}

const deleteAnswersOf = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    delete from idempotency_keys k where k.installer_id = ${$.installerId}
      and exists (select from unnest(${$.ids}::text[]) w where strpos(k.answer::text, w) > 0)`,
)

/** What calls about these records were answered: it says whose they were. */
export async function forgetAnswersOf(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteAnswersOf(tx, { installerId, ids })
}

const wordsOf = ({ names, emails, phones }: Erasure['person']) =>
  [...names, ...emails, ...phones].filter((word) => word.length > 3).map((word) => lowered(word))

interface MailsOf extends Of {
  companyId: string
  erasedAt: Date
  emails: readonly string[]
  words: readonly string[]
  limit: number
}

const mailsOfCustomer = many(
  idRow,
  ($: Params<MailsOf>) => sql`
    select id from mails where installer_id = ${$.installerId} and lead_id = ${$.leadId} and lead_id is not null
    union all (select m.id from mails m where m.installer_id = ${$.installerId} and m.company_id = ${$.companyId}
      and m.lead_id is null and m.link_kind is null and not m.urgent and m.created_at < ${$.erasedAt}
      and (${raw(asciiLowered('m.to_address'))} = any(${$.emails}::text[]) or exists (
        select from unnest(${$.words}::text[]) w where strpos(lower(m.subject || ' ' || m.body), w) > 0))
      limit ${$.limit})
    limit ${$.limit}`,
)

/**
 * Those that are about the lead; of older ones, which do not say so, those of its company that go to the customer or name
 * them. What is written to people about their account is nobody's customer's, whatever the customer is called.
 */
export async function listCustomerMails(
  db: Db,
  erasure: Pick<Erasure, 'installerId' | 'companyId' | 'leadId' | 'erasedAt' | 'person'>,
  limit: number,
): Promise<string[]> {
  const { emails } = erasure.person
  const rows = await mailsOfCustomer(db, { ...erasure, emails, words: wordsOf(erasure.person), limit })
  return rows.map(({ id }) => id)
}

export const deleteMails = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    delete from mails where installer_id = ${$.installerId} and id = any(${$.ids}::text[])`,
)

const viewTexts = row<{ id: string; name: string; query: string; companyId: string }>({
  id: text,
  name: text,
  query: text,
  companyId: text,
})

export const listViewTexts = many(
  viewTexts,
  ($: Params<{ installerId: string }>) => sql`
    select ${select(viewTexts, 'v', { companyId: sql`m.company_id` })}
    from members m join saved_views v on v.installer_id = m.installer_id and v.member_id = m.id
    where m.installer_id = ${$.installerId} order by v.id limit 10000`,
)

export const deleteViews = run(
  ($: Params<{ installerId: string; ids: readonly string[] }>) => sql`
    delete from saved_views where installer_id = ${$.installerId} and id = any(${$.ids}::text[])`,
)
