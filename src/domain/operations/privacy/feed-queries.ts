import type { Db, Statement } from '../../../platform/db.ts'
import { asciiLowered } from '../../kernel/email.ts'
import type { Erasure } from './erasure.ts'

/** What people and mails said; the other entries are sentences of our own about stages, days and staff. */
const told = `('note', 'message', 'fileAdded', 'leadUpdated')`

const feedStatement: Statement = {
  name: 'erase-activities',
  text: `update activities a set body = '', author = case when a.type = 'message' and a.member_id is null then null else a.author end
    where a.installer_id = $1 and a.id in (
      select id from activities
      where installer_id = $1 and lead_id = $2 and type in ${told} and body <> '' and at < $3 limit $4)
    returning a.id`,
}

const notificationsStatement: Statement = {
  name: 'erase-notifications',
  text: `delete from notifications where installer_id = $1 and id in (
      select n.id from members m join notifications n on n.installer_id = m.installer_id and n.member_id = m.id
      where m.installer_id = $1 and (n.lead_id = $2 or n.project_id = $3) limit $4)
    returning id`,
}

const answersStatement: Statement = {
  name: 'erase-kept-answers',
  text: `delete from idempotency_keys
    where installer_id = $1 and (exists (select from unnest($2::text[]) w where strpos(answer::text, w) > 0)
      or company_id = $4 and exists (select from unnest($3::text[]) w where strpos(lower(answer::text || key), w) > 0))
    returning key`,
}

export async function eraseActivities(db: Db, erasure: Erasure, limit: number): Promise<number> {
  const { installerId, leadId, erasedAt } = erasure
  return (await db.query(feedStatement, [installerId, leadId, erasedAt.toISOString(), limit])).length
}

export async function eraseNotifications(db: Db, erasure: Erasure, limit: number): Promise<number> {
  const { installerId, leadId, projectId } = erasure
  return (await db.query(notificationsStatement, [installerId, leadId, projectId, limit])).length
}

/** Answers that are kept for calls which are made twice. */
export async function eraseKeptAnswers(db: Db, erasure: Erasure): Promise<void> {
  const { installerId, companyId, ids, person } = erasure
  await db.query(answersStatement, [installerId, ids, wordsOf(person), companyId])
}

const answersOfStatement: Statement = {
  name: 'erase-kept-answers-of-records',
  text: `delete from idempotency_keys k where k.installer_id = $1
    and exists (select from unnest($2::text[]) w where strpos(k.answer::text, w) > 0)`,
}

/** What calls about these records were answered: it says whose they were. */
export async function forgetAnswersOf(tx: Db, installerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(answersOfStatement, [installerId, ids])
}

const wordsOf = ({ names, emails, phones }: Erasure['person']) =>
  [...names, ...emails, ...phones].filter((word) => word.length > 3).map((word) => word.toLowerCase())

const mailsStatement: Statement = {
  name: 'mails-of-customer',
  text: `select id from mails where installer_id = $1 and lead_id = $2 and lead_id is not null
    union all (select m.id from mails m where m.installer_id = $1 and m.company_id = $7 and m.lead_id is null
      and m.link_kind is null and not m.urgent and m.created_at < $3
      and (${asciiLowered('m.to_address')} = any($4::text[]) or exists (
        select from unnest($5::text[]) w where strpos(lower(m.subject || ' ' || m.body), w) > 0)) limit $6)
    limit $6`,
}

/**
 * Those that are about the lead; of older ones, which do not say so, those of its company that go to the customer or name
 * them. What is written to people about their account is nobody's customer's, whatever the customer is called.
 */
export async function listCustomerMails(
  db: Db,
  {
    installerId,
    companyId,
    leadId,
    erasedAt,
    person,
  }: Pick<Erasure, 'installerId' | 'companyId' | 'leadId' | 'erasedAt' | 'person'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(mailsStatement, [
    installerId,
    leadId,
    erasedAt.toISOString(),
    person.emails,
    wordsOf(person),
    limit,
    companyId,
  ])
  return rows.map(({ id }) => id)
}

const deleteMailsStatement: Statement = {
  name: 'erase-mails',
  text: 'delete from mails where installer_id = $1 and id = any($2::text[])',
}

export async function deleteMails(db: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await db.query(deleteMailsStatement, [installerId, ids])
}

const viewsStatement: Statement = {
  name: 'views-with-words',
  text: `select v.id, v.name, v.query, m.company_id as "companyId" from members m join saved_views v on v.installer_id = m.installer_id and v.member_id = m.id
    where m.installer_id = $1 order by v.id limit 10000`,
}

const deleteViewsStatement: Statement = {
  name: 'erase-views',
  text: 'delete from saved_views where installer_id = $1 and id = any($2::text[])',
}

export function listViewTexts(
  db: Db,
  installerId: string,
): Promise<{ id: string; name: string; query: string; companyId: string }[]> {
  return db.query(viewsStatement, [installerId])
}

export async function deleteViews(db: Db, installerId: string, ids: readonly string[]): Promise<void> {
  await db.query(deleteViewsStatement, [installerId, ids])
}
