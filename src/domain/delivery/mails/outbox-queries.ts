import type { Db, Statement } from '../../../platform/db.ts'
import { asciiLower, asciiLowered, emailKey } from '../../kernel/email.ts'

export const mailStates = ['queued', 'sending', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export interface OutboxMail {
  id: string
  companyId: string
  to: string
  subject: string
  state: MailState
  attempts: number
  createdAt: Date
  sentAt: Date | null
  nextAttemptAt: Date
  lastError: string | null
}

export interface MailFilter {
  companyId: string | null
  state: MailState | undefined
  to: string | undefined
}

export interface MailPosition {
  at: Date
  id: string
}

const columns = `id, company_id as "companyId", to_address as "to", subject, attempts,
  case when state = 'queued' and lease is not null then 'sending' else state end as state,
  created_at as "createdAt", sent_at as "sentAt", next_attempt_at as "nextAttemptAt", last_error as "lastError"`

// What is not sent has an index of its own, which its condition must name.
const stateConditions: Record<MailState, string> = {
  queued: `state <> 'sent' and state = 'queued' and lease is null`,
  sending: `state <> 'sent' and state = 'queued' and lease is not null`,
  failed: `state <> 'sent' and state = 'failed'`,
  sent: `state = 'sent'`,
}

// What a customer wrote is found by its letters, A as a.
const addressKey = asciiLowered('to_address')

function pageStatement({ companyId, state, to }: MailFilter): Statement {
  const by = [companyId === null ? '' : 'company', state ?? '', to === undefined ? '' : 'to'].filter(Boolean)
  const company = companyId === null ? '' : ' and company_id = $5'
  const address = to === undefined ? '' : ` and ${addressKey} = any($${companyId === null ? 5 : 6})`
  return {
    name: ['mail-page', ...by].join('-'),
    text: `select ${columns} from mails
      where installer_id = $1 and (created_at, id) < ($2, $3)${company}${address}${state ? ` and ${stateConditions[state]}` : ''}
      order by created_at desc, id desc limit $4`,
  }
}

// Before this everything was written.
const end: MailPosition = { at: new Date('9999-01-01T00:00:00Z'), id: '' }

/** The newest first; those written before `before` where it is given. */
export function listMails(
  db: Db,
  installerId: string,
  filter: MailFilter,
  before: MailPosition | null,
  limit: number,
): Promise<OutboxMail[]> {
  const { at, id } = before ?? end
  const { companyId, to } = filter
  return db.query<OutboxMail>(pageStatement(filter), [
    installerId,
    at,
    id,
    limit,
    ...(companyId === null ? [] : [companyId]),
    // People are written to by the one form of their address, customers by what they gave.
    ...(to === undefined ? [] : [[asciiLower(to.trim()), emailKey(to)]]),
  ])
}

/** A mail with its text, and the link that is kept apart from it. */
export interface WholeMail extends OutboxMail {
  body: string
  linkKind: 'invitation' | 'password' | null
  linkRef: string | null
  linkSealed: string | null
}

const findStatement: Statement = {
  name: 'find-mail',
  text: `select ${columns}, body, link_kind as "linkKind", link_ref as "linkRef", link_sealed as "linkSealed"
    from mails where installer_id = $1 and id = $2`,
}

export async function findMail(db: Db, installerId: string, id: string): Promise<WholeMail | null> {
  const [mail] = await db.query<WholeMail>(findStatement, [installerId, id])
  return mail ?? null
}

const againStatement: Statement = {
  name: 'queue-mail-again',
  text: `update mails set state = 'queued', attempts = 0, unanswered = 0, lease = null, next_attempt_at = $3
    where installer_id = $1 and id = $2 and state = 'failed' and cleared_at is null
      and (link_kind is null or link_sealed is not null)
    returning id`,
}

/** Whether it had failed. */
export async function queueAgain(tx: Db, installerId: string, id: string, now: Date): Promise<boolean> {
  return (await tx.query(againStatement, [installerId, id, now])).length > 0
}
