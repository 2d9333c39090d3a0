import type { Db } from '../../../platform/db.ts'
import { instant, integer, type Row, row, select, text } from '../../../platform/sql/row.ts'
import { empty, type Params, pick, raw, sql, when } from '../../../platform/sql/sql.ts'
import { many, maybeOne } from '../../../platform/sql/statements.ts'
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

const outboxMail = row<OutboxMail>({
  id: text,
  companyId: text,
  to: text,
  subject: text,
  state: text,
  attempts: integer,
  createdAt: instant,
  sentAt: instant,
  nextAttemptAt: instant,
  lastError: text,
})
const computed = {
  to: sql`to_address`,
  state: sql`case when state = 'queued' and lease is not null then 'sending' else state end`,
}

// What is not sent has an index of its own, which its condition must name.
const states = {
  any: empty,
  queued: sql`and state <> 'sent' and state = 'queued' and lease is null`,
  sending: sql`and state <> 'sent' and state = 'queued' and lease is not null`,
  failed: sql`and state <> 'sent' and state = 'failed'`,
  sent: sql`and state = 'sent'`,
}

interface Wanted extends MailPosition {
  installerId: string
  companyId: string | null
  wanted: keyof typeof states
  /** Forms of one address. */
  addresses: readonly string[] | null
  limit: number
}

// What a customer wrote is found by its letters, A as a.
const addressKey = raw(asciiLowered('to_address'))

const pageOfMails = many(
  outboxMail,
  ($: Params<Wanted>) => sql`
    select ${select(outboxMail, '', computed)} from mails
    where installer_id = ${$.installerId} and (created_at, id) < (${$.at}, ${$.id})
      ${when($.companyId, sql`and company_id = ${$.companyId}`)}
      ${when($.addresses, sql`and ${addressKey} = any(${$.addresses}::text[])`)} ${pick($.wanted, states)}
    order by created_at desc, id desc limit ${$.limit}`,
)

// Before this everything was written.
const end: MailPosition = { at: new Date('9999-01-01T00:00:00Z'), id: '' }

/** The newest first; those written before `before` where it is given. */
export function listMails(
  db: Db,
  installerId: string,
  { companyId, state, to }: MailFilter,
  before: MailPosition | null,
  limit: number,
): Promise<OutboxMail[]> {
  // People are written to by the one form of their address, customers by what they gave.
  const addresses = to === undefined ? null : [asciiLower(to.trim()), emailKey(to)]
  return pageOfMails(db, {
    installerId,
    companyId,
    wanted: state ?? 'any',
    addresses,
    ...(before ?? end),
    limit,
  })
}

/** A mail with its text, and the link that is kept apart from it. */
export interface MailWithBody extends OutboxMail {
  body: string
  linkKind: 'invitation' | 'password' | null
  linkRef: string | null
  linkSealed: string | null
}

const mailWithBody: Row<MailWithBody> = {
  columns: { ...outboxMail.columns, body: text, linkKind: text, linkRef: text, linkSealed: text },
}

export const findMail = maybeOne(
  mailWithBody,
  ($: Params<{ installerId: string; id: string }>) => sql`
    select ${select(mailWithBody, '', computed)} from mails where installer_id = ${$.installerId} and id = ${$.id}`,
)

/** Answers it where it had failed. */
export const queueAgain = maybeOne(
  row<{ id: string }>({ id: text }),
  ($: Params<{ installerId: string; id: string; now: Date }>) => sql`
    update mails set state = 'queued', attempts = 0, unanswered = 0, lease = null, next_attempt_at = ${$.now}
    where installer_id = ${$.installerId} and id = ${$.id} and state = 'failed' and cleared_at is null
      and (link_kind is null or link_sealed is not null)
    returning id`,
)
